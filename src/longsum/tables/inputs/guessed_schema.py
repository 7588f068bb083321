"""The schema of a delimited file without one, and its cells in a uniform notation."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain, combinations

import yaml

from longsum.language.characters import clean
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
from longsum.tables.inputs.panels import LIKE_YEAR, is_panel, reported_periods
from longsum.tables.inputs.summary_rows import is_summary
from longsum.tables.inputs.table_schema import (
    ABSENT,
    LONGEST_VALUE,
    ColumnSchema,
    Overall,
    TableSchema,
)
from longsum.tables.inputs.written_values import (
    ISO_DAY,
    SIGNS,
    days_of,
    decimal_comma,
    is_number,
    numbers_of,
)

_HEADED = re.compile(r"(?P<phrase>[^()\[\]]{1,150}?) ?[(\[](?P<unit>[^()\[\]\d]{1,12})[)\]]")
_UNIT = re.compile(
    r"EUR|USD|GBP|CHF|[kM]?[€$£]|[¥₹%‰]|[mk]?g|[ckm]?m[²³]?|m?l|m?s|h|min|hours|days|years|°?[CF]|K"
    r"|[hk]?Pa|mmHg|bpm|[kM]?Wh?|m?[VA]|Hz|ppm|dB|\S{1,8}/\S{1,8}"
)
_SUFFIX = re.compile(
    r"(?P<phrase>[^()]{0,150}[a-z])[_ ]"
    r"(?P<unit>mm|cm|km|m?g|kg|lbs?|ms|km2|mph|kmh|[kmg]wh|[mg]hz|usd|eur|gbp|hrs|met(?:er|re)s)"
)
"""A unit at the end of a column's name: `body_mass_g`, not `price_per_kg`; measured in
docs/tables.md."""
_SOURCE = re.compile(r"(?P<phrase>.{3,150}?) ?\((?P<source>(?:[^()]|\([^()]{0,150}\)){4,150})\)")
_SUBJECT = re.compile(r"(?:indicator|series|measure|variable|subject|statistic)(?:[ _]name)?", re.I)
_BEFORE_UNIT = re.compile(r".*[_ ](?:per|each)")
_AS_WRITTEN = {"km2": "km²", "kwh": "kWh", "mwh": "MWh", "gwh": "GWh", "mhz": "MHz", "ghz": "GHz"}
_COUNTER = re.compile(
    r"(?:row|rec|record|line)?[ _]?(?:id|no|nr|num|number|names?|index)\.?|obs|#", re.I
)
"""Names of a column that numbers the rows, rather than one of ranks or of days."""
_CODE = re.compile(
    r"(?:.*[ _])?(?:id|code|no|nr|number|zip|plz|phone|year|jahr|lat(?:itude)?|lon(?:gitude)?"
    r"|identifier|rank|pos(?:ition)?|place|rang|platz)\.?|#"
    r"|(?-i:.*[a-z]ID|[A-Z]ID)"
    r"|(?:lowest|highest|min|max|best|worst)\b.*",
    re.I,
)
_MOST_GROUPS = 10
_LONGEST_GROUP = 40
_FIRST_COLUMNS = 4
_MOST_CROSSED = 500
_FULL = 1.2
"""Most pairs of values of two columns that name the rows together, as a multiple of the rows."""
_LONGEST_NAME = 150
"""Most characters of a column's name; a longer one is a text that does not describe the column."""


def guess_schema(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, comma: bool
) -> tuple[list[str], list[list[str]], TableSchema, list[str]]:
    """Return the columns and cells of a file in a form for a schema, that schema, and notes.

    Numbers are rewritten as `-1234.5`, dates as `YYYY-MM-DD`; a column of several units becomes one
    column for each. The rows are named by the first column whose values are texts and all
    different, else by the first most of whose values are; if there is none, the rows are numbered.

    Args:
        header: The names of the columns; empty, long and repeated ones get other names.
        rows: The cells, as many in each as there are columns.
        comma: Whether `1,234` has a decimal comma if no cell settles that.
    """
    columns = [[clean(row[place]) for row in rows] for place in range(len(header))]
    guess = _Guess(len(rows), decimal_comma(chain(*columns), otherwise=comma))
    for place, name in enumerate(_named(header)):
        guess.add(place, name, columns[place])
    schema = guess.schema()
    cells = guess.cells
    return (
        list(cells),
        [list(row) for row in zip(*cells.values(), strict=True)],
        schema,
        guess.notes,
    )


