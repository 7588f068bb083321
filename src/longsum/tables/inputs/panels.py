"""Panels: rows of entities over several years, as in public statistics, with a column per year."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from longsum.common.errors import LongsumError
from longsum.tables.inputs.table_schema import ABSENT, ColumnSchema, TableSchema

LIKE_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_FEWEST = 3
_SPARSE = 4
"""Most cells of a panel per value: beyond that, most years have few entities."""


def is_panel(
    entity: tuple[str, ...],
    columns: Mapping[str, ColumnSchema],
    cells: Mapping[str, Sequence[str]],
) -> bool:
    """Return whether two columns are entities and years of a single measure."""
    if len(entity) != len(("entity", "year")):
        return False
    named, year = entity
    others = [name for name in columns if name not in entity]
    entities, years = set(cells[named]), set(cells[year])
    return (
        [columns[name].kind for name in others].count("number") == 1
        and all(map(LIKE_YEAR.fullmatch, years))
        and min(len(entities), len(years)) >= _FEWEST
        and len(entities) * len(years) <= _SPARSE * len(cells[year])
        and all(
            len(set(zip(cells[named], cells[name], strict=True))) == len(entities)
            for name in others
            if columns[name].kind != "number"
        )
    )


def reported_periods(values: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the periods from the first to the last with at least half as many values as the best.

    Args:
        values: The values of each period, in order.
    """
    given = {
        name: sum(value.casefold() not in ABSENT for value in own) for name, own in values.items()
    }
    names, most = list(given), max(given.values(), default=0)
    full = [place for place, name in enumerate(names) if given[name] * 2 >= most]
    return names[full[0] : full[-1] + 1] if full else []


def pivoted(
    header: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], schema: TableSchema
) -> tuple[list[str], list[tuple[int, Sequence[str]]], TableSchema]:
    """Return the rows of a panel as one row per entity, with its values over the years.

    Years before and after those for which most entities have a value are kept but not reported.

    Raises:
        LongsumError: The schema of the panel has not one entity, one year and one measure.
    """
    measured = [name for name, each in schema.columns.items() if each.kind == "number"]
    measured = [name for name in measured if name not in schema.entity_columns]
    if len(schema.entity_columns) != len(("entity", "year")) or len(measured) != 1:
        raise LongsumError(
            "A schema with panel: true names two columns as its entity, the second with years, "
            "and one column of numbers; leave out panel."
        )
    (named, year), (measure,) = schema.entity_columns, measured
    constant = [name for name in schema.columns if name not in (named, year, measure)]
    place = {column: number for number, column in enumerate(header)}
    values: dict[str, dict[str, str]] = {}
    lines: dict[str, tuple[int, Sequence[str]]] = {}
    for line, row in rows:
        lines.setdefault(row[place[named]], (line, row))
        values.setdefault(row[place[named]], {})[row[place[year]]] = row[place[measure]]
    years = sorted({when for own in values.values() for when in own})
    reported = reported_periods(
        {when: [own.get(when, "") for own in values.values()] for when in years}
    )
    column = schema.columns[measure]
    phrase = column.phrase or measure.replace("_", " ")
    of_years = {
        when: replace(
            column,
            kind="number" if when in reported else "text",
            phrase=f"{phrase} in {when}",
            ranked=when == reported[-1],
            overall=None,
        )
        for when in years
    }
    found: list[tuple[int, Sequence[str]]] = [
        (
            line,
            [
                name,
                *(row[place[each]] for each in constant),
                *(values[name].get(when, "") for when in years),
            ],
        )
        for name, (line, row) in lines.items()
    ]
    columns = {name: schema.columns[name] for name in constant} | of_years
    return (
        [named, *constant, *years],
        found,
        replace(schema, entity=named, columns=columns, periods=True, panel=False),
    )
