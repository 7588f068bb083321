"""What can be computed from the rows: totals, means, shares, groups, and changes over time.

The results are records of the table like its cells, so that plans, pages and checks know them too.
Those for all rows belong to the entity `ALL`, those for rows with a value in common to entities of
the kind `GROUP`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import combinations
from statistics import median

from longsum.tables.inputs.headings import plural
from longsum.tables.inputs.summary_rows import Cell, is_summary
from longsum.tables.inputs.table_schema import TableSchema
from longsum.tables.table import (
    ALL,
    CURRENCIES,
    GROUP,
    TOTAL,
    Entity,
    Measure,
    RecordType,
    as_number,
)

Overall = Mapping[str, str]
"""What is stated of columns as a whole (`table_schema.ColumnSchema.overall`), by their names."""

_FEW = 3
_CENTS = 2
_LONG = 60
"""Values of which every pair is compared; if there are more, this many evenly spaced ones are."""
_TREND = 0.4
_SEVERAL = 12
"""Up to how many values it is worth stating that the last equals the first."""
_OUTLYING = 5
"""How many times the median the highest value must be to be stated as an outlier."""


def derived_cells(
    cells: Sequence[Cell],
    groups: Mapping[str, Mapping[str, str]],
    schema: TableSchema,
) -> list[Cell]:
    """Return the cells that are computed from those of a table.

    Args:
        cells: All cells of the rows; rows of the kind `TOTAL` are not counted again.
        groups: The values of the columns that divide the rows, by column and row.
        schema: What is stated of the columns.
    """
    overall: Overall = schema.overall
    rows = [entity for entity in dict.fromkeys(cell[0] for cell in cells) if entity.kind != TOTAL]
    if any(entity.kind == TOTAL and not is_summary(entity.name) for entity, *_ in cells):
        # Rows in parts, such as income and expenses, do not add up to anything.
        overall = {name: "level" if said == "total" else said for name, said in overall.items()}
    whole = Entity(ALL, ALL)
    counted = schema.kind if len(rows) == 1 else plural(schema.kind)
    count = RecordType("number of rows", f"number of {counted}", measure="count")
    found: list[Cell] = [(whole, count, str(len(rows)))]
    columns: dict[RecordType, dict[Entity, Decimal]] = defaultdict(dict)
    for entity, type_, value in cells:
        number = as_number(value) if type_.kind == "number" and entity.kind != TOTAL else None
        if number is not None:
            columns[type_][entity] = _decimal(value, number)
    for type_, values in columns.items():
        said = overall.get(type_.name)
        if said == "total":
            found.append((whole, _of("total", "total", type_), _total(values.values())))
            found += _share(type_, values)
        elif said == "mean":
            found.append((whole, _of("average", "mean", type_), _mean(values.values(), type_.unit)))
        if said:
            found += _outlier(type_, values, whole)
        if schema.time and type_.ranked:
            in_time = [values[row] for row in rows if row in values]
            found += _change(type_, in_time, whole, relative=said in ("total", "level"))
    if schema.periods:
        found += _across(cells)
    compared = {
        type_: values
        for type_, values in columns.items()
        if overall.get(type_.name) in ("total", "mean")
    }
    for column, by_row in groups.items():
        found += _groups(column, by_row, rows, compared, overall)
    known = {each for entity, type_, _ in cells for each in (entity.name, type_.name)}
    return [
        (entity, type_, value)
        for entity, type_, value in found
        # Others than these are rows of the table.
        if type_.name not in known and not (entity.kind in (ALL, GROUP) and entity.name in known)
    ]


def mark_of(value: str) -> str:
    """Return the shortest form of a number by which rows are grouped: `0` for `0.000`."""
    number = as_number(value)
    return value if number is None else _written(_decimal(value, number))


def _of(
    word: str,
    measure: Measure,
    of: RecordType,
    *,
    unit: str | None = None,
    ranked: bool = False,
    by: str = "",
) -> RecordType:
    """Return the type of values computed from a column: `average population`."""
    own = of.unit if unit is None else unit
    name, phrase = f"{word} {of.name}{by}", f"{word} {of.phrase}"
    return RecordType(name, phrase, "number", ranked, "high", own, measure, of.name)


def _share(type_: RecordType, values: Mapping[Entity, Decimal]) -> Iterator[Cell]:
    """Yield the highest value's percentage of the total, if a single value is highest."""
    total = sum(values.values(), Decimal())
    if len(values) < _FEW or total <= 0 or min(values.values()) < 0:
        return
    best = max(values.values())
    first = [entity for entity, value in values.items() if value == best]
    if len(first) == 1 and (share := _percent(best / total)) != "0":
        yield first[0], _of("share of", "share", type_, unit="%"), share


def _outlier(type_: RecordType, values: Mapping[Entity, Decimal], whole: Entity) -> Iterator[Cell]:
    """Yield the median and the highest value as a multiple of it, if that is an outlier."""
    if not type_.ranked or len(values) < _OUTLYING or min(values.values()) < 0:
        return
    middle = Decimal(median(values.values()))
    first, second = sorted(values, key=lambda entity: -values[entity])[:2]
    if middle > 0 and values[first] >= max(_OUTLYING * middle, 2 * values[second]):
        times = (values[first] / middle).quantize(Decimal(1), ROUND_HALF_UP)
        yield whole, _of("median", "median", type_), _written(middle)
        multiple = _of("times the median", "times", type_, unit="")
        phrase = f"multiple of the median {type_.phrase}"
        yield first, replace(multiple, phrase=phrase), _written(times)


