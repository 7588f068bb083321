"""A whole experiment: its rows run with several seeds, beside the scores that the paper prints."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, product
from statistics import fmean, stdev
from typing import Any

import numpy as np

from longsum.common.arrays import Array
from longsum.common.structured_text import parse_yaml
from longsum.evaluation.metrics.significance import (
    ALPHA,
    FEWEST_PAIRED,
    approximate_randomization,
    bootstrap_interval,
    corrected,
)
from longsum.lab.comparison.comparison_results import Results
from longsum.lab.reproduction.experiments import Column, Experiment
from longsum.lab.reproduction.measures import OF_ALL, commands, score_row
from longsum.lab.reproduction.row_runs import RowRuns, Training, flat
from longsum.tables.planning.table_systems import learned_from

_UNREPORTED = frozenset(
    {"data.prepared", "data.names", "training.seed", "save_every", "evaluate_every"}
)
"""Settings that have no effect on results, or that are reported elsewhere."""
Scored = Mapping[tuple[str, Column], Sequence[Results]]
"""The results of each row and column, by seed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A score of a row on a column, or a difference of scores if the paper prints one."""

    score: str
    mean: float | None
    low: float | None = None
    high: float | None = None
    deviation: float | None = None
    printed: float | None = None


@dataclass(frozen=True, slots=True)
class RowResult:
    """A row of a table, with its scores and the commands that produce it alone, by column name."""

    name: str
    title: str
    cells: Mapping[str, Sequence[Cell]]
    commands: Mapping[str, Sequence[str]]
    trainings: Sequence[str]
    less: str | None


@dataclass(frozen=True, slots=True)
class Trained:
    """From the record of a training: documents by data set, and settings other than the paper's."""

    name: str
    learned: Mapping[str, int]
    differs: Sequence[tuple[str, Any, Any]]


