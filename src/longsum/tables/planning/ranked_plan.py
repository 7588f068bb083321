"""Plans of entries that were scored all at once."""

import numpy as np

from longsum.common.arrays import Array
from longsum.tables.plan import Plan
from longsum.tables.planning.table_units import BREAK_UNIT, TableUnits
from longsum.tables.table import Table


def ranked_plan(table: Table, units: TableUnits, scores: Array, entries: int) -> Plan:
    """Return a plan of the entries with the highest scores.

    A model that scores all entries at once says neither their order nor where sentences end. Here
    those of teams stand first, in one sentence, then each other entity in one of its own, those
    with the highest score first; within a sentence the order is the table's. Whoever would be named
    and no more is left out.

    Args:
        table: The table.
        units: Its units.
        scores: `[n]`, of each unit.
        entries: How many are taken.
    """
    places = [int(each) for each in np.argsort(-scores, kind="stable") if each != BREAK_UNIT]
    sentences: dict[str, list[int]] = {"team": []}
    for unit in places[:entries]:
        record = table.records[units.records[unit]]
        group = "team" if record.entity.kind in ("team", "match") else record.entity.name
        sentences.setdefault(group, []).append(units.records[unit])
    told = [
        tuple(sorted(sentence))
        for sentence in sentences.values()
        if any(table.records[record].type.kind == "number" for record in sentence)
    ]
    return Plan(tuple(told))
