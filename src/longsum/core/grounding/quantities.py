"""The values of numbers in English text, and their units in a uniform spelling."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import product

from longsum.language.words import terms

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SCALE = re.compile(
    r"(?:[\s\-]?(hundred|thousand|million|billion|trillion)|(bn|m|k))(?!\w)", re.IGNORECASE
)
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "k": 10**3,
    "million": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
}
_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WRITTEN = {
    "zero": 0,
    **{word: value for value, word in enumerate(_UNITS, start=1)},
    **{word: value for value, word in enumerate(_TEENS, start=10)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    **{
        f"{ten}-{unit}": 10 * tens + units
        for (tens, ten), (units, unit) in product(
            enumerate(_TENS, start=2), enumerate(_UNITS, start=1)
        )
    },
}
_MONTH_NAMES = """
january february march april may june july august september october november december
"""
_MONTHS = _MONTH_NAMES.split()
_MIN_MONTH_LENGTH = 3
_SPELLINGS = """
percent: % percentage per, dollar: $ us$ usd, euro: € eur, pound: £ gbp sterling lb lbs,
yen: ¥ jpy, rupee: ₹ inr, foot: feet ft, inch: inches, century: centuries, second: s sec,
minute: min, hour: h hr hrs, ounce: oz, kilometer: km, centimeter: cm, millimeter: mm, meter: m,
kilogram: kg, milligram: mg, gram: g, liter: l, milliliter: ml, kilowatt: kw, megawatt: mw,
gigawatt: gw, hectare: ha, celsius: °c celsius, fahrenheit: °f
"""
_UNIT_OF = {
    spelling: name
    for name, _, spellings in (entry.strip().partition(":") for entry in _SPELLINGS.split(","))
    for spelling in spellings.split()
}
"""The name of a unit by its symbols and odd plurals."""
_FIGURES = re.compile(
    r"[\d.,]+(?:[\s\-]?(?:hundred|thousand|million|billion|trillion)(?!\w)|(?:bn|k)(?!\w))?",
    re.IGNORECASE,
)
_SHORT_SCALE = re.compile(r"(?<=[\d.])\s?[mMbB](?!\w)")


@lru_cache(maxsize=16_384)  # Each claim is compared with every figure of the document.
def figures(text: str) -> tuple[Decimal, ...]:
    """Return the value of each number written in digits, multiplied by its scale word."""
    found: list[Decimal] = []
    for match in _FIGURE.finditer(text):
        figure = match.group()
        if _THOUSANDS.fullmatch(figure):
            figure = figure.replace(",", "")
        # Anything but a number with at most one point (a version, 1,5) is read in parts.
        parts = (
            [figure] if figure.count(".") < 2 and "," not in figure else re.split("[.,]", figure)
        )
        scale = _SCALE.match(text, match.end())
        factor = _SCALES[(scale[1] or scale[2]).lower()] if scale else 1
        found += (Decimal(part) * factor for part in parts)
    return tuple(found)


def written_numbers(text: str) -> Iterator[Decimal]:
    """Yield the value of each number written in words: "eighty thousand", "one-fifth".

    Fractions are in percent (`half` is 50), those of a century or decade in years; a fraction of a
    scale also gives its value ("half a billion"). A number of several words also gives the value of
    each of its parts, since they do not always form one number.
    """
    value, before = Decimal(0), ""
    for term in terms(text):
        written = _written(term)
        if term in _PARTS:
            yield Decimal(_PARTS[term])
            if value and term.startswith(_LONG):
                yield value * _PARTS[term]
            value = Decimal(_PARTS[term]) / 100
        elif written is not None:
            yield Decimal(written)
            if value >= _HUNDRED > written:
                yield value + written
            value += written
        elif term in _SCALES and (value or (term == "hundred" and not before[-1:].isdigit())):
            value = (value or Decimal(1)) * _SCALES[term]
            yield value
        elif term == "a" and not value:
            value = Decimal(1)
        elif term not in ("and", "a", "of"):
            value = Decimal(0)
        before = term


_HUNDRED = 100
_LONG = ("decade", "centur", "dozen")


def _written(term: str) -> int | None:
    """Return the value of a number word, including ordinals."""
    if term in _WRITTEN or term in _ORDINALS:
        return _WRITTEN.get(term, _ORDINALS.get(term))
    tens, _, units = term.partition("-")
    return _WRITTEN[tens] + _ORDINALS[units] if tens in _TENS and units in _ORDINALS else None


_ORDINALS = {
    **{f"{word}th": value for word, value in _WRITTEN.items()},
    **{f"{word[:-1]}ieth": _WRITTEN[word] for word in _TENS},
    **{"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12},
    **{"hundredth": 100},
}
_PARTS = {
    **{"half": 50, "one-half": 50, "third": 33, "one-third": 33, "two-thirds": 67, "quarter": 25},
    **{"one-quarter": 25, "one-fourth": 25, "three-quarters": 75, "fifth": 20, "one-fifth": 20},
    **{"two-fifths": 40, "three-fifths": 60, "four-fifths": 80, "one-tenth": 10, "tenth": 10},
    **{"century": 100, "centuries": 100, "decade": 10, "decades": 10, "dozen": 12, "fortnight": 2},
}


_ABBREVIATED = {
    name[:length]: number
    for number, name in enumerate(_MONTHS)
    for length in range(_MIN_MONTH_LENGTH, len(name) + 1)
}


def month(word: str) -> int | None:
    """Return the number of a month, from 0; an abbreviation has at least three letters."""
    return _ABBREVIATED.get(word)


def unit(text: str) -> str:
    """Return the unit of a quantity or the currency of a sum: `meter` for "5 metres".

    Args:
        text: A quantity or a sum as `entities` finds it.

    Returns:
        The unit in the singular, in American spelling; empty if there is none. The first of several
        words counts, so "5 percentage points" gives `percent`.
    """
    # A sum whose currency comes first may end with a scale of one letter: $5m.
    bare = text if text[:1].isdigit() else _SHORT_SCALE.sub("", text)
    words = _FIGURES.sub(" ", bare).replace("-", " ").partition("/")[0].casefold().split()
    if not words:
        return ""
    first = words[1] if words[0] in ("us", "u.s.") and len(words) > 1 else words[0]
    if first in ("degrees", "degree", "°") and len(words) > 1:
        first = {"c": "celsius", "f": "fahrenheit"}.get(words[1], words[1])
    return _UNIT_OF.get(first) or _singular(first)


def _singular(word: str) -> str:
    word = word.removesuffix("s") if len(word) > 2 else word
    for british, american in (("metre", "meter"), ("litre", "liter"), ("tonne", "ton")):
        word = word.replace(british, american)
    return word


_NEAR, _NEAR_BY_STEP = Decimal("0.02"), Decimal("0.06")
"""A figure is a rounded form of another if it has fewer digits and differs by at most this share;
the second share applies if no figure with as few digits is nearer: 10 for 9.5, 4.9 for 4.93, but
not 30 for 34. Set by hand."""


def rounds_to(exact: Decimal, rounded: Decimal) -> bool:
    """Return whether a figure is a rounded form of another: fewer digits, and close to it."""
    gap = abs(exact - rounded)
    if not exact or not rounded or gap > _NEAR_BY_STEP * exact:
        return False
    fewer = _digits(rounded) < _digits(exact)
    step = Decimal(1).scaleb(rounded.normalize().as_tuple().exponent)  # type: ignore[arg-type]
    return fewer and gap <= max(min(step / 2, _NEAR_BY_STEP * exact), _NEAR * exact)


def _digits(value: Decimal) -> int:
    return len(value.normalize().as_tuple().digits)


_DURATION = re.compile(
    r"(?:((?<![\d,])\d[\d,]*+(?:\.\d++)?|(?<![a-z])[a-z]++(?:-[a-z]++)?)[\s\-]++"
    r"(?:or so |full |long )?)?"
    r"(second|minute|hour|day|week|fortnight|month|year|decade|centur)(?:y|ie)?s?(?!\w)"
    r"( and a half)?"
)
_SECONDS = {
    **{"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "fortnight": 1209600},
    **{"month": 2629800, "year": 31557600, "decade": 315576000, "centur": 3155760000},
}


def durations(text: str) -> Iterator[Decimal]:
    """Yield the durations in a text, in seconds: "three decades", "the last century"."""
    for match in _DURATION.finditer(text.lower()):
        number = match[1] or ""
        count = next(iter(figures(number)) if number[:1].isdigit() else written_numbers(number), 1)
        yield (Decimal(count) + (Decimal("0.5") if match[3] else 0)) * _SECONDS[match[2]]
