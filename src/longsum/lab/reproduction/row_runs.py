"""The models that the rows of an experiment need, trained in a folder.

Finished work is not repeated, so that an interrupted experiment continues.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsum.common.files import write_text
from longsum.common.registry import registered
from longsum.common.structured_text import parse_json
from longsum.core.loading import load_system
from longsum.core.model_files.weight_files import has_plain_weights
from longsum.core.own_systems import load_any_system
from longsum.core.recipes import Recipe
from longsum.core.recipes.recipe import merged
from longsum.core.systems.system import Summarizer
from longsum.evaluation.datasets import Example, load, usual_split
from longsum.lab.reproduction.experiments import HELPER, Column, Experiment
from longsum.lab.reproduction.scales import Scale

Say = Callable[[str], None]
_MODELS, _TINY, _PREPARED = "models", "checkpoints", "prepared"


@dataclass(frozen=True, slots=True)
class Training:
    """A model that is trained for a row.

    Attributes:
        name: The row or the helper, and the data that it learns from.
        recipe: The recipe.
        overrides: Changes to the recipe's settings in this run.
        papers: Changes to the recipe's settings in the paper.
        folder: The folder of the model.
    """

    name: str
    recipe: Recipe
    overrides: Mapping[str, Any]
    papers: Mapping[str, Any]
    folder: Path

    @property
    def command(self) -> str:
        """The command that trains only this model."""
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
        scale: The scale.
        folder: The folder of all models, scores and texts.
        data: The user's own data, used in place of the paper's; None for the scale's.
        say: Called with a message when a stage begins.
        step: Called with the completed updates of a training, their total, and a label.
    """

    experiment: Experiment
    scale: Scale
    folder: Path
    data: str | None = None
    say: Say = lambda _: None
    step: Callable[[int, int, str], None] = lambda *_: None

    @property
    def split(self) -> str:
        """The split that is measured."""
        if self.data is None:
            return self.scale.split or self.experiment.split
        usual = usual_split(self.data)
        return "test" if usual == "all" else usual

    @property
    def columns(self) -> tuple[Column, ...]:
        """The measured columns: all, or only those of the first data set."""
        columns = self.experiment.columns
        if not self.scale.first_data:
            return columns
        return tuple(column for column in columns if column.data == columns[0].data)

    def stands_for(self, data: str) -> str:
        """Return the data set that is used in place of the paper's."""
        return self.data or self.scale.stands_for(data)

    def examples(self, column: Column) -> Iterator[Example]:
        """Yield the documents that are measured."""
        return load(self.stands_for(column.data), self.split, limit=self.scale.measured)

    def training(
        self, name: str, data: str, seed: int, before: dict[str, Training] | None = None
    ) -> Training | None:
        """Return the training of a row's or helper's model; None if nothing is trained.

        If `before` is given, the trainings that it depends on are added to it, then the training
        itself, by name.
        """
        experiment = self.experiment
        row = experiment.row(name)
        if experiment.measure == "positions" or row.system is not None:
            return None
        recipe = experiment.recipe(name)
        if recipe.kind not in registered("runs"):
            return None
        learned = row.learns or data
        shared = {} if name in experiment.helpers else experiment.settings
        changed = merged(shared, row.settings)
        papers = merged(changed, row.papers)
        given = self.resolved(papers if self.scale.is_papers else changed, learned, seed, before)
        data_settings = {"prepared": str(self.folder / _PREPARED)}
        if self.data is not None:
            data_settings["names"] = self.data
        training = Training(
            f"{name}-{learned}",
            recipe,
            merged(
                self.scale.overrides(recipe, learned, given, self.folder / _TINY),
                {"training": {"seed": seed}, "data": data_settings},
            ),
            merged(self.resolved(papers, learned, seed), {"data": {"names": learned}}),
            self.folder / _MODELS / f"{name}-{learned}-seed{seed}",
        )
        return training if before is None else before.setdefault(training.name, training)

    def resolved(
        self, values: Any, data: str, seed: int, before: dict[str, Training] | None = None
    ) -> Any:
        """Return settings with names of helpers replaced by their folders; see `training`."""
        if isinstance(values, Mapping):
            return {key: self.resolved(value, data, seed, before) for key, value in values.items()}
        if isinstance(values, str) and values.startswith(HELPER):
            helper = self.training(values.removeprefix(HELPER), data, seed, before)
            return values if helper is None else str(helper.folder)
        return values

    def trainings(self, name: str, column: Column, seed: int) -> list[Training]:
        """Return the trainings of a row in order: helpers of helpers, helpers, the row's own."""
        trainings: dict[str, Training] = {}
        loaded = {**self.experiment.row(name).load, **self.experiment.models}
        self.resolved(loaded, column.data, seed, trainings)
        self.training(name, column.data, seed, trainings)
        return list(trainings.values())

    def train(self, training: Training) -> dict[str, float]:
        """Train a model, or resume an interrupted training; return its last measurement."""
        from longsum.models.training.run_seq2seq import run_for
        from longsum.models.training.training_run import claim

        self.prepare(training)
        if self.scale.threads is not None:
            import torch

            # For so little work, threads cost more time in synchronization than they save.
            torch.set_num_threads(self.scale.threads)
        recipe, folder = training.recipe, training.folder
        run = run_for(recipe.kind)
        settings = run.settings_of(recipe, training.overrides)
        measured = folder / "measured.json"
        if has_plain_weights(folder) and measured.is_file():
            claim(folder, recipe, settings)
        else:
            self.say(f"training {folder.name}")
            measurement = run.train(
                recipe,
                settings,
                folder,
                say=self.say,
                quiet=True,
                step=lambda done, total: self.step(done, total, f"Training {folder.name}"),
            )
            write_text(measured, json.dumps(measurement))
        last: dict[str, float] = parse_json(measured.read_bytes())
        return last

    def prepare(self, training: Training) -> None:
        """Write the tiny checkpoint that a training starts from, unless it exists."""
        from longsum.models.networks.tiny_checkpoints import write_tiny_checkpoint

        start = Path(training.overrides.get("checkpoint") or "")
        if start.parent == self.folder / _TINY and not start.is_dir():
            texts = (example.document.text for example in load("planted", "train", limit=60))
            write_tiny_checkpoint(start.name, start, texts)

    def system(self, name: str, column: Column, seed: int) -> Summarizer:
        """Return the system of a row, whose models have been trained."""
        row = self.experiment.row(name)
        if row.system is not None:
            system = load_any_system(row.system)
            system.name = name
            return system
        options = self.resolved(row.load, column.data, seed)
        training = self.training(name, column.data, seed)
        return load_system(name if training is None else str(training.folder), **options)


def flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield nested settings with the names that lead to them, joined by dots."""
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value
