"""The course of every training run: from a recipe, data and a folder to a model in that folder."""

import json
from collections.abc import Callable, Mapping, Sized
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from torch import Tensor, nn
from transformers import (
    PreTrainedModel,
    PrinterCallback,
    Seq2SeqTrainingArguments,
    Trainer,
    set_seed,
)

from longsum.common.errors import LongsumError
from longsum.common.files import filled_folder, make_folder, write_text
from longsum.common.structured_text import parse_yaml
from longsum.common.wording import counted
from longsum.core.model_files.weight_files import has_plain_weights
from longsum.core.recipes.recipe import SHORTHANDS, Recipe, check, merged
from longsum.evaluation.datasets.catalogue import check_folders
from longsum.models.training.callbacks import StepProgress
from longsum.models.training.card import write_card
from longsum.models.training.checkpoints import last_checkpoint
from longsum.models.training.documents import PreparedCache
from longsum.models.training.processes import check_launch, join, shares
from longsum.models.training.run_settings import DataConfig, RunSettings
from longsum.models.training.trainer import (
    LengthGroupedTrainer,
    Lengths,
    examples_of_update,
    training_arguments,
)

SAVED = "training.yaml"
CHECKPOINTS = "checkpoints"
PREPARED = "prepared"
SPLITS = ("train", "validation")
METRICS = "metrics.jsonl"

Settings = TypeVar("Settings", bound=RunSettings)
Tokens = TypeVar("Tokens")
Split = TypeVar("Split", bound=Sized)
Model = TypeVar("Model", bound=PreTrainedModel)
Trained = TypeVar("Trained", bound=LengthGroupedTrainer)


@dataclass(frozen=True, slots=True)
class Prepared(Generic[Tokens, Split]):
    """The tokenizer or vocabulary of a run, and the splits encoded with it."""

    tokens: Tokens
    train: Split
    validation: Split


