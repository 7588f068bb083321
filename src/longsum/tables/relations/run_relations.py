"""Runs that train the extractor of relations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.core.encoder.networks import Precision
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.networks.words.word_model_files import save_word_model
from longsum.models.training.run_settings import DataConfig, OptimizationConfig, RunSettings
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_run import Run, Started
from longsum.tables.relations import LongsumRelations, LongsumRelationsConfig
from longsum.tables.relations.candidate_batch import collate
from longsum.tables.relations.prepare_relations import (
    CandidateSplit,
    candidate_split,
    game_labels,
    game_vocabulary,
)


class RelationTrainer(LengthGroupedTrainer):
    """Trains an extractor on a `CandidateSplit`."""

    terms = 6

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of candidates, which all have the same weight."""
        return torch.tensor([len(batch["labels"])], device=self.args.device)

    @staticmethod
    def sums(model: LongsumRelations, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over all candidates: `[6]`, fp64.

        They are the loss; how many labels were found that are not `NONE`, and how many of them are
        right; how many candidates have a right one; how many were decided rightly; and 1.
        """
        found = model(**batch)
        labels, none = batch["labels"].bool(), model.config.none
        chosen = found.scores.argmax(dim=-1)
        right = labels.gather(1, chosen[:, None]).squeeze(1)
        some = chosen != none
        counts = torch.stack(
            [some.sum(), (some & right).sum(), (~labels[:, none]).sum(), right.sum()]
        )
        size = torch.tensor([len(labels)], device=counts.device)
        return torch.cat([found.loss[None] * size, counts, size]).double()

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss, precision and recall of relations, and how often all was right."""
        loss, found, right, there, decided = means
        return {
            "loss": loss,
            "precision": right / found if found else 0.0,
            "recall": right / there if there else 0.0,
            "accuracy": decided,
        }


@dataclass(frozen=True, slots=True)
class RelationDataConfig(DataConfig):
    """What is learned from: a data set of games."""

    names: str = "rotowire"


@dataclass(frozen=True, slots=True)
class RelationOptimizationConfig(OptimizationConfig):
    """Optimizer and schedule settings."""

    precision: Precision = "fp32"
    gradient_checkpointing: Literal[False] = False


@dataclass(frozen=True, slots=True)
class RelationSettings(RunSettings):
    """A trained extractor of relations.

    Attributes:
        model: Fields of `LongsumRelationsConfig`; the labels are those of games.
        vocabulary: Size of the vocabulary, including the four special tokens.
    """

    vocabulary: int = 10_000
    data: RelationDataConfig = field(default_factory=RelationDataConfig)
    training: RelationOptimizationConfig = field(default_factory=RelationOptimizationConfig)


def build_model(settings: RelationSettings, vocabulary: Vocabulary) -> LongsumRelations:
    """Make the ensemble that the settings describe.

    Raises:
        LongsumError: A setting of the model is unknown or impossible.
    """
    known = LongsumRelationsConfig.__annotations__
    if unknown := [name for name in settings.model if name not in known]:
        raise LongsumError(
            f"An extractor of relations has no setting '{unknown[0]}'; it has "
            f"{', '.join(sorted(known))}."
        )
    given = {
        **settings.model,
        "vocab_size": len(vocabulary),
        "labels": list(game_labels()),
    }
    return LongsumRelations(LongsumRelationsConfig(**given))


def make_trainer(
    run: Started[RelationSettings, Vocabulary, CandidateSplit, LongsumRelations],
) -> RelationTrainer:
    """Make the trainer."""
    return run.trainer(RelationTrainer, run.data.train, run.data.validation, collate)


RELATIONS = Run(
    kind="relations",
    form=RelationSettings,
    tokens=lambda settings, cache: game_vocabulary(settings.vocabulary, cache),
    split=lambda _, vocabulary, name, cache: candidate_split(vocabulary, name, cache),
    build=build_model,
    trainer=make_trainer,
    save=save_word_model,
)
