"""A plan of two sentences about the small game."""

import pytest

from longsum.tables import Plan, Table


@pytest.fixture
def plan(table: Table) -> Plan:
    told = [[("Ann Ash", "PTS"), ("Ann Ash", "REB")], [("Bo Birch", "PTS")]]
    rows = [[table.index(name, f"PLAYER-{column}") for name, column in each] for each in told]
    return Plan(tuple(tuple(index for index in row if index is not None) for row in rows))
