"""Numbers and days as people write them in cells, converted to a uniform notation."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from longsum.tables.inputs.headings import month_number

_NUMBER = re.compile(
    r"(?P<open>\()?(?P<sign>[-−–+])?\s?(?P<before>[$€£¥₹]|EUR|USD|GBP|CHF)?\s?(?P<opened>\()?"
    r"(?P<inner>[-−])?"
    r"(?P<digits>(?:[0-9]{1,3}(?:(?P<mark>[.,'’ \u00a0\u202f])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,9})?"
    r"|[0-9]{1,40})(?:(?!(?P=mark))[.,][0-9]{1,40})?|[.,][0-9]{1,40})(?P<power>[eE][-+][0-9][0-9])?\s?"
    r"(?P<after>[$€£¥₹%‰]|EUR|USD|GBP|CHF)?(?P<close>\))?\s?(?P<behind>[$€£¥₹]|EUR|USD|GBP|CHF)?"
)
SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}
"""Currencies that have a sign."""
ISO_DAY = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_DAY = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)")
_SPOKEN = re.compile(
    r"(?:(?P<day>\d{1,2})[ .-]{1,2}(?P<month>[A-Z][a-z]{2,8})"
    r"|(?P<first>[A-Z][a-z]{2,8})[ .-]{1,2}(?P<second>\d{1,2}))\.?,?[ -]{1,2}(?P<year>\d{4})"
)
_CLOCK = re.compile(r"(?<=\d)[T ]\d\d?:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z| ?[AP]M|[+-]\d\d:?\d\d)?$")
_CENTURY = 70
"""Two-digit years from this one on are of the last century."""
_THOUSANDS = 3
_MONTHS = 12


def numbers_of(values: Sequence[str], *, comma: bool) -> list[tuple[str, str]] | None:
    """Return values as numbers with their units; None if one of them is not a number.

    A comma or a point not followed by exactly three digits is decimal; if a value has both, the
    last one is; the whole column is read in the same way.
    """
    found = [_written_number(value) for value in values]
    if any(value and match is None for match, value in zip(found, values, strict=True)):
        return None
    digits = [match["digits"] for match in found if match]
    marks = {mark for mark in map(_decimal_mark, digits) if mark}
    if len(marks) > 1:
        return None
    decimal = next(iter(marks), "," if comma else ".")
    numbers = [_number(match, decimal) if match else ("", "") for match in found]
    units = {unit for _, unit in numbers if unit}
    if len(units) == 1 and "%" not in units:
        (only,) = units
        return [(value, only if value else "") for value, _ in numbers]
    return numbers


def decimal_comma(values: Iterable[str], *, otherwise: bool) -> bool:
    """Return whether a comma is decimal in a file: it is in some numbers, and a point in none.

    Args:
        values: All cells of the file.
        otherwise: What holds if the cells do not settle it.
    """
    found = filter(None, map(_written_number, values))
    marks = {mark for match in found if (mark := _decimal_mark(match["digits"]))}
    return marks == {","} if len(marks) == 1 else otherwise


def is_number(value: str) -> bool:
    """Return whether a value is a number by itself."""
    return _written_number(value) is not None


def _written_number(value: str) -> re.Match[str] | None:
    match = _NUMBER.fullmatch(value)
    if match and sum(map(bool, match.group("open", "opened"))) != bool(match["close"]):
        return None
    return match


def _decimal_mark(digits: str) -> str | None:
    """Return which of comma and point is certainly decimal in a number; None if neither."""
    point, comma = digits.rfind("."), digits.rfind(",")
    if point >= 0 and comma >= 0:
        return "." if point > comma else ","
    mark, last = (".", point) if point >= 0 else (",", comma)
    if last < 0:
        return None
    if digits.count(mark) > 1:
        return "," if mark == "." else "."
    surely = len(digits) - last - 1 != _THOUSANDS or digits[:last] in ("", "0") or last > _THOUSANDS
    return mark if surely else None


def _number(match: re.Match[str], decimal: str) -> tuple[str, str]:
    whole, _, part = match["digits"].partition(decimal)
    number = ("".join(filter(str.isdigit, whole)) or "0") + (f".{part}" if part else "")
    if match["power"]:
        number = format(Decimal(number + match["power"]), "f")
    negative = match["close"] or match["inner"] or match["sign"] in ("-", "−", "–")
    unit = match["before"] or match["after"] or match["behind"] or ""
    return ("-" if negative else "") + number, SIGNS.get(unit, unit)


def days_of(values: Sequence[str]) -> tuple[list[str], bool] | None:
    """Return values as `YYYY-MM-DD`, and whether putting the month first was only assumed.

    With points the day comes first; with slashes the month does, unless it is over twelve. Months
    may be English words, and a time of day after the date is left out.
    """
    values = [_CLOCK.sub("", value) for value in values]
    found = [
        ISO_DAY.fullmatch(value) or _DAY.fullmatch(value) or _SPOKEN.fullmatch(value)
        if value
        else None
        for value in values
    ]
    if any(value and match is None for match, value in zip(found, values, strict=True)):
        return None
    written = [match for match in found if match and match.re is _DAY]
    slashes = bool(written) and all(match[2] == "/" for match in written)
    first_over = any(int(match[1]) > _MONTHS for match in written)
    second_over = any(int(match[3]) > _MONTHS for match in written)
    # `01/01/1957`, `01/02/1957`, …: of dates on one day of the month, what changes is the month.
    monthly = len({match[1] for match in written}) == 1 < len({match[3] for match in written}) - 1
    month_first = not first_over and (second_over or (slashes and not monthly))
    days = []
    for match in found:
        if match is None:
            days.append("")
            continue
        if match.re is _SPOKEN:
            year, day = match["year"], match["day"] or match["second"]
            named = month_number(match["month"] or match["first"])
            month = "" if named is None else str(named + 1)
        elif match.re is ISO_DAY:
            year, month, day = match[1], match[2], match[3]
        else:
            month, day = (match[1], match[3]) if month_first else (match[3], match[1])
            year = match[4]
            if len(year) == len("99"):
                year = f"{'19' if int(year) >= _CENTURY else '20'}{year}"
        try:
            days.append(date(int(year), int(month), int(day)).isoformat())
        except ValueError:
            return None
    return days, month_first and not second_over
