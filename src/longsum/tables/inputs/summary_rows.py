"""Rows that add up others, such as one called Total, which are not entries of a table."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from longsum.tables.table import TOTAL, Entity, RecordType, Table, as_number

Cell = tuple[Entity, RecordType, str]

_WHOLE = re.compile(
    r"(?:(?:grand|overall) )?(?:totals?|sum|all|overall|average|mean)|insgesamt|gesamt|summe", re.I
)
_SUM = re.compile(r"total|sum|all|gesamt", re.I)
_PART = re.compile(r"(?:sub-?)?totals?\b.*|net .+|gross .+|.+ total|(?:zwischen)?summe\b.*", re.I)
_LONGEST_PART = 30
"""Most rows that a row within a table may add up."""
_NEAR = Decimal("0.005")
"""How far the values of a row may differ from the sum, as a share of it: cells are rounded."""


def with_summary_rows(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a table with the kind `TOTAL` of rows that add up others.

    The name alone decides for a row called `Total` or the like; one called `Total income` or `Net
    profit` also has to be the sum of the rows before it or the difference of two such rows.
    """
    rows: dict[str, dict[str, Decimal]] = {}
    for entity, type_, value in cells:
        number = as_number(value) if type_.kind == "number" else None
        numbers = rows.setdefault(entity.name, {})
        if number is not None:
            numbers[type_.name] = Decimal(repr(number))
    names = list(rows)
    summing: set[str] = set()
    for place, name in enumerate(names):
        if is_summary(name):
            summing.add(name)
        elif _PART.fullmatch(name) and rows[name]:
            near = names[max(0, place - _LONGEST_PART) : place]
            before = [rows[each] for each in near]
            sums = (before[start:] for start in range(len(before) - 1))
            parts = [rows[each] for each in near if each in summing]
            if any(_equal(rows[name], _summed(some)) for some in sums) or any(
                _equal(rows[name], _summed([first, _negative(second)]))
                for first, second in combinations(parts, 2)
            ):
                summing.add(name)
    return [
        (replace(entity, kind=TOTAL) if entity.name in summing else entity, type_, value)
        for entity, type_, value in cells
    ]


def is_summary(name: str) -> bool:
    """Return whether a row is about all rows by its name alone: `Total`."""
    return bool(_WHOLE.fullmatch(name))


def wrong_totals(table: Table) -> list[str]:
    """Return a note on each row called Total whose values are not the sums of the others."""
    totals = [
        each for each in table.of_kind(TOTAL) if is_summary(each.name) and _SUM.search(each.name)
    ]
    notes = []
    for type_ in table.types:
        if type_.measure != "total" or not (sums := table.of_type(type_.name)):
            continue
        summed = table.records[sums[0]]
        for row in totals:
            given = table.record(row.name, type_.of)
            if given is None or given.number is None:
                continue
            if not _equal({"": Decimal(repr(given.number))}, {"": Decimal(summed.value)}):
                notes.append(
                    f"'{row.name}' has {given.value} for '{type_.of}', but the rows add up to "
                    f"{summed.value}"
                )
    return notes


def _summed(rows: Sequence[dict[str, Decimal]]) -> dict[str, Decimal]:
    return {
        name: sum((row[name] for row in rows if name in row), Decimal())
        for name in {name for row in rows for name in row}
    }


def _negative(row: dict[str, Decimal]) -> dict[str, Decimal]:
    return {name: -value for name, value in row.items()}


def _equal(row: dict[str, Decimal], other: dict[str, Decimal]) -> bool:
    return all(
        name in other and abs(value - other[name]) <= abs(value) * _NEAR
        for name, value in row.items()
    )