class _Guess:
    """What is guessed of the columns of a file, one by one and then together.

    Attributes:
        cells: The values of each column, in a uniform notation.
        notes: What a reader should know about the guess.
    """

    def __init__(self, rows: int, comma: bool) -> None:
        self.cells: dict[str, list[str]] = {}
        self.notes: list[str] = []
        self._columns: dict[str, ColumnSchema] = {}
        self._rows = rows
        self._comma = comma

    def add(self, place: int, name: str, values: list[str]) -> None:
        """Add a column by its index, unless it is empty or contains texts."""
        values = ["" if value.casefold() in ABSENT else value for value in values]
        if not any(values):
            self.notes.append(f"column '{name}' has no values and is left out")
        elif _numbers_rows(values) and (name == f"column {place + 1}" or _COUNTER.fullmatch(name)):
            called = name if name == f"column {place + 1}" else f"column '{name}'"
            self.notes.append(f"{called} only numbers the rows and is left out")
        elif max(map(len, values)) > LONGEST_VALUE:
            self.notes.append(
                f"column '{name}' has texts of more than {LONGEST_VALUE} characters and is left out"
            )
        elif days := days_of(values):
            self.cells[name], month_first = days
            self._columns[name] = ColumnSchema(kind="date")
            if month_first:
                self.notes.append(f"the dates of '{name}' are read with the month first")
        elif numbers := numbers_of(values, comma=self._comma):
            units = list(dict.fromkeys(unit for value, unit in numbers if value))
            for unit in units:
                own = name if len(units) == 1 else f"{name} in {unit or '1'}"
                self.cells[own] = [value if unit == other else "" for value, other in numbers]
                self._columns[own] = _column(own, unit)
        else:
            self.cells[name], self._columns[name] = values, ColumnSchema(kind="text")

    def schema(self) -> TableSchema:
        """Return the schema of all columns, after naming the rows."""
        columns, cells = self._columns, self.cells
        entity, in_time = _entity(columns, cells, self._rows)
        if not entity:
            names = ("row", "line", "row of the file")
            entity = (next(name for name in names if name not in cells),)
            cells[entity[0]] = []
        kind = self._name_rows(entity[0]) if len(entity) == 1 else "row"
        panel = is_panel(entity, columns, cells)
        still = (
            in_time
            or any(_is_time(name, columns, cells) for name in columns)
            or any(_says_when(name, columns, cells) for name in entity[1:])
        )
        measured = [each for each, column in columns.items() if column.kind == "number"]
        periods = len(measured) > 1 and is_time("year", measured)
        reported = reported_periods({name: cells[name] for name in measured}) if periods else ()
        measure = _measure(columns, cells) if periods else "value"
        unknown = [each for each in measured if each.istitle() and not is_known(each)]
        # Names among columns that are written in small letters keep their capitals too.
        small = sum(map(str.islower, measured)) * 2 >= len(measured)
        capitals = small or len(unknown) > max(2, len(measured) // 2)
        again = Counter(column.phrase or name for name, column in columns.items())
        for name, column in columns.items():
            if name in reported:
                phrase, ranked = f"{measure} in {name}", name == reported[-1]
                columns[name] = replace(column, phrase=phrase, ranked=ranked)
            elif periods and column.kind == "number":
                columns[name] = ColumnSchema(kind="text")
            else:
                own = column.phrase or name
                heading = name if again[own] > 1 else own
                # Other languages capitalize differently.
                phrase = heading if self._comma else phrase_of(heading, capitals=capitals)
                meant = _told(column, heading, cells[name], still=still)
                plain = phrase == name.replace("_", " ")
                columns[name] = replace(meant, phrase=None if plain else phrase)
        return TableSchema(
            entity=entity[0] if len(entity) == 1 else entity,
            columns=columns,
            kind=kind,
            summary=True,
            time=in_time,
            periods=periods,
            panel=panel,
        )

    def _name_rows(self, column: str) -> str:
        """Name the rows by a column, which is then not reported; return one word for the rows."""
        named = self._columns.pop(column, None)
        self.cells[column], again = row_names(self.cells[column], self._rows)
        if again:
            self.notes.append(
                f"names in '{column}' are repeated; those have their row numbers added"
            )
            return "row"
        return "day" if named and named.kind == "date" else kind_of(column)


def _entity(
    columns: Mapping[str, ColumnSchema], cells: Mapping[str, Sequence[str]], rows: int
) -> tuple[tuple[str, ...], bool]:
    """Return the columns that name the rows, if any, and whether the rows are in order of time."""
    whole = [name for name in columns if all(cells[name])]
    texts = [
        name
        for name in whole
        if columns[name].kind == "text"
        and (name == next(iter(columns)) or sum(map(is_number, cells[name])) * 2 < rows)
    ]
    distinct = {name: len(set(cells[name])) for name in whole}
    whole_names = [name for name in texts if distinct[name] == rows]
    unique = max(whole_names, key=lambda name: _names(name, cells[name]), default="")
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
        if name in texts
        or _says_when(name, columns, cells)
        or (columns[name].ranked is False and rows < _MOST_CROSSED)
    ]
    times = [name for name in crossed if _says_when(name, columns, cells)]
    crossed.sort(key=times.__contains__)  # `Oslo 2024-05-01`
    for first, second in combinations(crossed[:_FIRST_COLUMNS], 2):
        grid = distinct[first] * distinct[second]
        yearly = second in times and columns[second].kind == "number" and grid > rows
        if min(distinct[first], distinct[second]) > 1 and (yearly or grid <= rows * _FULL):
            joint = list(zip(cells[first], cells[second], strict=True))
            if len(set(joint)) == rows:
                return (first, second), False
    mostly = next((name for name in texts if distinct[name] * 2 > rows), "")
    return ((mostly,) if mostly else ()), False


