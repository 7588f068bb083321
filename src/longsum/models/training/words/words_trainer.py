"""The trainer of word-level models."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers import TrainerCallback, TrainerState

from longsum.models.networks.pointer import LongsumPointerGenerator
from longsum.models.networks.words.vocabulary import PAD, UNK
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_dataset import Item
from longsum.models.training.training_dataset import collate as padded
from longsum.models.training.words.words_settings import WordOptimizationConfig


def collate(items: Sequence[Item], words: int) -> dict[str, Tensor]:
    """Join items to a batch, padded on the right.

    Args:
        items: Sources and targets as extended ids.
        words: Size of the vocabulary.

    Returns:
        `input_ids` and `extended_ids`, `[b, n]`, and `labels`, `[b, t]`, −100 where padded.
    """
    batch = padded(items, PAD)
    extended = batch["input_ids"]
    return {
        "input_ids": extended.masked_fill(extended >= words, UNK),
        "extended_ids": extended,
        "labels": batch["labels"],
    }


class WordTrainer(LengthGroupedTrainer):
    """Trains a word-level model on a `TrainingDataset` of extended ids."""

    settings: WordOptimizationConfig

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.terms = 1 + len(_losses(self.model))
        self.add_callback(CoveragePhase(self.settings))

    def new_optimizer(self, model: nn.Module) -> torch.optim.Optimizer:
        """Make Adagrad."""
        return torch.optim.Adagrad(
            model.parameters(),
            lr=self.settings.learning_rate,
            weight_decay=self.settings.weight_decay,
            initial_accumulator_value=self.settings.accumulator,
        )

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of targets, which all have the same weight."""
        return torch.tensor([len(batch["labels"])], device=self.args.device)

    @staticmethod
    def sums(model: nn.Module, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over all targets: the loss, the overlap if there is one, and 1; fp64."""
        found = model(**batch)
        means = torch.stack([found[name] for name in _losses(model)])
        return torch.cat([means, torch.ones_like(means[:1])]).double() * len(batch["labels"])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the mean loss of a target's words and, with coverage, the mean overlap."""
        return dict(zip(("loss", "coverage_loss"), means, strict=False))


def _losses(model: nn.Module | None) -> tuple[str, ...]:
    """Return the names of the losses that a model is measured by."""
    coverage = ("coverage_loss",) if isinstance(model, LongsumPointerGenerator) else ()
    return ("likelihood_loss", *coverage)


class CoveragePhase(TrainerCallback):
    """Turns coverage on for the last updates, and then resets Adagrad's sums."""

    def __init__(self, settings: WordOptimizationConfig) -> None:
        self.settings = settings
        self.begins = max(settings.steps - settings.coverage_steps, 0)

    def on_step_begin(
        self,
        args: Any,  # noqa: ARG002
        state: TrainerState,
        control: Any,  # noqa: ARG002
        model: nn.Module | None = None,
        optimizer: torch.optim.Optimizer | None = None,
        **_: Any,
    ) -> None:
        """Turn it on at its first update, or where a resumed run starts after that."""
        if not self.settings.coverage_steps or state.global_step < self.begins:
            return
        if state.global_step == self.begins and optimizer is not None:
            for each in optimizer.state.values():
                each["sum"].fill_(self.settings.accumulator)
        assert isinstance(model, LongsumPointerGenerator)
        model.use_coverage()

    on_train_begin = on_step_begin
