"""An experiment as a whole: its rows run with several seeds, beside what the paper prints."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from statistics import fmean, stdev
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json, parse_yaml
from longsum.evaluation.metrics import approximate_randomization, bootstrap_interval
from longsum.evaluation.metrics.significance import ALPHA, FEWEST_PAIRED, corrected
from longsum.lab.comparison.comparison_results import Results
from longsum.lab.reproduction.experiments import MEAN, Column, Experiment
from longsum.lab.reproduction.row_runs import RowRuns, Training, flat

_NOT_TOLD = frozenset(
    {"data.prepared", "data.names", "training.seed", "save_every", "evaluate_every"}
)
"""Settings that decide nothing, or that are told elsewhere."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A score of a row on a column.

    Attributes:
        score: Its name, as we compute it.
        mean: Ours; where the paper prints a difference, ours too; None for what people say.
        low: Lower bound of its 95 % interval over documents; None for a score of all together.
        high: Upper bound.
        deviation: Standard deviation of the means of the seeds; None for one seed, or a difference.
        printed: What the paper prints; None if it prints none.
    """

    score: str
    mean: float | None
    low: float | None = None
    high: float | None = None
    deviation: float | None = None
    printed: float | None = None


@dataclass(frozen=True, slots=True)
class RowResult:
    """A row of a table.

    Attributes:
        name: The row.
        title: What its system does.
        cells: Its scores by the name of the column.
        commands: The commands that make it alone, by the name of the column.
        differs: Settings of its training that are not the paper's: name, the paper's, ours.
        learned: Documents that it learned from, by data set.
        less: The row whose scores are subtracted; None for none.
    """

    name: str
    title: str
    cells: Mapping[str, Sequence[Cell]]
    commands: Mapping[str, Sequence[str]]
    differs: Sequence[tuple[str, Any, Any]] = ()
    learned: Mapping[str, int] = field(default_factory=dict)
    less: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """Whether rows follow each other as in the paper, by one score of a column.

    Attributes:
        column: The column.
        score: The score.
        pairs: Pairs of rows of which the paper prints different scores.
        agree: How many of them have the same order here.
        told_apart: How many of those differ here at 0.05, corrected for the number of pairs.
        reversed: How many differ in the other direction, at the same level.
    """

    column: str
    score: str
    pairs: int
    agree: int
    told_apart: int
    reversed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an experiment; `to_json` is its file."""

    experiment: str
    title: str
    place: str
    note: str
    scale: str
    split: str
    seeds: Sequence[int]
    documents: Mapping[str, int]
    data: Mapping[str, str]
    length: str | None
    scores: Mapping[str, str]
    rows: Sequence[RowResult]
    quoted: Mapping[str, Mapping[str, Mapping[str, float]]]
    orders: Sequence[Order]
    variants: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"schema": "longsum/reproduction/1", **asdict(self)}


def run_experiment(
    name: str,
    scale: str,
    runs: RowRuns,
    rows: Sequence[str],
    *,
    seeds: Sequence[int] = (0,),
    own: Mapping[str, str] | None = None,
) -> Outcome:
    """Run the rows of an experiment, or read what was run before.

    Args:
        name: The experiment.
        scale: The scale.
        runs: Runs rows.
        rows: The rows.
        seeds: Seeds of the trainings.
        own: Systems of the user's own by the name of their rows.

    Raises:
        LongsumError: Data or packages are missing, or a system cannot be loaded.
    """
    experiment = runs.experiment
    based = dict.fromkeys(each for row in rows for each in (experiment.row(row).less or row, row))
    found: dict[tuple[str, str], list[Results]] = {}
    for column in runs.columns:
        for row in based:
            found[row, column.name] = [
                runs.score(row, column, seed) for seed in _of(runs, row, seeds)
            ]
        for row, system in (own or {}).items():
            found[row, column.name] = [_own(runs, row, system, column)]
    columns = {column.name: column for column in runs.columns}
    results = [_row(runs, row, columns, found, seeds) for row in based]
    results += [
        RowResult(
            row, system, {c: _cells(runs, None, found[row, c], columns[c]) for c in columns}, {}
        )
        for row, system in (own or {}).items()
    ]
    return Outcome(
        experiment=name,
        title=experiment.title,
        place=experiment.place,
        note=experiment.note,
        scale=scale,
        split=runs.split,
        seeds=tuple(seeds),
        documents={
            c: len(found[next(iter(based)), c][0].ids) if experiment.by_document else 0
            for c in columns
        },
        data={each.data: runs.stands_for(each.data) for each in runs.columns},
        length=_told_length(experiment),
        scores=experiment.scores,
        rows=results,
        quoted=experiment.quotations(),
        orders=list(_orders(runs, list(based), found)),
        variants=found[next(iter(based)), next(iter(columns))][0].variants,
    )


