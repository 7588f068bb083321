"""The measurements of a table's rows, and the commands that measure a single one."""

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
from longsum.evaluation.datasets import Example, salient_positions
from longsum.lab.comparison.comparison import (
    compare,
    compare_trees,
    mean_answer_length,
    mean_reference_length,
)
from longsum.lab.comparison.comparison_metrics import metrics_of
from longsum.lab.comparison.comparison_results import Measured, Results
from longsum.lab.reproduction.experiments import MEAN, Column
from longsum.lab.reproduction.row_runs import RowRuns
from longsum.models.training.documents import fingerprint

OF_ALL = ["all"]
"""The document id of scores over all documents together."""
_SCORES, _TEXTS = "scores", "texts"


def score_row(runs: RowRuns, row: str, column: Column, seed: int) -> Results:
    """Return a row's scores on a column with a seed.

    Earlier scores are read back, except those of a user's own system, which may have changed.
    """
    trainings, experiment = runs.trainings(row, column, seed), runs.experiment
    recipes = [each.recipe for each in trainings]
    if experiment.row(row).system is None and experiment.measure != "positions":
        recipes.append(experiment.recipe(row))
    asked = [
        *(runs.stands_for(column.data), runs.split, runs.scale.measured),
        *(column.length, experiment.metrics),
        *(each.overrides for each in trainings),
        *((each.name, each.kind, each.settings, each.data) for each in recipes),
    ]
    name = f"{row}-{column.name}-seed{seed}-{fingerprint(asked)}.json"
    path = runs.folder / _SCORES / name.replace(" ", "-").replace("/", "-")
    if experiment.row(row).system is not None or not path.is_file():
        trained = [runs.train(each) for each in trainings]
        runs.say(f"scoring {row} on {column.name}")
        results = _measured(runs, row, column, seed, trained)
        make_folder(path.parent)
        write_text(path, json.dumps(results.to_json()))
    return Results.from_json(parse_json(path.read_bytes()))


def _measured(
    runs: RowRuns, row: str, column: Column, seed: int, trained: Sequence[Mapping[str, float]]
) -> Results:
    """Return a row's scores, from its trainings' last measurements too; keep output for studies."""
    experiment, own = runs.experiment, runs.training(row, column.data, seed)
    kept: list[str] = []

    def keep(example: Example, *made: Any) -> None:
        if experiment.study is not None:
            text = made[-1].text if experiment.measure == "games" else made[-1].to_dict()
            shown = {"id": example.id, "system": row, "summary": text}
            kept.append(json.dumps(shown, ensure_ascii=False) + "\n")

    match experiment.measure:
        case "training":
            results = _of_all(row, {key: 100 * value for key, value in trained[-1].items()})
        case "positions":
            data = runs.stands_for(column.data)
            found = salient_positions(data, runs.split, limit=runs.scale.measured).shares
            tenths = enumerate(found["bigrams"], start=1)
            results = _of_all(row, {str(tenth): 100 * share.mean for tenth, share in tenths})
        case "trees" if own is not None:
            budget = mean_answer_length(runs.examples(column))
            makers = {row: load_tree_maker(str(own.folder))}
            results = compare_trees(runs.examples(column), makers, budget, keep=keep)
        case "texts" if own is not None:
            from longsum.lab.reproduction.written_texts import compare_texts

            results = compare_texts(own, runs.split)
        case "games" if own is not None:
            from longsum.lab.reproduction.game_reports import score_written, write_reports

            load = runs.resolved(experiment.row(row).load, column.data, seed)
            models = own.folder, Path(load["realizer"])
            written = list(write_reports(runs.examples(column), *models))
            for example, report in written:
                keep(example, report)
            games, texts = _game_files(runs, row, column, seed)
            make_folder(texts.parent)
            write_text(games, "".join(json.dumps(each.extra["game"]) + "\n" for each, _ in written))
            write_text(texts, "".join(f"{report.text}\n" for _, report in written))
            results = _of_all(row, score_written(written))
        case _:
            results = _summaries(runs, row, column, seed, keep)
    if kept:
        texts = runs.folder / _TEXTS / f"{row}-{column.data}.jsonl"
        make_folder(texts.parent)
        write_text(texts, "".join(kept))
    return results


def _summaries(
    runs: RowRuns, row: str, column: Column, seed: int, keep: Callable[..., None]
) -> Results:
    """Score summaries; a model's text is left as it is."""
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
    """Return where the games of a column and the reports of a row are kept."""
    folder = runs.folder / _TEXTS
    return folder / f"{column.data}.jsonl", folder / f"{row}-{column.data}-seed{seed}.txt"


def _of_all(row: str, scores: Mapping[str, float]) -> Results:
    """Return scores of all documents together as results."""
    measured = Measured(row)
    measured.add(scores, 0, 0.0)
    return Results(OF_ALL, Budget(1), [], [measured.result()])


_OPTIONS = {"prototype": "--prototype", "apes": "--qa-model", "factcc": "--claim-model"}
"""The options of `longsum evaluate` for models that a row or a metric needs."""


def commands(runs: RowRuns, row: str, column: Column, seed: int) -> Iterator[str]:
    """Yield the commands that make only a row's scores."""
    experiment, own = runs.experiment, runs.training(row, column.data, seed)
    for each in runs.trainings(row, column, seed):
        yield each.command
    data = f"{shlex.quote(runs.stands_for(column.data))} --split {runs.split}"
    if experiment.study is not None:
        texts, study = runs.folder / _TEXTS / f"*-{column.data}.jsonl", runs.folder / "study"
        yield f"longsum annotate make {experiment.study} {texts} --data {data} -o {study}"
        return
    data += f" --limit {runs.scale.measured}" if runs.scale.measured else ""
    named = experiment.row(row).system or (row if own is None else own.folder)
    match experiment.measure:
        case "positions":
            yield f"longsum data {data} --positions"
        case "summaries":
            words = f"longsum evaluate --data {data} -s {named}"
            words += f" --metrics {','.join(experiment.metrics)}"
            models = {**experiment.row(row).load, **experiment.models}
            for name, folder in runs.resolved(models, column.data, seed).items():
                words += f" {_OPTIONS[name]} {folder}"
            words += "" if column.length == MEAN else f" --length {column.length}"
            yield f"{words} --as-written{'' if experiment.divided else ' --at-once'}"
        case "trees":
            yield f"longsum evaluate --data {data} --task trees -s {named}"
        case "games":
            games, texts = _game_files(runs, row, column, seed)
            yield f"longsum table {games} --scores {texts}"
        case "training" | "texts" if own is not None:
            # In a folder of its own, since the page would have no other rows.
            given = f"{experiment.name} --scale {runs.scale.name} --rows {row}"
            given += "" if runs.data is None else f" --data {shlex.quote(runs.data)}"
            yield f"longsum reproduce {given} -o {runs.folder}-{row}"
