"""What a report says where nobody has planned it: a rule for games, and one for any other table."""

from longsum.tables.games.game_plan import plan_game
from longsum.tables.games.rotowire import GAME
from longsum.tables.plan import Plan
from longsum.tables.table import Table
from longsum.tables.table_plan import plan_table


def plan_by_rules(table: Table) -> Plan:
    """Return what a report of a table has to say.

    Raises:
        LongsumError: The table has nothing to say.
    """
    return plan_game(table) if table.kind == GAME else plan_table(table)