@dataclass(frozen=True, slots=True)
class Order:
    """How many pairs of rows are in the same order as in the paper, by one score of a column."""

    column: str
    score: str
    pairs: int
    agree: int
    told_apart: int
    reversed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an experiment; `docs/reproduction.md` describes the fields of its file."""

    experiment: Experiment
    scale: str
    split: str
    seeds: Sequence[int]
    documents: Mapping[str, int]
    data: Mapping[str, str]
    rows: Sequence[RowResult]
    trainings: Sequence[Trained]
    orders: Sequence[Order]
    variants: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        """Return the content of its file, as JSON values."""
        experiment = self.experiment
        return {
            "schema": "longsum/reproduction/2",
            **asdict(self),
            "experiment": experiment.name,
            **{name: getattr(experiment, name) for name in ("title", "place", "note", "scores")},
            "length": experiment.length_phrase,
            "quoted": experiment.quotations(),
        }


def run_experiment(runs: RowRuns, rows: Sequence[str], *, seeds: Sequence[int] = (0,)) -> Outcome:
    """Run the rows of an experiment, or read back the results of earlier runs.

    Raises:
        LongsumError: Data or packages are missing, or a system cannot be loaded.
    """
    experiment, columns = runs.experiment, runs.columns
    # A row that is subtracted from another one is run, too.
    with_bases = [name for row in rows for name in (experiment.row(row).less or row, row)]
    rows = list(dict.fromkeys(with_bases))
    scored: dict[tuple[str, Column], list[Results]] = {}
    trainings: dict[str, Training] = {}
    for column, row in product(columns, rows):
        needed = runs.trainings(row, column, seeds[0])
        trainings |= {training.name: training for training in needed}
        row_seeds = seeds if needed else seeds[:1]
        scored[row, column] = [score_row(runs, row, column, seed) for seed in row_seeds]
    first = {column.name: scored[rows[0], column][0] for column in columns}
    return Outcome(
        experiment=experiment,
        scale=runs.scale.name,
        split=runs.split,
        seeds=tuple(seeds),
        documents={
            name: len(results.ids) if results.ids != OF_ALL else 0
            for name, results in first.items()
        },
        data={column.data: runs.stands_for(column.data) for column in columns},
        rows=[_row(runs, row, scored, seeds[0]) for row in rows],
        trainings=[_trained(training) for training in trainings.values()],
        orders=[order for column in columns for order in _orders(experiment, column, rows, scored)],
        variants=first[columns[0].name].variants,
    )


def _row(runs: RowRuns, name: str, scored: Scored, seed: int) -> RowResult:
    experiment, columns = runs.experiment, runs.columns
    trainings = (
        training.name for column in columns for training in runs.trainings(name, column, seed)
    )
    return RowResult(
        name,
        experiment.title_of(name),
        {column.name: list(_cells(experiment, name, column, scored)) for column in columns},
        {column.name: list(commands(runs, name, column, seed)) for column in columns},
        tuple(dict.fromkeys(trainings)),
        experiment.row(name).less,
    )


def _cells(experiment: Experiment, row: str, column: Column, scored: Scored) -> Iterator[Cell]:
    """Yield the scores of a row, or their differences from the row that is subtracted."""
    printed = experiment.printed(row, column)
    base = scored.get((experiment.row(row).less or "", column))
    for score in experiment.scores:
        values = _values(scored[row, column], score, base)
        mean = low = high = deviation = None
        if values.size:
            over_seeds = values.mean(axis=0).tolist()
            mean = fmean(over_seeds)
            if len(over_seeds) > 1:
                interval = bootstrap_interval(over_seeds)
                low, high = interval.low, interval.high
            if len(values) > 1:
                deviation = stdev(values.mean(axis=1).tolist())
        yield Cell(score, mean, low, high, deviation, printed.get(score))


def _values(results: Sequence[Results], score: str, base: Sequence[Results] | None = None) -> Array:
    """Return a score, or its lead over a base, for the documents that have it.

    The shape is `[seeds, documents]`.
    """
    values, base_values = (
        np.array([result.systems[0].scores.get(score, ()) for result in by_seed])
        for by_seed in (results, base or ())
    )
    if base:
        values = values - base_values
    return values[:, ~np.isnan(values).any(axis=0)]


def _trained(training: Training) -> Trained:
    """Return a training's documents, and its settings other than the paper's."""
    from longsum.models.training.run_seq2seq import run_for

    record = parse_yaml((training.folder / "training.yaml").read_text(encoding="utf-8"))
    ours = dict(flat(record["settings"]))
    given = run_for(training.recipe.kind).settings_of(training.recipe, training.papers)
    papers = dict(flat(json.loads(json.dumps(asdict(given)))))
    differs = [
        (name, papers.get(name), ours.get(name))
        for name in dict.fromkeys([*papers, *ours])
        if name not in _UNREPORTED and papers.get(name) != ours.get(name)
    ]
    return Trained(training.name, learned_from(training.folder), differs)


def _orders(
    experiment: Experiment, column: Column, rows: Sequence[str], scored: Scored
) -> Iterator[Order]:
    """Compare the order of the rows with the paper's, by each score that it prints."""
    printed = {row: experiment.printed(row, column) for row in rows}
    for score in experiment.scores:
        known: dict[str, float] = {}
        ours: dict[str, list[float]] = {}
        for row in rows:
            # A printed difference is added to the printed score of the row that is subtracted.
            parts = [printed[name].get(score) for name in (row, experiment.row(row).less) if name]
            values = _values(scored[row, column], score)
            if None not in parts and values.size:
                known[row] = sum(filter(None, parts))
                ours[row] = values.mean(axis=0).tolist()
        pairs = [pair for pair in combinations(ours, 2) if known[pair[0]] != known[pair[1]]]
        agree = [
            (fmean(ours[one]) - fmean(ours[other])) * (known[one] - known[other]) > 0
            for one, other in pairs
        ]
        significant = _significant([(ours[one], ours[other]) for one, other in pairs])
        counts = Counter(
            agrees for agrees, differ in zip(agree, significant, strict=True) if differ
        )
        if pairs:
            yield Order(column.name, score, len(pairs), sum(agree), counts[True], counts[False])


def _significant(pairs: Sequence[tuple[list[float], list[float]]]) -> list[bool]:
    """Return which pairs differ, corrected for their number; none if there are few documents."""
    if any(len(one) < FEWEST_PAIRED or len(one) != len(other) for one, other in pairs):
        return [False] * len(pairs)
    p_values = [approximate_randomization(one, other) for one, other in pairs]
    return [p_value < ALPHA for p_value in corrected(p_values)]
