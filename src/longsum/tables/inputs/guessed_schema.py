"""The schema of a delimited file that came without one, and its cells in one way of writing."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import yaml

from longsum.documents.builder import clean
from longsum.tables.inputs.table_schema import ABSENT, LONGEST_VALUE, ColumnSchema, TableSchema

_NUMBER = re.compile(
    r"(?P<open>\()?(?P<sign>[-−–+])?\s?(?P<before>[$€£¥₹]|EUR|USD|GBP|CHF)?\s?(?P<inner>[-−])?"
    r"(?P<digits>(?:[0-9]{1,3}(?:(?P<mark>[.,'’ \u00a0\u202f])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,9})?"
    r"|[0-9]{1,40})(?:(?!(?P=mark))[.,][0-9]{1,40})?|[.,][0-9]{1,40})(?P<power>[eE][-+][0-9][0-9])?\s?"
    r"(?P<after>[$€£¥₹%‰]|EUR|USD|GBP|CHF)?(?P<close>\))?\s?(?P<behind>[$€£¥₹]|EUR|USD|GBP|CHF)?"
)
_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}
_HEADED = re.compile(r"(?P<phrase>[^()\[\]]{1,150}?) ?[(\[](?P<unit>[^()\[\]\d]{1,12})[)\]]")
_UNIT = re.compile(
    r"EUR|USD|GBP|CHF|[kM]?[€$£]|[¥₹%‰]|[mk]?g|[ckm]?m[²³]?|m?l|m?s|h|min|hours|days|years|°?[CF]|K"
    r"|[hk]?Pa|mmHg|bpm|[kM]?Wh?|m?[VA]|Hz|ppm|dB|\S{1,8}/\S{1,8}"
)
_CODE = re.compile(
    r"(?:.*[ _])?(?:id|code|no|nr|number|zip|plz|phone|year|jahr|lat|lon)\.?|#"
    r"|(?:lowest|highest|min|max|best|worst)\b.*",
    re.I,
)
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_DAY = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_THOUSANDS = 3
_LONGEST_NAME = 150
"""Characters of a column's name; what is longer is a text, and says nothing of the column."""
_MONTHS = 12


def guess_schema(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, comma: bool
) -> tuple[list[str], list[list[str]], TableSchema, list[str]]:
    """Return the columns and cells of a file as a schema can mean them, that schema, and notes.

    Numbers are written anew as `-1234.5`, dates as `YYYY-MM-DD`; a column of several units becomes
    one column for each. The first column whose values are texts and all different names the rows,
    else the first most of whose are; where there is none, the rows are numbered.

    Args:
        header: The names of the columns; empty, long and repeated ones get other names.
        rows: The cells, as many in each as there are columns.
        comma: Whether `1,234` has a decimal comma where nothing else tells.
    """
    names = _named(header)
    notes: list[str] = []
    cells: dict[str, list[str]] = {}
    columns: dict[str, ColumnSchema] = {}
    for place, name in enumerate(names):
        values = [clean(row[place]) for row in rows]
        values = ["" if value.casefold() in ABSENT else value for value in values]
        if not any(values):
            notes.append(f"column '{name}' has no values and is left out")
            continue
        if max(map(len, values)) > LONGEST_VALUE:
            notes.append(
                f"column '{name}' has texts of more than {LONGEST_VALUE} characters and is left out"
            )
            continue
        if days := days_of(values):
            cells[name], month_first = days
            columns[name] = ColumnSchema(kind="date")
            if month_first:
                notes.append(f"the dates of '{name}' are read with the month first")
        elif numbers := numbers_of(values, comma=comma):
            for unit in dict.fromkeys(unit for value, unit in numbers if value):
                own = name if len({u for v, u in numbers if v}) == 1 else f"{name} in {unit or '1'}"
                cells[own] = [value if unit == other else "" for value, other in numbers]
                columns[own] = _column(own, unit)
        else:
            cells[name], columns[name] = values, ColumnSchema(kind="text")
    texts = [name for name, column in columns.items() if column.kind == "text"]
    whole = [name for name in texts if all(cells[name])]
    distinct = {name: len(set(cells[name])) for name in whole}
    unique = [name for name in whole if distinct[name] == len(rows)]
    mostly = [name for name in whole if distinct[name] * 2 > len(rows)]
    entity = next(iter(unique or mostly), "row")
    if entity == "row":
        while entity in cells:
            entity += " "
        cells[entity] = [f"row {number}" for number in range(1, len(rows) + 1)]
    counts = Counter(cells[entity])
    if max(counts.values(), default=1) > 1:
        cells[entity] = [
            f"{value} (row {number})" if counts[value] > 1 else value
            for number, value in enumerate(cells[entity], start=1)
        ]
        notes.append(f"names of '{entity}' come again; these have the numbers of their rows")
    columns.pop(entity, None)
    order = list(cells)
    schema = TableSchema(entity=entity, columns=columns, kind="row")
    return order, [list(row) for row in zip(*cells.values(), strict=True)], schema, notes


