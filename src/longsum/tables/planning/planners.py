"""Planners by name: the rules, the one that ships, or one in a folder."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.core.model_files.folders import HUB_ID
from longsum.tables.games.game_plan import plan_game
from longsum.tables.games.rotowire import GAME
from longsum.tables.inputs.summary_rows import is_summary
from longsum.tables.plan import Plan
from longsum.tables.planning.table_systems import RANKER, RULES, STEPWISE
from longsum.tables.table import ALL, GROUP, TOTAL, Entity, RecordType, Table


def planner(name: str) -> Callable[[Table], Plan]:
    """Return a planner of reports on tables.

    Args:
        name: `table-rules`; `table-ranker` or `table-stepwise`, for the trained ones that ship;
            or a folder that `longsum train` wrote, also on the Hub.

    Raises:
        LongsumError: There is no such planner, or what it needs is not installed. The planner that
            is returned raises one for a table of a kind that it was not trained on.
    """
    if name == RULES:
        return plan_by_rules
    bundled = name in (RANKER, STEPWISE)
    if not bundled and not Path(name).is_dir() and not HUB_ID.fullmatch(name):
        raise LongsumError(
            f"There is no planner {quote(name)}; give {RULES}, {RANKER}, {STEPWISE}, or the folder "
            "of one that 'longsum train' wrote, or its id on the Hugging Face Hub."
        )
    from longsum.core.extractive.extractor_options import shipped_folder
    from longsum.core.model_files.folders import check_model
    from longsum.tables.planning.neural_planner import NeuralPlanner

    trained = NeuralPlanner.of(check_model(shipped_folder(name) if bundled else name))

    def plan(table: Table) -> Plan:
        if table.kind != GAME:
            raise LongsumError(
                "Trained planners have learned from games alone; leave out --planner for this "
                "table."
            )
        return trained.plan(table)

    return plan


def plan_by_rules(table: Table) -> Plan:
    """Return the plan of a report on a table by rules.

    Raises:
        LongsumError: The table has nothing to say.
    """
    return plan_game(table) if table.kind == GAME else plan_table(table)


_LEADERS = 3
_MOST_LED = 8
_MOST_ENTITIES = 12
_MOST_VALUES = 4
_MOST_TIED = 5
_MOST_OVERALL = 4
_MOST_GROUPED = 6
_FEW_ROWS = 6
"""Most rows that are described one by one in a table whose columns are described as wholes."""


def plan_table(table: Table) -> Plan:
    """Return the plan of a report on any table.

    First comes what all rows add up to and are on average, if the table has that. Then, for each
    ranked type, how it changed over time, those who rank first to third, and who ranks last. Then
    the groups. Then the entities in the table's order, each with up to four values, those of the
    best ranks first and then the others in order, unless all of these were stated; in a table with
    more than twelve entities, only those of the best ranks. What was stated as a whole is not
    stated row by row if there are more than a few rows.

    Raises:
        LongsumError: No cell has a value.
    """
    overall = table.entity(ALL) is not None
    rows = table.rows
    sentences = list(_overall(table))
    ranked = [type_ for type_ in table.columns if type_.ranked][: _MOST_LED - 2 * overall]
    for type_ in ranked:
        leaders = _leaders(table, type_.name)
        if overall:
            sentences.extend(_of_type(table, type_))
        elif len(table.of_type(type_.name)) > 1:
            sentences.append(leaders)
    sentences.extend(_groups(table))
    sentences.extend(_across(table))
    told = {index for each in sentences for index in each}
    chosen = sorted(rows, key=lambda entity: _best_ranks(table, entity))[:_MOST_ENTITIES]
    if not overall:
        sentences += [_values(table, entity, told) for entity in rows if entity in set(chosen)]
    else:
        sentences += _untold(table, rows, told)
    plan = Plan(tuple(sentences))
    if not plan.sentences:
        raise LongsumError("The table has no values to report; check its columns in the schema.")
    return plan


def untold_notice(table: Table, plan: Plan) -> list[str]:
    """Return a notice on the columns that a plan does not mention, if there are any."""
    if table.entity(ALL) is None:
        return []
    told = {table.records[index].type for sentence in plan.sentences for index in sentence}
    named = {name for type_ in told for name in (type_.name, type_.of)}
    grouped = {table.records[index].entity.of for sentence in plan.sentences for index in sentence}
    untold = [
        each.name
        for each in table.types
        if not each.measure and each.name not in named and each.phrase not in grouped
    ]
    names = ", ".join(map(quote, untold[:_MOST_LED]))
    more = f" and {len(untold) - _MOST_LED} more" if len(untold) > _MOST_LED else ""
    return [f"the report leaves out the columns {names}{more}"] if untold else []


def _overall(table: Table) -> Iterator[tuple[int, ...]]:
    """Yield what all rows add up to, and what they are on average."""
    by_measure: dict[str, list[int]] = defaultdict(list)
    for index in table.of_entity(ALL):
        by_measure[table.records[index].type.measure].append(index)
    if by_measure["total"] or all(is_summary(each.name) for each in table.of_kind(TOTAL)):
        yield (*by_measure["count"], *by_measure["total"][:_MOST_OVERALL])
    yield tuple(by_measure["mean"][:_MOST_OVERALL])


def _of_type(table: Table, type_: RecordType) -> Iterator[tuple[int, ...]]:
    """Yield what is stated of a column: its change, its first and last ranks, what stands out."""
    across = {other.of for other in table.types if other.phrase == "change"}
    derived = {
        (table.records[index].type.measure): index
        for other in table.types
        if other.of == type_.name
        for index in table.of_type(other.name)
        if table.records[index].entity.kind == ALL or other.measure in ("share", "times")
    }
    values = [
        index
        for index in table.of_type(type_.name)
        if table.records[index].number is not None and table.records[index].rank is not None
    ]
    if "change" in derived:
        yield values[0], values[-1], derived["change"]
    leaders = _leaders(table, type_.name)
    tied = sum(table.records[index].rank == 1 for index in values)
    # Parts and their totals, over several years, are not compared.
    parts = type_.name in across and bool(table.of_kind(TOTAL))
    if len(values) > 1 and tied <= _MOST_TIED and tied < len(values) and not parts:
        share = [derived["share"]] if "share" in derived else []
        yield (*leaders[:1], *share, *leaders[1:])
        last = max(table.records[index].rank or 0 for index in values)
        lowest = [index for index in values if table.records[index].rank == last]
        if len(values) > _MOST_VALUES and len(lowest) <= _LEADERS and last > _LEADERS:
            yield tuple(lowest)
    if "times" in derived:
        yield leaders[0], derived["times"], derived["median"]


def _groups(table: Table) -> Iterator[tuple[int, ...]]:
    """Yield how many rows the groups have, and which of them is first in what."""
    types = [each for each in table.types if each.measure and each.ranked][:_MOST_GROUPED]
    for type_ in types:
        indices = sorted(table.of_type(type_.name), key=lambda i: table.records[i].rank or 0)
        tied = sum(table.records[index].rank == 1 for index in indices)
        if type_.measure == "count" and tied < len(indices):
            yield tuple(indices[:_MOST_TIED])
        elif type_.measure != "count" and tied < len(indices):
            yield tuple(indices[: max(_LEADERS, tied)])


def _untold(table: Table, rows: Sequence[Entity], told: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield the values not stated so far, of few rows and of those that add up others.

    A single column that is not ranked is stated in one sentence.
    """
    few = [each for each in rows if not is_summary(each.name)]
    if len(few) > _FEW_ROWS:
        few = [each for each in few if each.kind == TOTAL]
    values = [_not_in(told, table, entity) for entity in few]
    types = Counter(table.records[index].type for each in values for index in each)
    whole = [type_ for type_, count in types.items() if count == len(few) > 1 and not type_.ranked]
    if len(whole) == 1:
        (same,) = whole
        yield tuple(i for each in values for i in each if table.records[i].type == same)
        values = [[i for i in each if table.records[i].type != same] for each in values]
    yield from (tuple(each[:_MOST_VALUES]) for each in values)


