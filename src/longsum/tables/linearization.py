"""Records as strings (Stepwise, Table 5), and which are left out."""

from datetime import date

from longsum.tables.annotated_text import ordinal
from longsum.tables.games import rotowire_types as types
from longsum.tables.table import Record, Table

MOST_ENTRIES = 512
"""Entries that the paper's planners read (B.3)."""


def filtered(table: Table, most: int = MOST_ENTRIES) -> tuple[int, ...]:
    """Return the indices of the records that a planner reads, in the table's order.

    The paper leaves out what reports are least likely to mention (B.3): all entries of players
    without a value, then as many entries of value 0 as needed. It does not state which zeros go
    first: here the last in the table, so that both teams and the starters keep theirs. Where that
    is not enough, as in a table of another kind, the last entries go.
    """
    kept = [
        index
        for index, record in enumerate(table.records)
        if not (record.missing and record.entity.kind != "team")
    ]
    excess = len(kept) - most
    if excess > 0:
        zeros = [index for index in kept if table.records[index].number == 0]
        dropped = set(zeros[-excess:])
        kept = [index for index in kept if index not in dropped]
    return tuple(kept[:most])


# Stepwise, B.3 and Table 5: `team points scored of Boston Celtics is 113 which is 1st best`.


def record_string(record: Record) -> str:
    """Return a record in words, by the templates of Table 5, with its rank if it has one.

    A unit is part of its type's meaning and is not repeated, as in the paper.
    """
    name, value = record.entity.name, record.value
    if record.type == types.SIDE:
        return f"{name} is {value} team of match"
    if record.type == types.TEAM:
        return f"{name} is player of {value}"
    if record.type.kind == "date" and not record.missing:
        day = date.fromisoformat(value)
        value = f"year: {day:%Y} month: {day:%m} day: {day:%d} day_of_week: {day.weekday()}"
    rank = "" if record.rank is None else f" which is {ordinal(record.rank)} best"
    return f"{record.type.phrase} of {name} is {value}{rank}"
