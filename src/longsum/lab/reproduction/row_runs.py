"""The models that the rows of an experiment need, trained in a folder.

What is there already is not done again, so that an interrupted experiment goes on.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsum.common.files import make_folder, write_text
from longsum.common.registry import registered
from longsum.common.structured_text import parse_json
from longsum.core.loading import load_system
from longsum.core.model_files.weight_files import has_plain_weights
from longsum.core.recipes import Recipe, load_recipe
from longsum.core.recipes.recipe import merged
from longsum.core.systems.system import Summarizer
from longsum.evaluation.datasets import Example, load, usual_split
from longsum.lab.reproduction.experiments import HELPER, Column, Experiment, Row
from longsum.lab.reproduction.scales import Scale

Say = Callable[[str], None]
_MODELS, _TINY, _PREPARED = "models", "checkpoints", "prepared"


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
        words = ["longsum", "train", self.recipe.name, "-o", str(self.folder)]
        for name, value in flat(self.overrides):
            text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
            words.append(f"{name}={text}")
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class RowRuns:
    """Runs the rows of an experiment in a folder.

    Attributes:
        experiment: The experiment.
        scale: How large it is run.
        folder: Where everything is kept.
        data: Data of the user's own in place of the paper's; None for those of the scale.
        say: Called with a sentence when a stage begins.
        step: Called with the number of completed updates of a training, and of all.
    """

    experiment: Experiment
    scale: Scale
    folder: Path
    data: str | None = None
    say: Say = lambda _: None
    step: Callable[[int, int], None] = lambda *_: None

    @property
    def split(self) -> str:
        """The split that is measured."""
        if self.data is None:
            return self.scale.split or self.experiment.split
        usual = usual_split(self.data)
        return "test" if usual == "all" else usual

    @property
    def columns(self) -> tuple[Column, ...]:
        """What is measured on: all columns, or those of the first data set alone."""
        every = self.experiment.columns
        alone = self.scale.first_data
        return tuple(each for each in every if not alone or each.data == every[0].data)

    def stands_for(self, data: str) -> str:
        """Return the data set that is used in place of a paper's."""
        return self.data or self.scale.stands_for(data)

    def examples(self, column: Column) -> Iterator[Example]:
        """Yield the documents that are measured."""
        return load(self.stands_for(column.data), self.split, limit=self.scale.measured)

    def _row(self, name: str) -> Row:
        return self.experiment.helpers.get(name) or self.experiment.row(name)

    def _changed(self, name: str, *, papers: bool) -> dict[str, Any]:
        """Return what a row or a helper changes of its recipe, at the paper's own scale or not."""
        row = self._row(name)
        shared = {} if name in self.experiment.helpers else self.experiment.settings
        given = merged(shared, row.settings)
        return merged(given, row.papers) if papers else given

    def training(self, name: str, data: str, seed: int) -> Training | None:
        """Return the training of the model of a row or a helper; None if nothing is trained."""
        if self.experiment.measure == "positions":
            return None
        row = self._row(name)
        recipe = load_recipe(row.recipe or name)
        if recipe.kind not in registered("runs"):
            return None
        learned = row.learns or data
        papers, given = (
            self.with_folders(self._changed(name, papers=papers), learned, seed)
            for papers in (True, self.scale.is_papers)
        )
        held = {"prepared": str(self.folder / _PREPARED)}
        if self.data is not None:
            held["names"] = self.data
        return Training(
            recipe,
            merged(
                self.scale.overrides(recipe, learned, given, self.folder / _TINY),
                {"training": {"seed": seed}, "data": held},
            ),
            merged(papers, {"data": {"names": learned}}),
            self.folder / _MODELS / f"{name}-{learned}-seed{seed}",
        )

    def with_folders(self, values: Any, data: str, seed: int) -> Any:
        """Return settings with the folders of the helpers that they name."""
        if isinstance(values, Mapping):
            return {key: self.with_folders(each, data, seed) for key, each in values.items()}
        if isinstance(values, str) and values.startswith(HELPER):
            helper = self.training(values.removeprefix(HELPER), data, seed)
            return values if helper is None else str(helper.folder)
        return values

    def trainings(self, name: str, column: Column, seed: int) -> Iterator[Training]:
        """Yield what is trained for a row, in order: helpers of helpers, helpers, the row."""
        experiment, papers = self.experiment, self.scale.is_papers

        def needed(values: Any) -> Iterator[str]:
            for each in _named(values):
                yield from needed(self._changed(each, papers=papers))
                yield each

        measuring = [
            f"{HELPER}{each}"
            for each in experiment.helpers
            if each.partition("-qa")[0] in experiment.metrics
        ]
        own = [self._changed(name, papers=papers), experiment.row(name).load, measuring]
        for each in dict.fromkeys([*needed(own), name]):
            if (training := self.training(each, column.data, seed)) is not None:
                yield training

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

    def system(self, name: str, column: Column, seed: int) -> Summarizer:
        """Return the system of a row, whose models are trained."""
        given = self.with_folders(self.experiment.row(name).load, column.data, seed)
        own = self.training(name, column.data, seed)
        return load_system(name if own is None else str(own.folder), **given)


def _named(values: Any) -> Iterator[str]:
    """Yield the helpers that settings name."""
    if isinstance(values, Mapping | list):
        for each in values.values() if isinstance(values, Mapping) else values:
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
