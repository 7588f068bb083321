"""An experiment as a whole: its rows run with several seeds, beside what the paper prints."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from statistics import fmean, stdev
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json, parse_yaml
from longsum.core.own_systems import load_any_system
from longsum.evaluation.metrics import approximate_randomization, bootstrap_interval
from longsum.evaluation.metrics.significance import ALPHA, FEWEST_PAIRED, corrected
from longsum.lab.comparison.comparison_results import Results
from longsum.lab.reproduction.experiments import Column, Experiment
from longsum.lab.reproduction.measures import OF_ALL, commands, score_row, score_system
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
    commands: Mapping[str, Sequence[str]] = field(default_factory=dict)
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

    experiment: Experiment
    scale: str
    split: str
    seeds: Sequence[int]
    documents: Mapping[str, int]
    data: Mapping[str, str]
    rows: Sequence[RowResult]
    orders: Sequence[Order]
    variants: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        experiment = self.experiment
        return {
            "schema": "longsum/reproduction/1",
            **asdict(self),
            "experiment": experiment.name,
            **{name: getattr(experiment, name) for name in ("title", "place", "note", "scores")},
            "length": experiment.told_length,
            "quoted": experiment.quotations(),
        }


def run_experiment(
    runs: RowRuns,
    rows: Sequence[str],
    *,
    seeds: Sequence[int] = (0,),
    own: Mapping[str, str] | None = None,
) -> Outcome:
    """Run the rows of an experiment, or read what was run before.

    Args:
        runs: Runs rows.
        rows: The rows.
        seeds: Seeds of the trainings.
        own: Systems of the user's own by the name of their rows.

    Raises:
        LongsumError: Data or packages are missing, or a system cannot be loaded.
    """
    experiment, columns, own = runs.experiment, runs.columns, own or {}
    based = dict.fromkeys(each for row in rows for each in (experiment.row(row).less or row, row))
    found: dict[tuple[str, Column], list[Results]] = {}
    for column in columns:
        for row in based:
            trained = any(True for _ in runs.trainings(row, column, seeds[0]))
            row_seeds = seeds if trained else seeds[:1]
            found[row, column] = [score_row(runs, row, column, seed) for seed in row_seeds]
        for row, system in own.items():
            found[row, column] = [_own(runs, row, system, column)]
    every = [_row(runs, row, found, seeds[0]) for row in based]
    for row, system in own.items():
        cells = {each.name: _cells(experiment, found[row, each], {}) for each in columns}
        every.append(RowResult(row, system, cells))
    first = {column.name: found[next(iter(based)), column][0] for column in columns}
    return Outcome(
        experiment=experiment,
        scale=runs.scale.name,
        split=runs.split,
        seeds=tuple(seeds),
        documents={
            name: len(results.ids) if results.ids != OF_ALL else 0
            for name, results in first.items()
        },
        data={each.data: runs.stands_for(each.data) for each in columns},
        rows=every,
        orders=[order for column in columns for order in _orders(experiment, column, based, found)],
        variants=first[columns[0].name].variants,
    )


def _own(runs: RowRuns, row: str, system: str, column: Column) -> Results:
    """Return what a system of the user's own scores.

    Raises:
        LongsumError: The experiment measures no summaries.
    """
    if runs.experiment.measure != "summaries" or runs.experiment.study is not None:
        raise LongsumError(
            f"The row '{row}' cannot be added: this experiment measures no summaries; leave it out."
        )
    made = load_any_system(system)
    made.name = row
    return score_system(runs, made, column, 0)


Found = Mapping[tuple[str, Column], Sequence[Results]]


def _row(runs: RowRuns, row: str, found: Found, seed: int) -> RowResult:
    experiment, columns = runs.experiment, runs.columns
    less = experiment.row(row).less
    *_, training = None, *runs.trainings(row, columns[-1], seed)
    return RowResult(
        row,
        "" if experiment.measure == "positions" else experiment.recipe(row).title,
        {
            each.name: _cells(
                experiment,
                found[row, each],
                experiment.printed(row, each),
                None if less is None else found[less, each],
            )
            for each in columns
        },
        {each.name: list(commands(runs, row, each, seed)) for each in columns},
        tuple(_differing(training)) if training else (),
        _learned(training) if training else {},
        less,
    )


def _values(results: Sequence[Results], score: str) -> list[float]:
    """Return the mean of a score over the seeds, document by document."""
    each = [found.systems[0].scores.get(score, ()) for found in results]
    rows = [row for row in zip(*each, strict=True) if not any(map(math.isnan, row))]
    return [fmean(row) for row in rows]


def _cells(
    experiment: Experiment,
    results: Sequence[Results],
    printed: Mapping[str, float],
    base: Sequence[Results] | None = None,
) -> list[Cell]:
    """Return the scores of a row, or their differences from a base, document by document."""
    cells = []
    for score in experiment.scores:
        values = _values(results, score)
        if base is not None:
            both = zip(values, _values(base, score), strict=True)
            values = [one - other for one, other in both]
        cell = Cell(score, None, printed=printed.get(score))
        if values:
            cell = replace(cell, mean=fmean(values))
        if len(values) > 1:
            interval = bootstrap_interval(values)
            cell = replace(cell, low=interval.low, high=interval.high)
        if values and base is None and len(results) > 1:
            cell = replace(cell, deviation=stdev(fmean(_values([each], score)) for each in results))
        cells.append(cell)
    return cells


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
    experiment: Experiment, column: Column, rows: Iterable[str], found: Found
) -> Iterator[Order]:
    """Yield how far the rows follow each other as they do in the paper."""
    printed = {row: experiment.printed(row, column) for row in rows}
    for score in experiment.scores:
        known: dict[str, float] = {}
        for row in printed:
            # What is printed as a difference is added to what it is a difference from.
            parts = [printed[each].get(score) for each in (row, experiment.row(row).less) if each]
            if None not in parts:
                known[row] = sum(filter(None, parts))
        ours = {row: _values(found[row, column], score) for row in known}
        pairs = [
            (one, other)
            for one, other in combinations(known, 2)
            if known[one] != known[other] and ours[one] and ours[other]
        ]
        agree = [
            (fmean(ours[one]) - fmean(ours[other])) * (known[one] - known[other]) > 0
            for one, other in pairs
        ]
        apart = _apart([(ours[one], ours[other]) for one, other in pairs])
        told = Counter(each for each, differ in zip(agree, apart, strict=True) if differ)
        if pairs:
            yield Order(column.name, score, len(pairs), sum(agree), told[True], told[False])


def _apart(pairs: Sequence[tuple[list[float], list[float]]]) -> list[bool]:
    """Return which pairs differ, corrected for their number; none where documents are few."""
    if any(len(one) < FEWEST_PAIRED or len(one) != len(other) for one, other in pairs):
        return [False] * len(pairs)
    chances = [approximate_randomization(one, other) for one, other in pairs]
    return [each < ALPHA for each in corrected(chances)]