@dataclass(frozen=True, slots=True)
class Started(Generic[Settings, Tokens, Split, Model]):
    """A run whose data and model are ready, and whose trainer comes next."""

    settings: Settings
    data: Prepared[Tokens, Split]
    model: Model
    arguments: Seq2SeqTrainingArguments
    metrics: Path
    cache: PreparedCache

    def passes(self, examples: int) -> int:
        """Return the number of passes that the run makes over some examples, at least 1."""
        return max(1, -(-self.arguments.max_steps * examples_of_update(self.arguments) // examples))

    def trainer(
        self,
        kind: type[Trained],
        train: Lengths,
        validation: Lengths,
        collate: Callable[[Any], dict[str, Tensor]],
        *,
        model: nn.Module | None = None,
        **more: Any,
    ) -> Trained:
        """Make a trainer of a class, by default for the run's model; see `LengthGroupedTrainer`."""
        return kind(
            model or self.model,
            self.arguments,
            train,
            validation,
            collate=collate,
            settings=self.settings.training,
            metrics=self.metrics,
            **more,
        )


@dataclass(frozen=True, slots=True)
class Run(Generic[Settings, Tokens, Split, Model]):
    """A kind of training run: how it differs from the others.

    Attributes:
        kind: Kind of its recipes.
        form: Dataclass of its settings.
        tokens: Makes the tokenizer or vocabulary, or finds it in the cache.
        split: Encodes a split with it, or finds the split in the cache.
        build: Makes the model that training starts from.
        trainer: Makes the trainer.
        save: Writes the model and its tokenizer or vocabulary to a folder.
        best: The metric whose highest value decides which weights are kept; None keeps the last.
        check: Raises `LongsumError` if the settings do not fit together, before anything is
            written.
    """

    kind: str
    form: type[Settings]
    tokens: Callable[[Settings, PreparedCache], Tokens]
    split: Callable[[Settings, Tokens, str, PreparedCache], Split]
    build: Callable[[Settings, Tokens], Model]
    trainer: Callable[[Started[Settings, Tokens, Split, Model]], LengthGroupedTrainer]
    save: Callable[[Model, Tokens, Path], None]
    best: Callable[[Settings], str | None] = lambda _: None
    check: Callable[[Settings], None] = lambda _: None

    def settings_of(self, recipe: Recipe, overrides: Mapping[str, Any]) -> Settings:
        """Return the settings of a recipe for a data set, with overrides applied last.

        Args:
            recipe: A recipe of this kind.
            overrides: Settings by name, nested; `data` may be the name of a data set.

        Raises:
            LongsumError: The recipe is of another kind, or a setting is unknown or impossible.
        """
        if recipe.kind != self.kind:
            raise LongsumError(
                f"'{recipe.name}' is ready to use and has nothing to train; "
                "'longsum systems' lists the systems that need training."
            )
        expanded = {
            name: {SHORTHANDS[name]: value}
            for name, value in overrides.items()
            if name in SHORTHANDS and isinstance(value, str)
        }
        given = {**overrides, **expanded}
        names = merged(recipe.settings, given).get("data", {}).get("names", DataConfig().names)
        for_data = merged(recipe.settings, recipe.data.get(names, {}))
        return check(self.form, merged(for_data, given), f"The system '{recipe.name}'")

    def prepare(self, settings: Settings, cache: PreparedCache) -> Prepared[Tokens, Split]:
        """Make the data of a run, or find them in the cache.

        Raises:
            LongsumError: The data or the tokenizer are missing, or there is nothing to learn from.
        """
        tokens = self.tokens(settings, cache)
        splits = (self.split(settings, tokens, name, cache) for name in SPLITS)
        return Prepared(tokens, *splits)

    def arguments(self, settings: Settings, output: Path) -> Seq2SeqTrainingArguments:
        """Return the settings of a run in a folder as arguments of `transformers`."""
        return training_arguments(
            output / CHECKPOINTS,
            settings.training,
            save_every=settings.save_every,
            evaluate_every=settings.evaluate_every,
            best=self.best(settings),
        )

    def model(self, settings: Settings, tokens: Tokens) -> Model:
        """Make the model that training starts from, ready to be trained as the settings say."""
        model = self.build(settings, tokens)
        if settings.training.gradient_checkpointing:
            model.gradient_checkpointing_enable({"use_reentrant": False})
        return model

    def train(
        self,
        recipe: Recipe,
        settings: Settings,
        output: Path,
        *,
        say: Callable[[str], None] = lambda _: None,
        step: Callable[[int, int], None] = lambda *_: None,
        measured: Callable[[int, int], None] = lambda *_: None,
        quiet: bool = False,
    ) -> dict[str, float]:
        """Train a system; return the last metrics on the validation data.

        An interrupted run with the same settings in this folder is resumed.

        If torchrun started several processes, all call this; their process group stays open.

        Args:
            recipe: The recipe, which is saved with the result.
            settings: What `settings_of` returns.
            output: Folder of the result: the model with its tokenizer or vocabulary, the settings,
                the log, checkpoints, the record of the documents (`documents.json`), and a card.
            say: Called with a sentence when a stage begins.
            step: Called with the number of completed steps, and of all steps.
            measured: Called with the number of batches measured so far, and of all.
            quiet: Whether losses are only logged, not printed.

        Raises:
            LongsumError: The folder holds a run with other settings, or something else; the data
                are missing; or the settings do not fit together.
        """
        check_launch()
        self.check(settings)
        check_folders(settings.data.names)
        arguments = self.arguments(settings, output)
        set_seed(settings.training.seed)
        cache = PreparedCache(settings.data, output / PREPARED, say)
        # If there are several processes, the first prepares the data and the others find them.
        with arguments.main_process_first(local=False):
            initial_processes = claim(output, recipe, settings, arguments.world_size)
            data = self.prepare(settings, cache)
        batch, accumulate = shares(settings.training, initial_processes, arguments.world_size)
        arguments.per_device_train_batch_size = batch
        arguments.gradient_accumulation_steps = accumulate
        model = self.model(settings, data.tokens)
        facts = [f"{model.num_parameters():,} parameters", counted(len(data.train), "document")]
        if getattr(settings, "checkpoint", None) is None:
            facts.insert(1, "from scratch")
        say(", ".join(facts))
        trainer = self.trainer(Started(settings, data, model, arguments, output / METRICS, cache))
        if quiet:
            trainer.remove_callback(PrinterCallback)
        metrics = fit(trainer, output, say, StepProgress(step, measured))
        first = trainer.is_world_process_zero()
        join(trainer.trained, keep=first)
        if first:
            with filled_folder(output) as folder:
                self.save(model, data.tokens, folder)
            write_card(output, f"{recipe.name}: {recipe.title}", cache.used, metrics)
        trainer.accelerator.wait_for_everyone()
        return metrics


def fit(
    trainer: Trainer, output: Path, say: Callable[[str], None], progress: StepProgress
) -> dict[str, float]:
    """Train to the end, from the last checkpoint if there is one; return the last metrics."""
    checkpoint = last_checkpoint(output / CHECKPOINTS)
    trainer.add_callback(progress)
    say("training" if checkpoint is None else "resuming from the last checkpoint")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    return _measured(trainer)


def _measured(trainer: Trainer) -> dict[str, float]:
    """Return the metrics of the kept weights, which training has measured if it ended just now."""
    state = trainer.state
    kept = state.best_global_step if trainer.args.load_best_model_at_end else state.global_step
    for entry in reversed(state.log_history):
        if entry["step"] == kept and "eval_loss" in entry:
            return {name: value for name, value in entry.items() if name.startswith("eval_")}
    metrics: dict[str, float] = trainer.evaluate()
    return metrics


def claim(output: Path, recipe: Recipe, settings: RunSettings, processes: int = 1) -> int:
    """Record in a folder what is trained there, or check that the run begun there is the same.

    Returns:
        The number of processes that the run began with.

    Raises:
        LongsumError: The folder holds a run with other settings, or something else.
    """
    record = {"recipe": recipe.name, "settings": asdict(settings), "processes": processes}
    record = json.loads(json.dumps(record))
    saved = output / SAVED
    if saved.is_file():
        if last_checkpoint(output / CHECKPOINTS) is not None or has_plain_weights(output):
            begun = _read(saved)
            if _fixed(begun) != _fixed(record):
                raise LongsumError(
                    f"The folder '{output}' holds a run with other settings; name a new folder, or "
                    "give the same settings to resume it."
                )
            record["processes"] = begun["processes"]
    elif output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise LongsumError(f"'{output}' is not an empty folder; name a new one.")
    make_folder(output)
    write_text(saved, yaml.safe_dump(record, sort_keys=False, allow_unicode=True))
    return int(record["processes"])


def _read(saved: Path) -> Any:
    try:
        return parse_yaml(saved.read_text(encoding="utf-8"))
    except ValueError:
        return None


def _fixed(record: Any) -> Any:
    """Return the part of a record that decides the result, which a resumed run may not change."""
    try:
        settings = {**record["settings"], "save_every": None}
        settings["training"] = {**settings["training"], "sharding": None}
        return record["recipe"], settings, isinstance(record["processes"], int)
    except (KeyError, TypeError, ValueError):
        return None
