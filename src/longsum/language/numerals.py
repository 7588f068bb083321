"""Rule-based dates, amounts of money, quantities and numbers in English text."""

import re
from collections.abc import Iterator
from typing import Literal

NumeralKind = Literal["date", "money", "quantity", "number"]
Numeral = tuple[NumeralKind, int, int]

_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?"
    r"|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:1[5-9]|20)\d\d"
# Every part has bounded length, so each attempt costs bounded time.
_DATE = re.compile(
    rf"(?<![\w.])(?:"
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)"
    rf"|{_DAY}(?:\s|\sof\s){_MONTH}(?:,?\s{_YEAR})?"
    rf"|{_MONTH}\s(?:{_DAY}(?:,?\s{_YEAR})?|{_YEAR})"
    rf"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
    rf"|January|February|April|July|September|October|November|December"
    rf"|(?:18|19|20)\d0s"
    rf")(?!\w|[.,/\-]\d)"
)

# A number is matched whole before its context, so that a failed match does not restart inside a
# long run of digits.
_NUMBER = re.compile(r"(?<![\w.])(?<![^\W\d_]-)\.?\d++(?>(?:[.,]\d+)*)")
_LONE_YEAR = re.compile(r"(?:18|19|20)\d\d")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)")
_CODE = r"(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|CNY|INR)"
_CURRENCY_BEFORE = re.compile(rf"(?:(?<!\w)(?:US|AU|CA|NZ|HK|[AC])?\$|[€£¥₹]|(?<!\w){_CODE})\s?\Z")
_LONGEST_CURRENCY = 4
_SCALE = re.compile(r"[\s\-](?:hundred|thousand|million|billion|trillion)(?!\w)")
_SHORT_SCALE = re.compile(r"\s?(?:bn|[mMbBkK])(?!\w)")
_CURRENCY_AFTER = re.compile(
    r"\s?[€£¥₹](?!\d)|[\s\-](?:U\.?S\.?\s)?"
    rf"(?:dollars?|euros?|pounds?\ssterling|cents?|yen|yuan|rupees?|francs?|{_CODE})(?!\w)"
)
_UNIT = re.compile(
    r"\s?[%‰°Ω](?:\s?[CF](?!\w))?"
    r"|[\s\-](?:percent(?:age\spoints?)?|per\scent|degrees?(?:\s(?:Celsius|Fahrenheit))?"
    r"|(?:nano|micro|milli|centi|kilo|mega|giga)?(?:met(?:re|er)s?|grams?|lit(?:re|er)s?|watts?"
    r"|volts?|hertz|bytes?|joules?|seconds?)|tons?|tonnes?|miles?|feet|foot|inch(?:es)?|yards?"
    r"|acres?|hectares?|pounds?|ounces?|gallons?|barrels?|calories|minutes?|hours?|days?|weeks?"
    r"|months?|years?|decades?|centur(?:y|ies)|times|fold)(?!\w)"
    r"|[\s\-]?(?:[kcmnµμ]?m|[kmnµμ]?g|[mµμ]?[lL]|[mnµμ]?s|[kMGT]?(?:W|Hz|V|J|Pa)|[kMGT]B|[kMGT]?Wh"
    r"|[mnµμ]?M|mol|ha|km/h|mph|ft|lbs?|oz|min|hrs?|h|kcal|[kMG]?bps|ppm|ppb|dB)"
    r"[²³]?(?:/[a-zA-Z]{1,3})?(?!\w)"
)


def numerals(text: str) -> list[Numeral]:
    """Return `(kind, start, end)` of everything written in digits, and of names of days and months.

    In order, without overlap, in linear time. A date is a calendar date, a month with a day or
    year, the name of a month or weekday (not March, May, June and August alone, which are also
    other words), a decade, or a lone number from 1800 to 2099. Money has a currency; a quantity has
    a unit or is a percentage. Digits inside a word (CO2) are not a number.
    """
    found: list[Numeral] = []
    reached = 0
    for match in _DATE.finditer(text):
        found.extend(_numbers(text, reached, match.start()))
        found.append(("date", *match.span()))
        reached = match.end()
    found.extend(_numbers(text, reached, len(text)))
    return found


def _numbers(text: str, first: int, last: int) -> Iterator[Numeral]:
    reached = first
    for match in _NUMBER.finditer(text, first, last):
        numeral = _classify(text, *match.span(), reached)
        if numeral and numeral[2] <= last:
            yield numeral
            reached = numeral[2]


def _classify(text: str, start: int, end: int, reached: int) -> Numeral | None:
    if before := _CURRENCY_BEFORE.search(text, max(reached, start - _LONGEST_CURRENCY), start):
        scale = _SCALE.match(text, end) or _SHORT_SCALE.match(text, end)
        return "money", before.start(), scale.end() if scale else end
    scale = _SCALE.match(text, end)
    amount = scale.end() if scale else end
    if after := _CURRENCY_AFTER.match(text, amount):
        return "money", start, after.end()
    if unit := _UNIT.match(text, amount):
        return "quantity", start, unit.end()
    if ordinal := _ORDINAL.match(text, amount):
        return "number", start, ordinal.end()
    if amount < len(text) and (text[amount].isalnum() or text[amount] == "_"):
        return None
    lone_year = _LONE_YEAR.fullmatch(text, start, amount)
    return ("date" if lone_year else "number"), start, amount
