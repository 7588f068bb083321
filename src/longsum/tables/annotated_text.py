"""English of reports, and text that knows which cells it states."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from typing import Literal

_BELOW_TEN = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
# Not those of the machine's locale.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `11th` and so on."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def ordinal_word(number: int) -> str:
    """Return `first` to `tenth`, and `11th` onwards."""
    return ORDINALS[number - 1] if 1 <= number <= len(ORDINALS) else ordinal(number)


def count_word(number: float) -> str:
    """Return how many there are of something: `no`, `one` to `nine`, `10` onwards."""
    if isinstance(number, int) and 0 <= number < len(_BELOW_TEN):
        return _BELOW_TEN[number]
    return f"{number:,}"


def possessive(name: str) -> str:
    """Return `Boston's`, `the Celtics'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def written_date(day: date) -> str:
    """Return `Friday, February 3, 2017`."""
    return f"{_WEEKDAYS[day.weekday()]}, {written_day(day)}"


def written_day(day: date) -> str:
    """Return `February 3, 2017`."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case and all others as they are."""
    return text[:1].upper() + text[1:]


Part = Literal["value", "rank", "total"]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text that state a record.

    Attributes:
        start: The first character.
        end: The one after the last.
        record: The index of the record in its table.
        part: Whether they state its value, its rank, or a sum of which it is a part.
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
        """Return the piece with its first letter in upper case."""
        return Worded(capitalized(self.text), self.spans)


Piece = str | Worded


def said(text: str, *records: int, part: Part = "value") -> Worded:
    """Return a text that states these records as a whole."""
    return Worded(text, tuple(Span(0, len(text), record, part) for record in records))


def joined(*pieces: Piece) -> Worded:
    """Return the pieces concatenated."""
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
    marks = [between] * (len(pieces) - 2) + [last] * (len(pieces) > 1)
    return joined(*(part for pair in zip_longest(pieces, marks, fillvalue="") for part in pair))


def as_sentence(clauses: Iterable[Piece]) -> Worded:
    """Return clauses as one sentence, with a capital letter and a full stop."""
    each = list(clauses)
    whole = listed(each, "; and ", "; ") if len(each) > 2 else listed(each, ", and ")
    return joined(whole.capitalized(), "" if whole.text.endswith((".", "!", "?")) else ".")
