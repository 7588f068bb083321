"""What plans the reports of tables: the rules, or a trained planner in a folder."""

from collections.abc import Callable
from pathlib import Path

from longsum.errors import LongsumError
from longsum.tables.plan import Plan
from longsum.tables.rotowire import GAME
from longsum.tables.selection import plan_by_rules
from longsum.tables.table import Table


def planner_in(folder: Path | None) -> Callable[[Table], Plan]:
    """Return what plans reports of tables.

    Args:
        folder: A planner that `longsum train` wrote; None for the rules.

    Raises:
        LongsumError: The folder contains no planner. What is returned raises one for a table of
            which the planner knows nothing.
    """
    if folder is None:
        return plan_by_rules
    from longsum.models.folders import check_model
    from longsum.systems.planning.neural_planner import NeuralPlanner

    trained = NeuralPlanner.of(check_model(folder))

    def plan(table: Table) -> Plan:
        if table.kind != GAME:
            raise LongsumError(
                "Trained planners have learned from games alone; leave out --planner for this "
                "table."
            )
        return trained.plan(table)

    return plan
