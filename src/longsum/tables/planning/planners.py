"""Planners by name: the rules, the one that ships, or one in a folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.core.model_files.folders import HUB_ID
from longsum.tables.games.game_plan import plan_game
from longsum.tables.games.rotowire import GAME
from longsum.tables.plan import Plan
from longsum.tables.planning.table_systems import RANKER, RULES, STEPWISE, Shipped, shipped_weights
from longsum.tables.table import Entity, Table

_SHIPPED: Mapping[str, Shipped] = {RANKER: RANKER, STEPWISE: STEPWISE}


def planner(name: str) -> Callable[[Table], Plan]:
    """Return what plans reports of tables.

    Args:
        name: `table-rules`; `table-ranker` or `table-stepwise`, for those trained ones that ship;
            or a folder that `longsum train` wrote, also on the Hub.

    Raises:
        LongsumError: There is no such planner, or what it needs is not installed. What is returned
            raises one for a table of which the planner knows nothing.
    """
    if name == RULES:
        return plan_by_rules
    shipped = _SHIPPED.get(name)
    if shipped is None and not Path(name).is_dir() and not HUB_ID.fullmatch(name):
        raise LongsumError(
            f"There is no planner {quote(name)}; give {RULES}, {RANKER}, {STEPWISE}, or the folder "
            "of one that 'longsum train' wrote, or its id on the Hugging Face Hub."
        )
    from longsum.core.model_files.folders import check_model
    from longsum.tables.planning.neural_planner import NeuralPlanner

    folder = name if shipped is None else shipped_weights(shipped)
    trained = NeuralPlanner.of(check_model(folder))

    def plan(table: Table) -> Plan:
        if table.kind != GAME:
            raise LongsumError(
                "Trained planners have learned from games alone; leave out --planner for this "
                "table."
            )
        return trained.plan(table)

    return plan


def plan_by_rules(table: Table) -> Plan:
    """Return what a report of a table has to say.

    Raises:
        LongsumError: The table has nothing to say.
    """
    return plan_game(table) if table.kind == GAME else plan_table(table)


_LEADERS = 3
_MOST_LED = 8
_MOST_ENTITIES = 12
_MOST_VALUES = 4


def plan_table(table: Table) -> Plan:
    """Return the plan of a report of any table.

    First, for each ranked type, those who rank first to third. Then the entities in the table's
    order, each with up to four values, those of the best ranks first and then the others in order,
    unless all of these were told; of a table with more than twelve, those of the best ranks.

    Raises:
        LongsumError: No cell has a value.
    """
    leaders = [_leaders(table, type_.name) for type_ in table.types if type_.ranked]
    chosen = sorted(table.entities, key=lambda entity: _best_ranks(table, entity))[:_MOST_ENTITIES]
    leaders = leaders[:_MOST_LED]
    told, wanted = {index for each in leaders for index in each}, set(chosen)
    values = [_values(table, entity, told) for entity in table.entities if entity in wanted]
    plan = Plan((*leaders, *values))
    if not plan.sentences:
        raise LongsumError("The table has no values to report; check its columns in the schema.")
    return plan


def _leaders(table: Table, type_name: str) -> tuple[int, ...]:
    ranked = [(table.records[index].rank, index) for index in table.of_type(type_name)]
    best = sorted((rank, index) for rank, index in ranked if rank is not None)
    return tuple(index for _, index in best[:_LEADERS])


def _best_ranks(table: Table, entity: Entity) -> list[int]:
    ranks = [table.records[index].rank for index in table.of_entity(entity.name)]
    return sorted(rank for rank in ranks if rank is not None) or [len(table.records)]


def _values(table: Table, entity: Entity, told: set[int]) -> tuple[int, ...]:
    there = [index for index in table.of_entity(entity.name) if not table.records[index].missing]
    by_rank = sorted(there, key=lambda index: table.records[index].rank or len(table.records))
    values = sorted(by_rank[:_MOST_VALUES])
    return () if told.issuperset(values) else tuple(values)
