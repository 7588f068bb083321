"""Running one row of an experiment: its models are trained, and what they make is scored.

What is there already is not done again, so that an interrupted experiment goes on.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, write_text
from longsum.common.registry import registered
from longsum.common.structured_text import parse_json
from longsum.core.loading import load_system
from longsum.core.model_files.weight_files import has_plain_weights
from longsum.core.pipeline import Options
from longsum.core.recipes import Recipe, load_recipe
from longsum.core.recipes.recipe import merged
from longsum.core.summaries import Budget
from longsum.core.systems.system import Summarizer
from longsum.core.tree_makers import load_tree_maker
from longsum.evaluation.datasets import Example, load, salient_positions
from longsum.lab.comparison.comparison import (
    compare,
    compare_trees,
    mean_answer_length,
    mean_reference_length,
)
from longsum.lab.comparison.comparison_metrics import MODEL_METRICS, Metric, metrics_of
from longsum.lab.comparison.comparison_results import Measured, Results
from longsum.lab.reproduction.experiments import HELPER, MEAN, Column, Experiment, Helper
from longsum.lab.reproduction.scales import Scale

if TYPE_CHECKING:
    from longsum.tables.report import Report

Say = Callable[[str], None]
_MODELS, _SCORES, _TINY, _PREPARED = "models", "scores", "checkpoints", "prepared"


@dataclass(frozen=True, slots=True)
class Training:
    """A model that is trained for a row.

    Attributes:
        recipe: Its recipe.
        overrides: What is changed of its settings.
        papers: What the paper's setting changes of them.
        folder: Where it is kept.
    """

    recipe: Recipe
    overrides: Mapping[str, Any]
    papers: Mapping[str, Any]
    folder: Path

    @property
    def command(self) -> str:
        """The command that trains it alone."""
        given = (f"{name}={_as_word(value)}" for name, value in flat(self.overrides))
        return " ".join(["longsum train", self.recipe.name, f"-o {self.folder}", *given])


@dataclass(frozen=True, slots=True)
class RowRuns:
    """Runs the rows of an experiment in a folder.

    Attributes:
        experiment: The experiment.
        scale: How large it is run.
        folder: Where everything is kept.
        split: The split that is measured.
        data: Data of the user's own in place of the paper's; None for those of the scale.
        say: Called with a sentence when a stage begins.
        step: Called with the number of completed updates of a training, and of all.
    """

    experiment: Experiment
    scale: Scale
    folder: Path
    split: str
    data: str | None = None
    say: Say = lambda _: None
    step: Callable[[int, int], None] = lambda *_: None

    @property
    def columns(self) -> tuple[Column, ...]:
        """What is measured on: all columns, or those of the first data set alone."""
        every = self.experiment.columns
        alone = self.scale.first_data
        return tuple(each for each in every if not alone or each.data == every[0].data)

    def stands_for(self, data: str) -> str:
        """Return the data set that is used in place of a paper's."""
        return self.data or self.scale.stands_for(data)

    def training(self, name: str, data: str, seed: int) -> Training | None:
        """Return the training of a row's model; None if nothing is trained."""
        if self.experiment.measure == "positions":
            return None
        row, recipe = self.experiment.row(name), self.experiment.recipe(name)
        if recipe.kind not in registered("runs"):
            return None
        given = merged(self.experiment.settings, row.settings)
        return self._training(name, recipe, row.learns or data, given, seed)

    def _training(
        self, name: str, recipe: Recipe, data: str, given: Mapping[str, Any], seed: int
    ) -> Training:
        tiny = {kind: self.folder / _TINY / kind for kind in self.scale.tiny_kinds()}
        ready = self._with_folders(given, data, seed)
        overrides = self.scale.overrides(recipe, data, ready, tiny)
        prepared = str(self.folder / _PREPARED)
        overrides = merged(overrides, {"training": {"seed": seed}, "data": {"prepared": prepared}})
        if self.data is not None:
            overrides = merged(overrides, {"data": {"names": self.data}})
        folder = self.folder / _MODELS / f"{name}-{data}-seed{seed}"
        return Training(recipe, overrides, merged(given, {"data": {"names": data}}), folder)

    def helper(self, name: str, data: str, seed: int) -> Training:
        """Return the training of a helper.

        Raises:
            LongsumError: The experiment has none of this name.
        """
        helper: Helper | None = self.experiment.helpers.get(name)
        if helper is None:
            raise LongsumError(f"The experiment has no helper '{name}'.")
        recipe = load_recipe(helper.recipe)
        return self._training(name, recipe, helper.data or data, helper.settings, seed)

    def trainings(self, name: str, column: Column, seed: int) -> Iterator[Training]:
        """Yield what is trained for a row, in order: helpers of helpers, helpers, the row."""
        experiment, done = self.experiment, set()
        row = experiment.row(name)
        wanted = [*_named({**experiment.settings, **row.settings}), *_named(row.load)]
        needed = {each.partition("-qa")[0]: each for each in experiment.helpers}
        wanted += [needed[metric] for metric in experiment.metrics if metric in needed]

        def below(names: list[str]) -> Iterator[Training]:
            for each in names:
                if each not in done:
                    done.add(each)
                    yield from below(list(_named(experiment.helpers[each].settings)))
                    yield self.helper(each, column.data, seed)

        yield from below(wanted)
        own = self.training(name, column.data, seed)
        if own is not None:
            yield own

    def _with_folders(self, values: Any, data: str, seed: int) -> Any:
        """Return settings with the folders of the helpers that they name."""
        if isinstance(values, Mapping):
            return {key: self._with_folders(each, data, seed) for key, each in values.items()}
        if isinstance(values, str) and values.startswith(HELPER):
            return str(self.helper(values.removeprefix(HELPER), data, seed).folder)
        return values

    def train(self, training: Training) -> dict[str, float]:
        """Train a model, or go on where training was interrupted; return its last measurement."""
        from longsum.models.training.run_seq2seq import run_for
        from longsum.models.training.training_run import claim

        self.prepare(training)
        if self.scale.threads is not None:
            import torch

            # Threads that wait for each other take longer than so little work.
            torch.set_num_threads(self.scale.threads)
        run = run_for(training.recipe.kind)
        settings = run.settings_of(training.recipe, training.overrides)
        measured = training.folder / "measured.json"
        if has_plain_weights(training.folder) and measured.is_file():
            claim(training.folder, training.recipe, settings)
            found: dict[str, float] = parse_json(measured.read_bytes())
            return found
        self.say(f"training {training.folder.name}")
        found = run.train(
            training.recipe, settings, training.folder, say=self.say, quiet=True, step=self.step
        )
        write_text(measured, json.dumps(found))
        return found

    def prepare(self, training: Training) -> None:
        """Write the tiny checkpoint that a training starts from, unless it is there."""
        from longsum.models.networks.tiny_checkpoints import KINDS, write_tiny_checkpoint

        for kind in KINDS:
            folder = self.folder / _TINY / kind
            if training.overrides.get("checkpoint") == str(folder) and not folder.is_dir():
                make_folder(folder.parent)
                texts = (each.document.text for each in load("planted", "train", limit=60))
                write_tiny_checkpoint(kind, folder, texts)

    def score(self, name: str, column: Column, seed: int) -> Results:
        """Return what a row scores on a column with a seed; what was scored is read again."""
        path = self.folder / _SCORES / f"{name}-{column.name}-seed{seed}.json".replace(" ", "-")
        trainings = list(self.trainings(name, column, seed))
        asked = {
            "data": self.stands_for(column.data),
            "split": self.split,
            "length": column.length,
            "metrics": list(self.experiment.metrics),
            "measured": self.scale.measured,
            "training": [[each.recipe.name, dict(flat(each.overrides))] for each in trainings],
        }
        asked = json.loads(json.dumps(asked))
        if path.is_file():
            kept = parse_json(path.read_bytes())
            if kept["asked"] == asked:
                return Results.from_json(kept["results"])
        measured = [self.train(each) for each in trainings]
        self.say(f"scoring {name} on {column.name}")
        results = self._scored(name, column, seed, measured)
        make_folder(path.parent)
        write_text(path, json.dumps({"asked": asked, "results": results.to_json()}))
        return results

    def examples(self, column: Column) -> Iterator[Example]:
        """Yield the documents that are measured."""
        return load(self.stands_for(column.data), self.split, limit=self.scale.measured)

    def _scored(
        self, name: str, column: Column, seed: int, measured: list[dict[str, float]]
    ) -> Results:
        experiment = self.experiment
        own = self.training(name, column.data, seed)
        match experiment.measure:
            case "training":
                return _one(name, {key: 100 * value for key, value in measured[-1].items()})
            case "positions":
                return self._positions(name, column)
            case "trees" if own is not None:
                budget = mean_answer_length(self.examples(column))
                makers = {name: load_tree_maker(str(own.folder))}
                return compare_trees(self.examples(column), makers, budget)
            case "texts" if own is not None:
                from longsum.lab.reproduction.written_texts import compare_texts

                return compare_texts(name, own.recipe, own.overrides, own.folder, self.split)
            case "games" if own is not None:
                return self._reports(name, own, column, seed)
            case "people":
                return self._shown(name, column, seed)
            case _:
                return self.compared(self.system(name, column, seed), column, seed)

    def _shown(self, name: str, column: Column, seed: int) -> Results:
        """Write what a row makes for a study of what people say of it; nothing is scored."""
        own = self.training(name, column.data, seed)
        lines: list[str] = []

        def keep(example: Example, *made: Any) -> None:
            shown = {"id": example.id, "system": name, "summary": made[-1].to_dict()}
            lines.append(json.dumps(shown, ensure_ascii=False) + "\n")

        if self.experiment.study == "best-worst" and own is not None:
            for example, report in self._reported(name, own, column, seed):
                shown = {"id": example.id, "system": name, "summary": report.text}
                lines.append(json.dumps(shown, ensure_ascii=False) + "\n")
        elif self.experiment.study == "trees" and own is not None:
            makers = {name: load_tree_maker(str(own.folder))}
            budget = mean_answer_length(self.examples(column))
            compare_trees(self.examples(column), makers, budget, keep=keep)
        else:
            budget = mean_reference_length(self.examples(column))
            system = self.system(name, column, seed)
            compare(self.examples(column), [system], budget, keep=keep, options=self._options())
        texts = self.folder / "texts" / f"{name}-{column.data}.jsonl"
        make_folder(texts.parent)
        write_text(texts, "".join(lines))
        return _one(name, {})

    def _reported(
        self, name: str, own: Training, column: Column, seed: int
    ) -> "Iterator[tuple[Example, Report]]":
        """Yield the games that are measured, with the reports that a row writes of them."""
        from longsum.lab.reproduction.game_reports import write_reports

        load = self._with_folders(self.experiment.row(name).load, column.data, seed)
        return write_reports(self.examples(column), own.folder, Path(load["realizer"]))

    def _reports(self, name: str, own: Training, column: Column, seed: int) -> Results:
        """Score the reports of games; they and the games are kept."""
        from longsum.lab.reproduction.game_reports import score_written

        written = list(self._reported(name, own, column, seed))
        games, texts = self.game_files(name, column, seed)
        make_folder(texts.parent)
        told = (json.dumps(example.extra["game"]) + "\n" for example, _ in written)
        write_text(games, "".join(told))
        write_text(texts, "".join(f"{report.text}\n" for _, report in written))
        return _one(name, score_written(written))

    def game_files(self, name: str, column: Column, seed: int) -> tuple[Path, Path]:
        """Return where the games of a column and the reports of a row are kept."""
        folder = self.folder / "texts"
        return folder / f"{column.data}.jsonl", folder / f"{name}-{column.data}-seed{seed}.txt"

    def system(self, name: str, column: Column, seed: int) -> Summarizer:
        """Return the system of a row, whose models are trained."""
        given = self._with_folders(self.experiment.row(name).load, column.data, seed)
        own = self.training(name, column.data, seed)
        return load_system(name if own is None else str(own.folder), **given)

    def compared(self, system: Summarizer, column: Column, seed: int) -> Results:
        """Return what a system scores on a column."""
        named = self.experiment.metrics
        more = self._model_metrics(column.data, seed) if set(named) & set(MODEL_METRICS) else {}
        budget = (
            mean_reference_length(self.examples(column))
            if column.length == MEAN
            else Budget.parse(column.length)
        )
        return compare(
            self.examples(column),
            [system],
            budget,
            metrics=named,
            more=more,
            options=self._options(),
        )

    def _options(self) -> Options:
        """Return how systems summarize: as in the papers, what a model writes is left as it is."""
        return Options(as_written=True, at_once=not self.experiment.divided)

    def _model_metrics(self, data: str, seed: int) -> dict[str, Metric]:
        from longsum.lab.checking.checkers import ClaimScorer, SpanAnswerer

        folders = {each: self.helper(each, data, seed).folder for each in self.experiment.helpers}
        return metrics_of(
            SpanAnswerer.load(folders["apes-qa"]), ClaimScorer.load(folders["factcc"])
        )

    def _positions(self, name: str, column: Column) -> Results:
        found = salient_positions(
            self.stands_for(column.data), self.split, limit=self.scale.measured
        )
        pairs = found.shares["bigrams"]
        return _one(name, {str(tenth): 100 * each.mean for tenth, each in enumerate(pairs, 1)})


def _one(name: str, scores: Mapping[str, float]) -> Results:
    """Return scores of all documents together as results."""
    measured = Measured(name)
    measured.add(scores, 0, 0.0)
    return Results(["all"], Budget(1), [], [measured.result()])


def _named(values: Any) -> Iterator[str]:
    """Yield the helpers that settings name."""
    if isinstance(values, Mapping):
        for each in values.values():
            yield from _named(each)
    elif isinstance(values, str) and values.startswith(HELPER):
        yield values.removeprefix(HELPER)


def flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield nested settings with their names, joined by dots."""
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _as_word(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return f"'{text}'" if any(sign in text for sign in ' {}[]"&?') else text
