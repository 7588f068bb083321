"""Values of a table as sentences show them, with their units."""

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from longsum.tables.annotated_text import Worded, joined, said, written_day
from longsum.tables.table import CURRENCIES, Table

_GROUPED = 1_000
_MOST_DECIMALS = 4
_DIGITS = re.compile(r"-?\d{1,40}", re.ASCII)


def amount(table: Table, index: int) -> Worded:
    """Return a value with its unit: `142,984 km`, `45%`, `$3`; dates in words.

    Large numbers that have a unit or are ranked are grouped; others may be years or codes. Numbers
    with more than four decimals are rounded to two decimals or three significant digits.
    """
    record = table.records[index]
    unit = record.type.unit
    if record.type.kind == "date":
        return said(written_day(date.fromisoformat(record.value)), index)
    number = record.number
    written = _rounded(record.value)
    whole, point, part = written.partition(".")
    quantity = unit or record.type.ranked or record.type.measure
    large = number is not None and abs(number) >= _GROUPED and _DIGITS.fullmatch(whole)
    grouped = quantity and large
    value = said(f"{int(whole):,}{point}{part}" if grouped else written, index)
    if not unit or unit in record.value:
        return value
    if unit in CURRENCIES:
        minus = value.text[:1] in ("-", "−")
        shown = value.text[1:] if minus else value.text
        return said(f"-{unit}{shown}", index) if minus else joined(unit, value)
    return joined(value, unit if unit[0] in "%‰°′″" and len(unit) == 1 else f" {unit}")


def _rounded(value: str) -> str:
    """Return a number of many decimals as people write it: `16.41` for `16.4079397672827`."""
    whole, _, part = value.partition(".")
    if len(part) <= _MOST_DECIMALS or not _DIGITS.fullmatch(whole or "0") or not part.isdigit():
        return value
    if set(part) == {"0"}:
        return str(int(whole or 0))
    number = Decimal(value)
    places = 2 if abs(number) >= 1 else min(len(part), 2 - number.adjusted())
    return format(number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP), "f")
