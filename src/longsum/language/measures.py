"""The units of quantities and the currencies of sums in English text, in one spelling each."""

import re

_SYMBOLS = {
    "%": "percent",
    "percentage": "percent",
    "per": "percent",
    "$": "dollar",
    "us$": "dollar",
    "usd": "dollar",
    "€": "euro",
    "eur": "euro",
    "£": "pound",
    "gbp": "pound",
    "sterling": "pound",
    "¥": "yen",
    "jpy": "yen",
    "₹": "rupee",
    "inr": "rupee",
    "feet": "foot",
    "ft": "foot",
    "inches": "inch",
    "centuries": "century",
    "s": "second",
    "sec": "second",
    "min": "minute",
    "h": "hour",
    "hr": "hour",
    "hrs": "hour",
    "lb": "pound",
    "lbs": "pound",
    "oz": "ounce",
    "km": "kilometer",
    "cm": "centimeter",
    "mm": "millimeter",
    "m": "meter",
    "kg": "kilogram",
    "mg": "milligram",
    "g": "gram",
    "l": "liter",
    "ml": "milliliter",
    "kw": "kilowatt",
    "mw": "megawatt",
    "gw": "gigawatt",
    "ha": "hectare",
    "°c": "celsius",
    "celsius": "celsius",  # no plural
    "°f": "fahrenheit",
}
_FIGURES = re.compile(
    r"[\d.,]+(?:[\s\-]?(?:hundred|thousand|million|billion|trillion)(?!\w)|(?:bn|k)(?!\w))?",
    re.IGNORECASE,
)
_SHORT_SCALE = re.compile(r"(?<=[\d.])\s?[mMbB](?!\w)")


def unit(text: str) -> str:
    """Return the unit of a quantity or the currency of a sum, such as `meter` of "5 metres".

    Args:
        text: A quantity or a sum as `entities` finds it.

    Returns:
        The unit in the singular, in the American spelling; empty if there is none. Several words
        are told by the first, so that "5 percentage points" are `percent`.
    """
    # A sum whose currency comes first may end with a scale of one letter: $5m.
    bare = text if text[:1].isdigit() else _SHORT_SCALE.sub("", text)
    words = _FIGURES.sub(" ", bare).replace("-", " ").casefold().split()
    if not words:
        return ""
    first = words[1] if words[0] in ("us", "u.s.") and len(words) > 1 else words[0]
    if first in ("degrees", "degree", "°") and len(words) > 1:
        first = {"c": "celsius", "f": "fahrenheit"}.get(words[1], words[1])
    return _SYMBOLS.get(first) or _singular(first)


def _singular(word: str) -> str:
    word = word.removesuffix("s") if len(word) > 2 else word
    for british, american in (("metre", "meter"), ("litre", "liter"), ("tonne", "ton")):
        word = word.replace(british, american)
    return word