def _change(
    type_: RecordType, values: Sequence[Decimal], whole: Entity, *, relative: bool
) -> Iterator[Cell]:
    """Yield how much the last value is above the first, in percent where that is meaningful."""
    if len(values) >= _FEW and _steady(values):
        change, unit = _changed(values[0], values[-1], type_.unit, relative=relative)
        yield whole, _of("change of", "change", type_, unit=unit), change


def _changed(first: Decimal, last: Decimal, unit: str, *, relative: bool) -> tuple[str, str]:
    """Return how much a value is above another, with its unit; in percent if `relative`."""
    if relative and first > 0 and last >= 0:
        return _percent(last / first - 1), "%"
    return _written(last - first), "percentage points" if unit == "%" else unit


def _steady(values: Sequence[Decimal]) -> bool:
    """Return whether values as a whole move from the first towards the last (Kendall's tau)."""
    if len(values) > _LONG:
        step = len(values) / _LONG
        values = [*(values[int(place * step)] for place in range(_LONG)), values[-1]]
    pairs = combinations(values, 2)
    moves = sum((after > before) - (after < before) for before, after in pairs)
    tau = 2 * moves / (len(values) * (len(values) - 1))
    if values[0] == values[-1]:
        return len(values) <= _SEVERAL
    return tau * (1 if values[-1] > values[0] else -1) >= _TREND


def _across(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield by how many per cent each row's last value is above its first."""
    numbers = [
        type_ for type_ in dict.fromkeys(cell[1] for cell in cells) if type_.kind == "number"
    ]
    if len(numbers) < 2:
        return
    ends: dict[Entity, dict[str, Decimal]] = defaultdict(dict)
    for entity, type_, value in cells:
        if type_ in (numbers[0], numbers[-1]) and (number := as_number(value)) is not None:
            ends[entity][type_.name] = _decimal(value, number)
    unit = numbers[-1].unit
    for entity, held in ends.items():
        first, last = held.get(numbers[0].name), held.get(numbers[-1].name)
        if first is None or last is None:
            continue
        change, own = _changed(first, last, unit, relative=unit != "%")
        name = f"change from {numbers[0].name} to {numbers[-1].name}{f' in {own}' if own else ''}"
        of = numbers[-1].name
        yield entity, RecordType(name, "change", unit=own, measure="change", of=of), change


def _groups(
    column: str,
    by_row: Mapping[str, str],
    rows: Sequence[Entity],
    columns: Mapping[RecordType, Mapping[Entity, Decimal]],
    overall: Overall,
) -> Iterator[Cell]:
    """Yield the number of rows of each group, and its totals and means."""
    held: dict[str, list[Entity]] = defaultdict(list)
    for row in rows:
        if value := by_row.get(row.name):
            held[value].append(row)
    count = RecordType(f"rows by {column}", "number of rows", ranked=True, measure="count")
    coded = all(as_number(value) is not None for value in held)
    for value, members in held.items():
        group = Entity(f"{column}: {value}", GROUP, of=column)
        yield group, count, str(len(members))
        for type_, values in columns.items():
            numbers = [values[row] for row in members if row in values]
            if not numbers or coded:
                continue
            if overall[type_.name] == "total":
                own = _of("total", "total", type_, ranked=True, by=f" by {column}")
                yield group, own, _total(numbers)
            else:
                own = _of("average", "mean", type_, ranked=True, by=f" by {column}")
                yield group, own, _mean(numbers, type_.unit)


def _decimal(value: str, number: float) -> Decimal:
    """Return a cell as a number with its written decimals."""
    try:
        return Decimal(value)
    except InvalidOperation:
        return Decimal(repr(number))


def _total(values: Iterable[Decimal]) -> str:
    return format(sum(values, Decimal()), "f")


def _mean(values: Iterable[Decimal], unit: str) -> str:
    """Return the mean: of whole numbers and tenths with one decimal more, of money with cents."""
    numbers = list(values)
    places = max(max(0, -int(number.as_tuple().exponent)) for number in numbers)
    mean = sum(numbers, Decimal()) / len(numbers)
    most = _CENTS if abs(mean) >= 1 else 2 * _CENTS
    shown = places + 1 if places < _CENTS else min(places, most)
    if unit in CURRENCIES and places <= _CENTS:
        shown = _CENTS
    if mean and abs(mean) < Decimal(1).scaleb(-shown):
        shown = 1 - mean.adjusted()  # two digits of what would be 0
    return format(mean.quantize(Decimal(1).scaleb(-shown), ROUND_HALF_UP), "f")


def _percent(share: Decimal) -> str:
    return _written((share * 100).quantize(Decimal("0.1"), ROUND_HALF_UP))


def _written(number: Decimal) -> str:
    """Return a number as in a cell, without trailing zeros."""
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