def _told_length(experiment: Experiment) -> str | None:
    """Return how long summaries may be; None where none are measured."""
    if experiment.measure not in ("summaries", "people") or experiment.study == "best-worst":
        return None
    if experiment.lengths:
        return "the length of the column"
    return "the mean length of the references" if experiment.length == MEAN else experiment.length


def _of(runs: RowRuns, row: str, seeds: Sequence[int]) -> Sequence[int]:
    """Return the seeds of a row: one where nothing is trained."""
    first = runs.columns[0]
    return seeds if list(runs.trainings(row, first, seeds[0])) else seeds[:1]


def _own(runs: RowRuns, row: str, system: str, column: Column) -> Results:
    """Return what a system of the user's own scores.

    Raises:
        LongsumError: The experiment measures no summaries.
    """
    from longsum.core.own_systems import load_any_system

    if runs.experiment.measure != "summaries":
        raise LongsumError(
            f"The row '{row}' cannot be added: this experiment measures no summaries; leave it out."
        )
    made = load_any_system(system)
    made.name = row
    return runs.compared(made, column, 0)


def _row(
    runs: RowRuns,
    row: str,
    columns: Mapping[str, Column],
    found: Mapping[tuple[str, str], list[Results]],
    seeds: Sequence[int],
) -> RowResult:
    experiment = runs.experiment
    less = experiment.row(row).less
    cells = {}
    for name, column in columns.items():
        base = None if less is None else found[less, name]
        cells[name] = _cells(runs, row, found[row, name], column, base)
    last = list(columns.values())[-1]
    trainings = list(runs.trainings(row, last, seeds[0]))
    title = "" if experiment.measure == "positions" else experiment.recipe(row).title
    commands = {name: _commands(runs, row, column, seeds) for name, column in columns.items()}
    if not trainings:
        return RowResult(row, title, cells, commands, less=less)
    own_training = trainings[-1]
    return RowResult(
        row,
        title,
        cells,
        commands,
        tuple(_differing(own_training)),
        _learned(own_training),
        less,
    )


def _values(results: Sequence[Results], score: str) -> list[float]:
    """Return the mean of a score over the seeds, document by document."""
    each = [found.systems[0].scores.get(score, ()) for found in results]
    rows = [row for row in zip(*each, strict=True) if not any(map(math.isnan, row))]
    return [fmean(row) for row in rows]


def _cells(
    runs: RowRuns,
    row: str | None,
    results: Sequence[Results],
    column: Column,
    base: Sequence[Results] | None = None,
) -> list[Cell]:
    """Return the scores of a row, or their differences from a base, document by document."""
    printed = {} if row is None else runs.experiment.printed(row, column)
    cells = []
    for score in runs.experiment.scores:
        values = _values(results, score)
        if base is not None:
            own = zip(values, _values(base, score), strict=True)
            values = [one - other for one, other in own]
        if not values:
            cells.append(Cell(score, None, printed=printed.get(score)))
            continue
        interval = bootstrap_interval(values)
        each_seed = [] if base is not None else results
        means = [fmean(_values([found], score)) for found in each_seed]
        cells.append(
            Cell(
                score,
                interval.mean,
                interval.low if len(values) > 1 else None,
                interval.high if len(values) > 1 else None,
                stdev(means) if len(means) > 1 else None,
                printed.get(score),
            )
        )
    return cells


