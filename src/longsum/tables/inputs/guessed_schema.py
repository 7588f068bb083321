"""The schema of a delimited file that came without one, and its cells in one way of writing."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import combinations

import yaml

from longsum.documents.builder import clean
from longsum.tables.annotated_text import written_day
from longsum.tables.inputs.headings import (
    is_known,
    is_time,
    is_time_name,
    kind_of,
    month_number,
    overall_of,
    phrase_of,
)
from longsum.tables.inputs.summary_rows import is_summary
from longsum.tables.inputs.table_schema import (
    ABSENT,
    LONGEST_VALUE,
    ColumnSchema,
    Overall,
    TableSchema,
)

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
    r"(?:.*[ _])?(?:id|code|no|nr|number|zip|plz|phone|year|jahr|lat(?:itude)?|lon(?:gitude)?"
    r"|identifier)\.?|#"
    r"|(?:lowest|highest|min|max|best|worst)\b.*",
    re.I,
)
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_DAY = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)")
_SPOKEN = re.compile(
    r"(?:(?P<day>\d{1,2})[ .-]{1,2}(?P<month>[A-Z][a-z]{2,8})"
    r"|(?P<first>[A-Z][a-z]{2,8})[ .-]{1,2}(?P<second>\d{1,2}))\.?,?[ -]{1,2}(?P<year>\d{4})"
)
_CLOCK = re.compile(r"(?<=\d)[T ]\d\d?:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z| ?[AP]M|[+-]\d\d:?\d\d)?$")
_CENTURY = 70
"""From which year of two digits on the last century is meant."""
_THOUSANDS = 3
_LIKE_YEARS = re.compile(r"1[5-9]\d\d|20\d\d")
_MOST_GROUPS = 10
_LONGEST_GROUP = 40
_FIRST_COLUMNS = 4
_MOST_CROSSED = 500
_FULL = 1.2
"""How many times the rows of a table all pairs of two columns' values may be that name its rows."""
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
        if name == f"column {place + 1}" and _numbers_rows(values):
            notes.append(f"{name} only numbers the rows and is left out")
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
    entity, in_time = _entity(columns, cells, len(rows))
    if not entity:
        entity = (next(name for name in ("row", "line", "row of the file") if name not in cells),)
        cells[entity[0]] = []
    only = entity[0]
    kind = "row"
    if len(entity) == 1:
        kind = "day" if only in columns and columns[only].kind == "date" else kind_of(only)
        cells[only], again = row_names(cells[only], len(rows))
        if again:
            notes.append(f"names of '{only}' come again; these have the numbers of their rows")
            kind = "row"
    if len(entity) == 1:
        columns.pop(only, None)
    still = in_time or any(_is_time(name, columns, cells) for name in columns)
    measured = [each for each, column in columns.items() if column.kind == "number"]
    periods = len(measured) > 1 and is_time("year", measured)
    unknown = [each for each in measured if each.istitle() and not is_known(each)]
    capitals = len(unknown) > max(2, len(measured) // 2)
    for name, column in columns.items():
        if periods and column.kind == "number":
            columns[name] = replace(column, phrase=f"value in {name}", ranked=name == measured[-1])
        else:
            phrase = name if comma else phrase_of(column.phrase or name, capitals=capitals)
            told = _told(column, column.phrase or name, cells[name], still=still)
            plain = phrase == name.replace("_", " ")
            columns[name] = replace(told, phrase=None if plain else phrase)
    schema = TableSchema(
        entity=only if len(entity) == 1 else entity,
        columns=columns,
        kind=kind,
        summary=True,
        time=in_time,
        periods=periods,
    )
    return list(cells), [list(row) for row in zip(*cells.values(), strict=True)], schema, notes


def _entity(
    columns: Mapping[str, ColumnSchema], cells: Mapping[str, Sequence[str]], rows: int
) -> tuple[tuple[str, ...], bool]:
    """Return the columns that name the rows, none if nothing does, and whether rows are in time."""
    whole = [name for name in columns if all(cells[name])]
    texts = [name for name in whole if columns[name].kind == "text"]
    distinct = {name: len(set(cells[name])) for name in whole}
    unique = next((name for name in texts if distinct[name] == rows), "")
    for name in whole:
        if name == unique:
            break
        if distinct[name] == rows and _is_time(name, columns, cells):
            return (name,), True
    if unique:
        return (unique,), _is_time(unique, columns, cells)
    crossed = [
        name
        for name in whole
        if columns[name].kind == "text" or (columns[name].ranked is False and rows < _MOST_CROSSED)
    ]
    for first, second in combinations(crossed[:_FIRST_COLUMNS], 2):
        grid = distinct[first] * distinct[second]
        if min(distinct[first], distinct[second]) > 1 and grid <= rows * _FULL:
            joint = list(zip(cells[first], cells[second], strict=True))
            if len(set(joint)) == rows:
                return (first, second), False
    mostly = next((name for name in texts if distinct[name] * 2 > rows), "")
    return ((mostly,) if mostly else ()), False


def _is_time(
    name: str, columns: Mapping[str, ColumnSchema], cells: Mapping[str, Sequence[str]]
) -> bool:
    """Return whether a column has the times of the rows, in their order."""
    values = [value for value in cells[name] if not is_summary(value)]
    if columns[name].kind == "date":
        return is_time_name(name) and (
            list(values) == sorted(values) or list(values) == sorted(values, reverse=True)
        )
    return is_time(name, values)


def _told(
    column: ColumnSchema, heading: str, values: Sequence[str], *, still: bool
) -> ColumnSchema:
    """Return a column with what is said of all its values."""
    given = [value for value in values if value]
    ranked = column.ranked
    overall: Overall = None
    if column.kind == "number" and ranked is None:
        if len(set(given)) <= 2 < len(given):
            # Marks such as 0 and 1, or one value throughout.
            ranked, overall = False, "groups" if len(set(given)) > 1 else None
        elif not column.unit and all(map(_LIKE_YEARS.fullmatch, given)):
            ranked = False
        else:
            overall = overall_of(heading, column.unit, len(given), in_time=still)
    elif column.kind == "text" and max(map(len, given)) <= _LONGEST_GROUP:
        distinct = len(set(given))
        if 1 < distinct <= _MOST_GROUPS and distinct * 2 <= len(given):
            overall = "groups"
    return replace(column, ranked=ranked, overall=overall)


def row_names(values: Sequence[str], count: int) -> tuple[list[str], bool]:
    """Return the names of rows, and whether some come again and got the numbers of their rows.

    Args:
        values: The cells of the column that names them, days as `YYYY-MM-DD`; empty if none does.
        count: How many rows there are.
    """
    if not values:
        return [f"row {number}" for number in range(1, count + 1)], False
    if all(map(_ISO.fullmatch, values)) and (days := days_of(values)):
        values = [written_day(date.fromisoformat(day)) for day in days[0]]
    counts = Counter(values)
    return [
        f"{value} (row {number})" if counts[value] > 1 else value
        for number, value in enumerate(values, start=1)
    ], max(counts.values()) > 1


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
                ("overall", column.overall),
            )
            if value is not None
        }
        for name, column in schema.columns.items()
    }
    entity = schema.entity if isinstance(schema.entity, str) else list(schema.entity)
    values: dict[str, object] = {"entity": entity, "kind": schema.kind, "columns": columns}
    values |= {name: True for name in ("summary", "time", "periods") if getattr(schema, name)}
    return yaml.safe_dump(
        values, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10**6
    )


def _numbers_rows(values: Sequence[str]) -> bool:
    """Return whether values count on from 0 or 1."""
    return len(values) > 1 and any(
        list(values) == [str(place + first) for place in range(len(values))] for first in (0, 1)
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

    With points the day stands first; with slashes the month does, unless it is over twelve. Months
    may be English words, and a time of day behind the date is left out.
    """
    values = [_CLOCK.sub("", value) for value in values]
    found = [
        _ISO.fullmatch(value) or _DAY.fullmatch(value) or _SPOKEN.fullmatch(value)
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
    month_first = not first_over and (second_over or slashes)
    days = []
    for match in found:
        if match is None:
            days.append("")
            continue
        if match.re is _SPOKEN:
            year, day = match["year"], match["day"] or match["second"]
            named = month_number(match["month"] or match["first"])
            month = "" if named is None else str(named + 1)
        elif match.re is _ISO:
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