def _not_in(told: set[int], table: Table, entity: Entity) -> list[int]:
    """Return the values of a row that were not stated; none if their change was."""
    own = table.of_entity(entity.name)
    if any(table.records[index].type.measure == "change" for index in own):
        return []
    grouped = {group.of for group in table.of_kind(GROUP)}
    return [
        index
        for index in own
        if index not in told
        and not (table.records[index].missing or table.records[index].type.measure)
        and table.records[index].type.phrase not in grouped
    ]


def _across(table: Table) -> Iterator[tuple[int, ...]]:
    """Yield how values changed from the first column to the last; for many rows, the extremes."""
    changes = [
        index
        for type_ in table.types
        if type_.measure == "change"
        for index in table.of_type(type_.name)
        if table.records[index].entity.kind not in (ALL, GROUP)
    ]
    if len(changes) > _MOST_ENTITIES:
        # Differences in one unit: if a first value is 0, the change has no percentage.
        units = Counter(table.records[index].type for index in changes)
        alike = [i for i in changes if table.records[i].type == units.most_common(1)[0][0]]
        alike.sort(key=lambda index: table.records[index].number or 0, reverse=True)
        changes = [*alike[:_LEADERS], *sorted(alike[-_LEADERS:], key=alike.index, reverse=True)]
    else:
        changes.sort()
    for index in changes:
        record = table.records[index]
        own = [i for i in table.of_entity(record.entity.name) if i != index]
        numbers = [i for i in own if table.records[i].number is not None]
        yield numbers[0], numbers[-1], index


def _leaders(table: Table, type_name: str) -> tuple[int, ...]:
    ranked = [(table.records[index].rank, index) for index in table.of_type(type_name)]
    best = sorted((rank, index) for rank, index in ranked if rank is not None)
    tied = sum(rank == 1 for rank, _ in best)
    return tuple(index for _, index in best[: max(_LEADERS, tied if tied <= _MOST_TIED else 0)])


def _best_ranks(table: Table, entity: Entity) -> list[int]:
    ranks = [table.records[index].rank for index in table.of_entity(entity.name)]
    return sorted(rank for rank in ranks if rank is not None) or [len(table.records)]


def _values(table: Table, entity: Entity, told: set[int]) -> tuple[int, ...]:
    own = table.of_entity(entity.name)
    there = [i for i in own if not table.records[i].missing and not table.records[i].type.measure]
    by_rank = sorted(there, key=lambda index: table.records[index].rank or len(table.records))
    values = sorted(by_rank[:_MOST_VALUES])
    return () if told.issuperset(values) else tuple(values)