def schema_to_yaml(schema: TableSchema) -> str:
    """Return a guessed schema as one line of YAML that `parse_schema` reads."""
    columns = {
        name: {
            key: value
            for key, value in (
                ("phrase", column.phrase),
                ("unit", column.unit or None),
                ("kind", None if column.kind == "number" else column.kind),
                ("ranked", column.ranked),
            )
            if value is not None
        }
        for name, column in schema.columns.items()
    }
    values = {"entity": schema.entity, "kind": schema.kind, "columns": columns}
    return yaml.safe_dump(
        values, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10**6
    )


def _named(header: Sequence[str]) -> list[str]:
    """Return a name of its own for each column."""
    found: set[str] = set()
    names: list[str] = []
    again = Counter[str]()
    for place, column in enumerate(header, start=1):
        name = own = clean(column)[: _LONGEST_NAME + 1]
        if not 0 < len(name) <= _LONGEST_NAME:
            name = own = f"column {place}"
        while own in found:
            again[name] += 1
            own = f"{name} ({again[name] + 1})"
        found.add(own)
        names.append(own)
    return names


def _column(name: str, unit: str) -> ColumnSchema:
    """Return what a column of numbers means, its unit from its cells or its name."""
    ranked = False if _CODE.fullmatch(name) else None
    headed = _HEADED.fullmatch(name)
    if headed and not unit and (_UNIT.fullmatch(headed["unit"])):
        unit = _SIGNS.get(headed["unit"], headed["unit"])
        return ColumnSchema(phrase=headed["phrase"].replace("_", " "), unit=unit, ranked=ranked)
    return ColumnSchema(unit=unit, ranked=ranked)


def numbers_of(values: Sequence[str], *, comma: bool) -> list[tuple[str, str]] | None:
    """Return values as numbers with their units; None if one of them is no number.

    A comma or a point behind which not three digits stand is decimal; where a value has both, the
    last; the whole column is read in one way.
    """
    found = [_NUMBER.fullmatch(value) if value else None for value in values]
    if any(
        value and (match is None or bool(match["open"]) != bool(match["close"]))
        for match, value in zip(found, values, strict=True)
    ):
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


def _decimal_mark(digits: str) -> str | None:
    """Return which of comma and point is surely decimal in a number; None if that is open."""
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
    negative = match["open"] or match["inner"] or match["sign"] in ("-", "−", "–")
    unit = match["before"] or match["after"] or match["behind"] or ""
    return ("-" if negative else "") + number, _SIGNS.get(unit, unit)


def days_of(values: Sequence[str]) -> tuple[list[str], bool] | None:
    """Return values as `YYYY-MM-DD` and whether that took the month as first without a sign of it.

    With points the day stands first; with slashes the month does, unless it is over twelve.
    """
    found = [_ISO.fullmatch(value) or _DAY.fullmatch(value) if value else None for value in values]
    if any(value and match is None for match, value in zip(found, values, strict=True)):
        return None
    written = [match for match in found if match and match.re is _DAY]
    slashes = bool(written) and all(match[2] == "/" for match in written)
    first_over = any(int(match[1]) > _MONTHS for match in written)
    second_over = any(int(match[3]) > _MONTHS for match in written)
    month_first = not first_over and (second_over or slashes)
    days = []
    for match in found:
        if match is None:
            days.append("")
            continue
        first, third = match[1], match[3]
        if match.re is _ISO:
            year, month, day = first, match[2], third
        else:
            year, month, day = match[4], *((first, third) if month_first else (third, first))
        try:
            days.append(date(int(year), int(month), int(day)).isoformat())
        except ValueError:
            return None
    return days, month_first and not second_over
