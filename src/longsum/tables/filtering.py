"""Which records a planner reads, where it cannot read them all."""

from longsum.tables.table import Table

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