def _commands(runs: RowRuns, row: str, column: Column, seeds: Sequence[int]) -> list[str]:
    """Return the commands that make a row's scores alone."""
    data, limit = runs.stands_for(column.data), runs.scale.measured
    where = f"--data {data} --split {runs.split}" + (f" --limit {limit}" if limit else "")
    if runs.experiment.measure == "positions":
        return [f"longsum data {where.removeprefix('--data ')} --positions"]
    trainings = list(runs.trainings(row, column, seeds[0]))
    lines = [each.command for each in trainings]
    own = runs.training(row, column.data, seeds[0])
    system = row if own is None else str(own.folder)
    match runs.experiment.measure:
        case "summaries":
            metrics = ",".join(runs.experiment.metrics)
            length = f" --length {column.length}" if column.length != "reference" else ""
            own_text = " --as-written" + ("" if runs.experiment.divided else " --at-once")
            lines.append(
                f"longsum evaluate {where} -s {system} --metrics {metrics}{length}{own_text}"
            )
        case "trees":
            lines.append(f"longsum evaluate {where} --task trees -s {system}")
        case "people":
            texts = runs.folder / "texts" / f"*-{column.data}.jsonl"
            lines.append(
                f"longsum annotate make {runs.experiment.study} {texts} --data {data} "
                f"--split {runs.split} -o {runs.folder / 'study'}"
            )
        case "games":
            games, texts = runs.game_files(row, column, seeds[0])
            lines.append(f"longsum table {games} --scores {texts}")
        case _:
            pass
    return lines


def _differing(training: Training) -> Iterator[tuple[str, Any, Any]]:
    """Yield what the record of a run has otherwise than the paper's setting."""
    from longsum.models.training.run_seq2seq import run_for

    run = run_for(training.recipe.kind)
    record = parse_yaml((training.folder / "training.yaml").read_text(encoding="utf-8"))
    ours = dict(flat(record["settings"]))
    given = run.settings_of(training.recipe, training.papers)
    papers = dict(flat(json.loads(json.dumps(asdict(given)))))
    for name in dict.fromkeys([*papers, *ours]):
        if name not in _NOT_TOLD and papers.get(name) != ours.get(name):
            yield name, papers.get(name), ours.get(name)


def _learned(training: Training) -> dict[str, int]:
    record = parse_json((training.folder / "documents.json").read_bytes())
    return {each["name"]: each["documents"] for each in record if each["split"] == "train"}


def _orders(
    runs: RowRuns, rows: Sequence[str], found: Mapping[tuple[str, str], list[Results]]
) -> Iterator[Order]:
    """Yield how far the rows follow each other as they do in the paper."""
    experiment = runs.experiment
    for column in runs.columns:
        printed = {row: experiment.printed(row, column) for row in rows}
        for score in experiment.scores:
            known = {row: _whole(experiment, printed, row, score) for row in rows}
            pairs = [
                (one, other)
                for one, other in combinations(rows, 2)
                if known[one] is not None
                and known[other] is not None
                and known[one] != known[other]
            ]
            ours = {row: _values(found[row, column.name], score) for row in rows}
            pairs = [(one, other) for one, other in pairs if ours[one] and ours[other]]
            if not pairs:
                continue
            agree = [
                (fmean(ours[one]) - fmean(ours[other])) * (known[one] - known[other]) > 0  # type: ignore[operator]
                for one, other in pairs
            ]
            apart = _apart([(ours[one], ours[other]) for one, other in pairs])
            yield Order(
                column.name,
                score,
                len(pairs),
                sum(agree),
                sum(a and b for a, b in zip(agree, apart, strict=True)),
                sum(not a and b for a, b in zip(agree, apart, strict=True)),
            )


def _whole(
    experiment: Experiment, printed: Mapping[str, Mapping[str, float]], row: str, score: str
) -> float | None:
    """Return what the paper prints of a row, with that of the row that it is a difference from."""
    value = printed[row].get(score)
    less = experiment.row(row).less
    if value is None or less is None:
        return value
    base = printed[less].get(score)
    return None if base is None else value + base


def _apart(pairs: Sequence[tuple[list[float], list[float]]]) -> list[bool]:
    """Return which pairs differ, corrected for their number; none where documents are few."""
    if any(len(one) < FEWEST_PAIRED or len(one) != len(other) for one, other in pairs):
        return [False] * len(pairs)
    chances = [approximate_randomization(one, other) for one, other in pairs]
    return [each < ALPHA for each in corrected(chances)]
