"""Planners by name: the rules, the one that ships, or one in a folder."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from longsum.errors import LongsumError
from longsum.tables.plan import Plan
from longsum.tables.rotowire import GAME
from longsum.tables.selection import plan_by_rules
from longsum.tables.table import Table
from longsum.wording import quote

RULES = "rules"
SHIPPED = "stepwise"


def shipped_planner() -> Path:
    """Return the folder of the bundled planner.

    Raises:
        LongsumError: This installation lacks it.
    """
    folder = Path(str(files("longsum").joinpath("weights", "planner")))
    if not folder.is_dir():
        raise LongsumError(
            "This installation contains no trained planner; take --planner rules, or the folder of "
            "a planner that 'longsum train' wrote."
        )
    return folder


def planner(name: str) -> Callable[[Table], Plan]:
    """Return what plans reports of tables.

    Args:
        name: `rules`; `stepwise`, for the planner that ships; or a folder that `longsum train`
            wrote.

    Raises:
        LongsumError: There is no such planner. What is returned raises one for a table of which the
            planner knows nothing.
    """
    if name == RULES:
        return plan_by_rules
    if name != SHIPPED and not Path(name).is_dir():
        raise LongsumError(
            f"There is no planner {quote(name)}; give {RULES}, {SHIPPED}, or the folder of one "
            "that 'longsum train' wrote."
        )
    from longsum.models.folders import check_model
    from longsum.systems.planning.neural_planner import NeuralPlanner

    trained = NeuralPlanner.of(check_model(shipped_planner() if name == SHIPPED else name))

    def plan(table: Table) -> Plan:
        if table.kind != GAME:
            raise LongsumError(
                "Trained planners have learned from games alone; leave out --planner for this "
                "table."
            )
        return trained.plan(table)

    return plan
