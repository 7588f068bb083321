"""Planners by name: the rules, the one that ships, or one in a folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.core.systems.shipped_weights import Shipped, shipped_weights
from longsum.tables.games.rotowire import GAME
from longsum.tables.plan import Plan
from longsum.tables.planning.table_systems import RANKER, RULES, STEPWISE
from longsum.tables.table import Table
from longsum.tables.table_plan import plan_by_rules

_SHIPPED: Mapping[str, Shipped] = {RANKER: RANKER, STEPWISE: STEPWISE}


def planner(name: str) -> Callable[[Table], Plan]:
    """Return what plans reports of tables.

    Args:
        name: `table-rules`; `table-ranker` or `table-stepwise`, for those trained ones that ship;
            or a folder that `longsum train` wrote.

    Raises:
        LongsumError: There is no such planner, or what it needs is not installed. What is returned
            raises one for a table of which the planner knows nothing.
    """
    if name == RULES:
        return plan_by_rules
    shipped = _SHIPPED.get(name)
    if shipped is None and not Path(name).is_dir():
        raise LongsumError(
            f"There is no planner {quote(name)}; give {RULES}, {RANKER}, {STEPWISE}, or the folder "
            "of one that 'longsum train' wrote."
        )
    from longsum.core.model_files.folders import check_model
    from longsum.tables.planning.neural_planner import NeuralPlanner

    folder = Path(name) if shipped is None else shipped_weights(shipped)
    trained = NeuralPlanner.of(check_model(folder))

    def plan(table: Table) -> Plan:
        if table.kind != GAME:
            raise LongsumError(
                "Trained planners have learned from games alone; leave out --planner for this "
                "table."
            )
        return trained.plan(table)

    return plan