def _names(column: str, values: Sequence[str]) -> tuple[bool, bool]:
    """Return how well a column names rows: `state_name` better than `state_code`."""
    says = re.search(r"(?:^|[ _])(?:name|title|label)$", column, re.I)
    return says is not None, sum(map(is_number, values)) * 2 < len(values)


def _says_when(
    name: str, columns: Mapping[str, ColumnSchema], cells: Mapping[str, Sequence[str]]
) -> bool:
    """Return whether a column has dates or years."""
    return columns[name].kind == "date" or (
        is_time_name(name) and all(map(LIKE_YEAR.fullmatch, cells[name]))
    )


def _is_time(
    name: str, columns: Mapping[str, ColumnSchema], cells: Mapping[str, Sequence[str]]
) -> bool:
    """Return whether a column has the times of the rows, in order."""
    values = [value for value in cells[name] if not is_summary(value)]
    if columns[name].kind == "date":
        return is_time_name(name) and (
            list(values) == sorted(values) or list(values) == sorted(values, reverse=True)
        )
    return is_time(name, values)


def _told(
    column: ColumnSchema, heading: str, values: Sequence[str], *, still: bool
) -> ColumnSchema:
    """Return a column with what is stated of all its values."""
    given = [value for value in values if value]
    ranked = column.ranked
    overall: Overall = None
    if column.kind == "number" and ranked is None:
        if len(set(given)) <= 2 < len(given):
            # Flags such as 0 and 1, or one value throughout.
            ranked, overall = False, "groups" if len(set(given)) > 1 else None
        elif not column.unit and all(map(LIKE_YEAR.fullmatch, given)):
            ranked = False
        else:
            overall = overall_of(heading, column.unit, len(given), in_time=still)
    elif column.kind == "text" and max(map(len, given)) <= _LONGEST_GROUP:
        distinct = len(set(given))
        if 1 < distinct <= _MOST_GROUPS and distinct * 2 <= len(given):
            overall = "groups"
    return replace(column, ranked=ranked, overall=overall)


def row_names(values: Sequence[str], count: int) -> tuple[list[str], bool]:
    """Return the names of rows, and whether repeated ones got the numbers of their rows.

    Args:
        values: The cells of the column that names them, days as `YYYY-MM-DD`; empty if none does.
        count: How many rows there are.
    """
    if not values:
        return [f"row {number}" for number in range(1, count + 1)], False
    if all(map(ISO_DAY.fullmatch, values)) and (days := days_of(values)):
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
    values |= {
        name: True for name in ("summary", "time", "periods", "panel") if getattr(schema, name)
    }
    return yaml.safe_dump(
        values, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10**6
    )


def _numbers_rows(values: Sequence[str]) -> bool:
    """Return whether values count up from 0 or 1."""
    return len(values) > 1 and any(
        list(values) == [str(place + first) for place in range(len(values))] for first in (0, 1)
    )


def _named(header: Sequence[str]) -> list[str]:
    """Return a unique name for each column."""
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


def _measure(columns: Mapping[str, ColumnSchema], cells: Mapping[str, Sequence[str]]) -> str:
    """Return what the values of all rows measure, if a column such as `Indicator Name` says so."""
    for name in columns:
        if _SUBJECT.fullmatch(name) and len(values := set(cells[name])) == 1 and all(values):
            return phrase_of(values.pop())
    return "value"


def _without_source(name: str) -> str:
    """Return a column's name without its source: `Gini` for `Gini (World Bank (2016))`."""
    found = _SOURCE.fullmatch(name)
    if found is None or not re.search(r"\b(?:1[89]|20)\d\d\b", found["source"]):
        return name
    names = re.findall(r"\b[A-Z][A-Za-z]{2,}", found["source"])
    return found["phrase"] if any(month_number(each) is None for each in names) else name


def _column(column: str, unit: str) -> ColumnSchema:
    """Return what a column of numbers means, its unit from its cells or its name."""
    ranked = False if _CODE.fullmatch(column) else None
    name = _without_source(column)
    headed = _HEADED.fullmatch(name)
    if headed and not unit and (_UNIT.fullmatch(headed["unit"])):
        unit = SIGNS.get(headed["unit"], headed["unit"])
        return ColumnSchema(phrase=headed["phrase"].replace("_", " "), unit=unit, ranked=ranked)
    behind = _SUFFIX.fullmatch(name)
    if behind and not unit and not _BEFORE_UNIT.fullmatch(behind["phrase"]):
        unit = behind["unit"]
        unit = SIGNS.get(unit.upper()) or _AS_WRITTEN.get(unit, unit)
        phrase = re.sub(r" in$", "", behind["phrase"].replace("_", " "))
        return ColumnSchema(phrase=phrase, unit=unit, ranked=ranked)
    return ColumnSchema(phrase=None if name == column else name, unit=unit, ranked=ranked)
