"""What a document leaves out of its text, as parts of the page that open on demand."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from longsum.common.wording import counted
from longsum.documents.model import Omission

_LONGEST = 20_000
"""Most characters of one part that the page shows."""


class Omissions:
    """Hands out what is left out of a document in the order of its text.

    Consecutive parts of one kind at one place, such as the lines of a table of contents, are one.
    """

    def __init__(self, omitted: Sequence[Omission]) -> None:
        said = [part for part in omitted if part.text]
        self._groups = [list(parts) for _, parts in groupby(said, lambda o: (o.place, o.kind))]
        self._next = 0

    def before(self, offset: float) -> Iterator[str]:
        """Yield the markup of the parts whose place is before an offset of the text."""
        while self._next < len(self._groups) and self._groups[self._next][0].place < offset:
            yield _markup(self._groups[self._next])
            self._next += 1


def _markup(parts: Sequence[Omission]) -> str:
    text = "\n".join(part.text for part in parts)
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    label = parts[0].kind if len(parts) == 1 else counted(len(parts), parts[0].kind)
    return (
        f'<details class="omitted"><summary>{escape(label)}, left out</summary>'
        f"<pre>{escape(shown)}</pre></details>"
    )
