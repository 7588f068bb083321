"""Measurement of a table's rows, and the commands that measure a single row."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from longsum.common.files import make_folder, write_text
from longsum.common.structured_text import parse_json
from longsum.core.pipeline import Options
from longsum.core.summaries import Budget
from longsum.core.tree_makers import load_tree_maker
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.dataset_statistics import salient_positions
from longsum.lab.comparison.comparison import (
    compare,
    compare_trees,
    mean_answer_length,
    mean_reference_length,
)
from longsum.lab.comparison.comparison_metrics import metrics_of
from longsum.lab.comparison.comparison_results import Results, SystemResult
from longsum.lab.reproduction.experiments import MEAN, Column
from longsum.lab.reproduction.row_runs import RowRuns
from longsum.models.training.documents import fingerprint

OF_ALL = ["all"]
"""The document ids of scores that are computed over all documents together."""
_SCORES, _TEXTS = "scores", "texts"


def score_row(runs: RowRuns, row: str, column: Column, seed: int) -> Results:
    """Return a row's scores on a column with a seed.

    Earlier scores are read back, except those of a user's own system, which may have changed.
    """
    trainings, experiment = runs.trainings(row, column, seed), runs.experiment
    recipes = [training.recipe for training in trainings]
    if experiment.row(row).system is None and experiment.measure != "positions":
        recipes.append(experiment.recipe(row))
    key = [
        *(runs.stands_for(column.data), runs.split, runs.scale.measured),
        *(column.length, experiment.metrics),
        *(training.overrides for training in trainings),
        *((recipe.name, recipe.kind, recipe.settings, recipe.data) for recipe in recipes),
    ]
    name = f"{row}-{column.name}-seed{seed}-{fingerprint(key)}.json"
    path = runs.folder / _SCORES / name.replace(" ", "-").replace("/", "-")
    if experiment.row(row).system is not None or not path.is_file():
        measurements = [runs.train(training) for training in trainings]
        runs.say(f"scoring {row} on {column.name}")
        results = _measure(runs, row, column, seed, measurements)
        make_folder(path.parent)
        write_text(path, json.dumps(results.to_json()))
    return Results.from_json(parse_json(path.read_bytes()))


def _measure(
    runs: RowRuns, row: str, column: Column, seed: int, measurements: Sequence[Mapping[str, float]]
) -> Results:
    """Measure a row, and write its output for a study if the experiment has one.

    `measurements` are the last ones of the row's trainings.
    """
    experiment, training = runs.experiment, runs.training(row, column.data, seed)
    lines: list[str] = []

    def keep(example: Example, *output: Any) -> None:
        if experiment.study is not None:
            text = output[-1].text if experiment.measure == "games" else output[-1].to_dict()
            record = {"id": example.id, "system": row, "summary": text}
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")

    match experiment.measure:
        case "training":
            results = _of_all(row, {key: 100 * value for key, value in measurements[-1].items()})
        case "positions":
            data = runs.stands_for(column.data)
            shares = salient_positions(data, runs.split, limit=runs.scale.measured).shares
            tenths = enumerate(shares["bigrams"], start=1)
            results = _of_all(row, {str(tenth): 100 * share.mean for tenth, share in tenths})
        case "trees" if training is not None:
            budget = mean_answer_length(runs.examples(column))
            makers = {row: load_tree_maker(str(training.folder))}
            results = compare_trees(runs.examples(column), makers, budget, keep=keep)
        case "texts" if training is not None:
            from longsum.lab.reproduction.written_texts import compare_texts

            results = compare_texts(training, runs.split)
        case "games" if training is not None:
            from longsum.lab.reproduction.game_reports import score_written, write_reports

            load = runs.resolved(experiment.row(row).load, column.data, seed)
            models = training.folder, Path(load["realizer"])
            written = list(write_reports(runs.examples(column), *models))
            for example, report in written:
                keep(example, report)
            games, texts = _game_files(runs, row, column, seed)
            make_folder(texts.parent)
            write_text(
                games,
                "".join(json.dumps(example.extra["game"]) + "\n" for example, _ in written),
            )
            write_text(texts, "".join(f"{report.text}\n" for _, report in written))
            results = _of_all(row, score_written(written))
        case _:
            results = _score_summaries(runs, row, column, seed, keep)
    if lines:
        texts = runs.folder / _TEXTS / f"{row}-{column.data}.jsonl"
        make_folder(texts.parent)
        write_text(texts, "".join(lines))
    return results


def _score_summaries(
    runs: RowRuns, row: str, column: Column, seed: int, keep: Callable[..., None]
) -> Results:
    """Score the summaries of a row, with a model's text as it was written."""
    experiment = runs.experiment
    more = {}
    if models := runs.resolved(experiment.models, column.data, seed):
        from longsum.lab.checking.checkers import ClaimScorer, SpanAnswerer

        more = metrics_of(
            SpanAnswerer.load(Path(models["apes"])), ClaimScorer.load(Path(models["factcc"]))
        )
    return compare(
        runs.examples(column),
        [runs.system(row, column, seed)],
        mean_reference_length(runs.examples(column))
        if column.length == MEAN
        else Budget.parse(column.length),
        metrics=experiment.metrics,
        more=more,
        options=Options(as_written=True, at_once=not experiment.divided),
        keep=keep,
    )


