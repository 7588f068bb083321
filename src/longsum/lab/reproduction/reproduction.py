"""An experiment as a whole: its rows run with several seeds, beside what the paper prints."""

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

_NOT_TOLD = frozenset(
    {"data.prepared", "data.names", "training.seed", "save_every", "evaluate_every"}
)
"""Settings that have no effect on results, or that are reported elsewhere."""
Found = Mapping[tuple[str, Column], Sequence[Results]]


@dataclass(frozen=True, slots=True)
class Cell:
    """A score of a row on a column; a difference where the paper prints one."""

    score: str
    mean: float | None
    low: float | None = None
    high: float | None = None
    deviation: float | None = None
    printed: float | None = None


@dataclass(frozen=True, slots=True)
class RowResult:
    """A row of a table, with its scores and the commands that make only it, by column name."""

    name: str
    title: str
    cells: Mapping[str, Sequence[Cell]]
    commands: Mapping[str, Sequence[str]]
    trainings: Sequence[str]
    less: str | None


@dataclass(frozen=True, slots=True)
class Trained:
    """From the record of a training: documents by data set, and settings that differ."""

    name: str
    learned: Mapping[str, int]
    differs: Sequence[tuple[str, Any, Any]]


@dataclass(frozen=True, slots=True)
class Order:
    """Whether rows follow each other as in the paper, by one score of a column, in pairs."""

    column: str
    score: str
    pairs: int
    agree: int
    told_apart: int
    reversed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an experiment; `to_json` is its file, which `docs/reproduction.md` describes."""

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
        """Return it as JSON values."""
        experiment = self.experiment
        return {
            "schema": "longsum/reproduction/2",
            **asdict(self),
            "experiment": experiment.name,
            **{name: getattr(experiment, name) for name in ("title", "place", "note", "scores")},
            "length": experiment.told_length,
            "quoted": experiment.quotations(),
        }


def run_experiment(runs: RowRuns, rows: Sequence[str], *, seeds: Sequence[int] = (0,)) -> Outcome:
    """Run the rows of an experiment, or read what was run before.

    Raises:
        LongsumError: Data or packages are missing, or a system cannot be loaded.
    """
    experiment, columns = runs.experiment, runs.columns
    # What a row is subtracted from is run, too.
    every = [each for row in rows for each in (experiment.row(row).less or row, row)]
    rows = list(dict.fromkeys(every))
    found: dict[tuple[str, Column], list[Results]] = {}
    trainings: dict[str, Training] = {}
    for column, row in product(columns, rows):
        needed = runs.trainings(row, column, seeds[0])
        trainings |= {each.name: each for each in needed}
        run = seeds if needed else seeds[:1]
        found[row, column] = [score_row(runs, row, column, seed) for seed in run]
    first = {column.name: found[rows[0], column][0] for column in columns}
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
        rows=[_row(runs, row, found, seeds[0]) for row in rows],
        trainings=[_trained(each) for each in trainings.values()],
        orders=[order for column in columns for order in _orders(experiment, column, rows, found)],
        variants=first[columns[0].name].variants,
    )


def _row(runs: RowRuns, name: str, found: Found, seed: int) -> RowResult:
    experiment, columns = runs.experiment, runs.columns
    less = experiment.row(name).less
    trained = (each.name for column in columns for each in runs.trainings(name, column, seed))
    return RowResult(
        name,
        experiment.title_of(name),
        {each.name: list(_cells(experiment, name, each, found)) for each in columns},
        {each.name: list(commands(runs, name, each, seed)) for each in columns},
        tuple(dict.fromkeys(trained)),
        less,
    )


def _cells(experiment: Experiment, row: str, column: Column, found: Found) -> Iterator[Cell]:
    """Yield the scores of a row, or their differences from the row that is subtracted."""
    printed = experiment.printed(row, column)
    base = found.get((experiment.row(row).less or "", column))
    for score in experiment.scores:
        values = _values(found[row, column], score, base)
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
    """Return a score, or its lead over a base, `[seeds, documents]`, where documents have one."""
    own, others = (
        np.array([found.systems[0].scores.get(score, ()) for found in each])
        for each in (results, base or ())
    )
    values = own - others if base else own
    return values[:, ~np.isnan(values).any(axis=0)]


def _trained(training: Training) -> Trained:
    """Return what a training learned from, and what of it is not the paper's setting."""
    from longsum.models.training.run_seq2seq import run_for

    record = parse_yaml((training.folder / "training.yaml").read_text(encoding="utf-8"))
    ours = dict(flat(record["settings"]))
    given = run_for(training.recipe.kind).settings_of(training.recipe, training.papers)
    papers = dict(flat(json.loads(json.dumps(asdict(given)))))
    differs = [
        (name, papers.get(name), ours.get(name))
        for name in dict.fromkeys([*papers, *ours])
        if name not in _NOT_TOLD and papers.get(name) != ours.get(name)
    ]
    return Trained(training.name, learned_from(training.folder), differs)


def _orders(
    experiment: Experiment, column: Column, rows: Sequence[str], found: Found
) -> Iterator[Order]:
    """Yield how far the rows follow each other as they do in the paper."""
    printed = {row: experiment.printed(row, column) for row in rows}
    for score in experiment.scores:
        known: dict[str, float] = {}
        ours: dict[str, list[float]] = {}
        for row in rows:
            # What is printed as a difference is added to what it is a difference from.
            parts = [printed[each].get(score) for each in (row, experiment.row(row).less) if each]
            values = _values(found[row, column], score)
            if None not in parts and values.size:
                known[row] = sum(filter(None, parts))
                ours[row] = values.mean(axis=0).tolist()
        pairs = [pair for pair in combinations(ours, 2) if known[pair[0]] != known[pair[1]]]
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
