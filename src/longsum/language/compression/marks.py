"""Numbers and signs of footnotes, glued to what they belong to."""

import re
from collections.abc import Iterator

from longsum.language.compression.deletion import Deletion

_ABBREVIATION = (
    r"no|nos|vol|vols|fig|figs|sec|secs|art|ver|eq|eqs|approx|chap|ref|refs|tab|dept|part|par|para"
    r"|pos|num|app|sect|cat|pub|ser|doc|est|www|com|org|net|html|ca"
)
_NUMBER = re.compile(
    rf"(?<![\w./:@])(?!(?:{_ABBREVIATION})[.,])[A-Za-z][\w’'\-]{{0,60}}[a-z]{{2}}[)”’\"]?[.,][)”’\"]?"
    r"(\d{1,3})(?=\s|\Z)",
    re.IGNORECASE,
)
_SUPERSCRIPT = re.compile(r"(?:(?<=[.,;:)”’!?])|(?<=[a-z]{4}))[¹²³⁰⁴-⁹]+(?=[\s.,;:)”]|\Z)")
_SIGN = re.compile(r"(?<=[a-z.,)”])[†‡§]+(?=\s|\Z)")


def footnote_marks(text: str) -> Iterator[Deletion]:
    """Yield the numbers of notes: "the system.15 The", "cases,3 of", "found.¹", "value†"."""
    for found in _NUMBER.finditer(text):
        yield Deletion(*found.span(1), "footnote_mark")
    for pattern in (_SUPERSCRIPT, _SIGN):
        for found in pattern.finditer(text):
            yield Deletion(*found.span(), "footnote_mark")