def _game_files(runs: RowRuns, row: str, column: Column, seed: int) -> tuple[Path, Path]:
    """Return the files of a column's games and of a row's reports on them."""
    folder = runs.folder / _TEXTS
    return folder / f"{column.data}.jsonl", folder / f"{row}-{column.data}-seed{seed}.txt"


def _of_all(row: str, scores: Mapping[str, float]) -> Results:
    """Return scores that were computed over all documents together, as results."""
    measured = SystemResult(row)
    measured.add(scores, 0, 0.0)
    return Results(OF_ALL, Budget(1), [], [measured])


_OPTIONS = {"prototype": "--prototype", "apes": "--qa-model", "factcc": "--claim-model"}
"""The option of `longsum evaluate` for each model that a row or a metric needs."""


def commands(runs: RowRuns, row: str, column: Column, seed: int) -> Iterator[str]:
    """Yield the commands that produce the scores of a single row."""
    experiment, training = runs.experiment, runs.training(row, column.data, seed)
    for needed in runs.trainings(row, column, seed):
        yield needed.command
    data = f"{shlex.quote(runs.stands_for(column.data))} --split {runs.split}"
    if experiment.study is not None:
        texts, study = runs.folder / _TEXTS / f"*-{column.data}.jsonl", runs.folder / "study"
        yield f"longsum annotate make {experiment.study} {texts} --data {data} -o {study}"
        return
    data += f" --limit {runs.scale.measured}" if runs.scale.measured else ""
    system = experiment.row(row).system or (row if training is None else training.folder)
    match experiment.measure:
        case "positions":
            yield f"longsum data {data} --positions"
        case "summaries":
            command = f"longsum evaluate --data {data} -s {system}"
            command += f" --metrics {','.join(experiment.metrics)}"
            models = {**experiment.row(row).load, **experiment.models}
            for name, folder in runs.resolved(models, column.data, seed).items():
                command += f" {_OPTIONS[name]} {folder}"
            command += "" if column.length == MEAN else f" --length {column.length}"
            yield f"{command} --as-written{'' if experiment.divided else ' --at-once'}"
        case "trees":
            yield f"longsum evaluate --data {data} --task trees -s {system}"
        case "games":
            games, texts = _game_files(runs, row, column, seed)
            yield f"longsum table {games} --scores {texts}"
        case "training" | "texts" if training is not None:
            # In another folder, since this one's page would lose its other rows.
            options = f"{experiment.name} --scale {runs.scale.name} --rows {row}"
            options += "" if runs.data is None else f" --data {shlex.quote(runs.data)}"
            yield f"longsum reproduce {options} -o {runs.folder}-{row}"
