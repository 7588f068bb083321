"""Numbers as texts write them, in digits or in words."""

import re

from longsum.language.words import terms
from longsum.tables.annotated_text import ORDINALS, ordinal, ordinal_word

_UNITS = terms(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = terms("twenty thirty forty fifty sixty seventy eighty ninety")
_VALUES = {word: value for value, word in enumerate(_UNITS)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, start=2)}
_ONE_AND_TWO = {"a": 1, "an": 1, "pair": 2, "couple": 2, "no": 0}

_BELOW_100 = (
    rf"(?:(?:{'|'.join(_TENS)})(?: - | )(?:{'|'.join(_UNITS[1:10])})"
    rf"|{'|'.join(sorted((*_UNITS, *_TENS), key=len, reverse=True))})"
)
NUMBER = (
    r"(?:\d+(?:,\d{3})*(?:\.\d+)?"
    rf"|(?:an?|{'|'.join(_UNITS[1:10])}) hundred(?:(?: and| -)? {_BELOW_100})?(?![^ ])"
    rf"|{_BELOW_100})"
)
"""The pattern of a number in the text of `PlainWords`; it must stand between spaces."""
ORDINAL = rf"(?:\d+ (?:st|nd|rd|th)|{'|'.join(ORDINALS)})"
"""The pattern of an ordinal."""


def value_of(number: str) -> float:
    """Return the value of what matches `NUMBER`, or of "a", "an", "pair", "couple" and "no".

    Raises:
        ValueError: It is none of these.
    """
    hundreds, hundred, number = number.rpartition(" hundred")
    if hundred:
        rest = number.replace(" and ", " ").removeprefix(" -").strip()
        return 100 * value_of(hundreds) + (value_of(rest) if rest else 0)
    words = number.replace(" - ", " ").split()
    if number in _ONE_AND_TWO:
        return _ONE_AND_TWO[number]
    if words and words[0][0].isdigit():
        return float(number.replace(",", ""))
    if not words or any(word not in _VALUES for word in words):
        raise ValueError(f"{number!r} is not a number")
    return sum(_VALUES[word] for word in words)


def rank_of(said: str) -> int:
    """Return the rank that what matches `ORDINAL` states."""
    if said in ORDINALS:
        return ORDINALS.index(said) + 1
    return int(re.split(r"\D", said)[0])


def written_like(value: float, like: str) -> str:
    """Return a number written like another one: a small number in words if that one is."""
    if value != int(value):
        return f"{value:g}"
    if like[:1].isdigit() or value >= len(_UNITS) or value < 0:
        return str(int(value))
    word = _UNITS[int(value)]
    return word.capitalize() if like[:1].isupper() else word


def ordinal_like(rank: int, like: str) -> str:
    """Return an ordinal written like another one."""
    return ordinal(rank) if like[:1].isdigit() else ordinal_word(rank)
