"""Text that remembers which record each of its words says."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from longsum.tables.english import capitalized

Part = Literal["value", "rank"]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text that say a record.

    Attributes:
        start: The first character.
        end: The one after the last.
        record: The index of the record in its table.
        part: Whether they say its value, or its rank.
    """

    start: int
    end: int
    record: int
    part: Part = "value"


@dataclass(frozen=True, slots=True)
class Worded:
    """A piece of text with its spans, in order."""

    text: str
    spans: tuple[Span, ...] = ()

    def capitalized(self) -> "Worded":
        """Return it with a capital letter at its beginning."""
        return Worded(capitalized(self.text), self.spans)


Piece = str | Worded


def said(text: str, *records: int, part: Part = "value") -> Worded:
    """Return a text that says these records as a whole."""
    return Worded(text, tuple(Span(0, len(text), record, part) for record in records))


def joined(*pieces: Piece) -> Worded:
    """Return the pieces after one another."""
    texts: list[str] = []
    spans: list[Span] = []
    length = 0
    for piece in pieces:
        worded = Worded(piece) if isinstance(piece, str) else piece
        texts.append(worded.text)
        spans.extend(
            Span(span.start + length, span.end + length, span.record, span.part)
            for span in worded.spans
        )
        length += len(worded.text)
    return Worded("".join(texts), tuple(spans))


def listed(pieces: Sequence[Piece], last: str = " and ", between: str = ", ") -> Worded:
    """Return the pieces as a list: `A, B and C`."""
    return joined(*_separated(pieces, last, between))


def as_sentence(clauses: Iterable[Piece]) -> Worded:
    """Return clauses as one sentence, with a capital letter and a full stop."""
    each = list(clauses)
    whole = listed(each, "; and ", "; ") if len(each) > 2 else listed(each, ", and ")
    return joined(whole.capitalized(), "" if whole.text.endswith((".", "!", "?")) else ".")


def _separated(pieces: Sequence[Piece], last: str, between: str) -> Iterator[Piece]:
    for place, piece in enumerate(pieces):
        if place:
            yield last if place == len(pieces) - 1 else between
        yield piece
