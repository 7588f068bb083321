"""Deletions, and what they must not break."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

DeletionKind = Literal[
    "citation",
    "footnote_mark",
    "figure_reference",
    "noise",
    "connective",
    "frame",
]
"""What is deleted: a citation; the number or sign of a footnote; a reference to a figure, table or
section; noise marked in a transcript, and repeated words; a connective that opens a sentence; or a
phrase that only introduces the statement."""

KINDS: tuple[DeletionKind, ...] = get_args(DeletionKind)


@dataclass(frozen=True, slots=True)
class Deletion:
    """A span that is left out of a text.

    Attributes:
        start: Offset of its first code point.
        end: Offset after its last.
        kind: What it is.
    """

    start: int
    end: int
    kind: DeletionKind

    def shifted(self, distance: int) -> "Deletion":
        """Return the same span in a text that begins `distance` code points earlier."""
        return Deletion(self.start + distance, self.end + distance, self.kind)


@dataclass(frozen=True, slots=True)
class Shortened:
    """A sentence without some of its spans.

    Attributes:
        text: The sentence without the spans, beginning with a capital.
        deletions: The spans, with offsets into the sentence, in order and not adjacent.
    """

    text: str
    deletions: tuple[Deletion, ...] = ()


# An unclosed quotation extends to the end of the text.
_QUOTED = re.compile(
    r"“[^”]*(?:”|\Z)|‘[^’]*(?:’|\Z)|\"[^\"]*\"|«[^»]*(?:»|\Z)|`+[^`]*`+|(?<!\w)'[^']*'(?!\w)"
)


def quoted(text: str) -> list[bool]:
    """Return for each code point whether it is in quotation marks or in code."""
    marked = [False] * len(text)
    for found in _QUOTED.finditer(text):
        marked[found.start() : found.end()] = [True] * len(found[0])
    return marked


def is_balanced(text: str) -> bool:
    """Whether brackets nest and quotation marks come in pairs."""
    open_: list[str] = []
    for character in text:
        if character in "([{":
            open_.append(character)
        elif character in ")]}" and (
            not open_ or open_.pop() + character not in ("()", "[]", "{}")
        ):
            return False
    paired = text.count('"') % 2 == 0 and text.count("`") % 2 == 0
    return not open_ and paired and text.count("“") == text.count("”")
