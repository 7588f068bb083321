"""Runs that train the extractor of relations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.core.encoder.networks import Precision
from longsum.evaluation.datasets import Example
from longsum.language.sentences import sentence_texts
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.networks.words.word_model_files import save_word_model
from longsum.models.tasks.prepared import Columns, entry, joined
from longsum.models.training.documents import PreparedCache, Tally
from longsum.models.training.run_settings import DataConfig, OptimizationConfig, RunSettings
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_run import Run, Started
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.games.rotowire_types import PLAYER_NUMBERS, TEAM_NUMBERS
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.relation_candidates import Candidate, candidates
from longsum.tables.relations import LongsumRelations, LongsumRelationsConfig
from longsum.tables.relations.candidate_batch import EncodedCandidate, collate, encoded
from longsum.tables.relations.configuration_relations import NONE

FORMAT = 1
"""Changes whenever the columns do, so that older files are not used."""


@dataclass(frozen=True, slots=True)
class CandidateSplit(Columns):
    """Candidates, concatenated in flat arrays.

    Attributes:
        ids: Words of the sentences of all candidates.
        ends: Where each candidate's words end.
        names: The words of each name, `[c, 2]`: the first, and the one after the last.
        numbers: The words of each number.
        labels: Whether each label is right, `[c, L]`.
    """

    ids: Ints
    ends: Places
    names: Ints
    numbers: Ints
    labels: NDArray[np.bool_]

    @classmethod
    def of(cls, encoded: Iterable[EncodedCandidate]) -> "CandidateSplit":
        """Join candidates.

        Raises:
            LongsumError: There are none.
        """
        each = list(encoded)
        if not each:
            raise LongsumError(
                "There is nothing to learn from; choose a data set of games: rotowire_games."
            )
        ids, ends = joined(each, "ids")
        stacked = (np.stack([getattr(one, part) for one in each]) for part in _STACKED)
        return cls(ids, ends, *stacked)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> EncodedCandidate:
        """Return a candidate."""
        return EncodedCandidate(
            self.ids[entry(self.ends, index)],
            self.names[index],
            self.numbers[index],
            self.labels[index],
        )

    def lengths(self) -> list[int]:
        """Return the number of words of each sentence."""
        lengths: list[int] = np.diff(self.ends, prepend=0).tolist()
        return lengths


_STACKED = ("name", "number", "labels")


@cache
def game_labels() -> tuple[str, ...]:
    """Return the possible relations of a name and a number in a report on a game, with `NONE`."""
    types = (*TEAM_NUMBERS.values(), *PLAYER_NUMBERS.values())
    return (*(each.name for each in types), NONE)


def game_vocabulary(size: int, cache: PreparedCache) -> Vocabulary:
    """Return the most frequent words of the training reports.

    Raises:
        LongsumError: The data are missing.
    """

    def make(tally: Tally, folder: Path) -> None:
        texts = (
            read.words.text.split(" ")
            for example in tally.documents()
            for read, _ in _read(example)
        )
        Vocabulary.of(texts, size).save(folder)

    work = f"counting words for a vocabulary of {size:,}"
    return Vocabulary.load(cache.vocabulary("relation-words", [size], make, work))


def candidate_split(vocabulary: Vocabulary, name: str, cache: PreparedCache) -> CandidateSplit:
    """Return the candidates of a split.

    Raises:
        LongsumError: The data are missing, or hold no games.
    """

    def make(tally: Tally) -> CandidateSplit:
        found = (
            _encoded(read, candidate, vocabulary)
            for example in tally.documents()
            for read, each in _read(example)
            for candidate in each
        )
        return CandidateSplit.of(tally.counted(found))

    described = [FORMAT, list(game_labels()), list(vocabulary.words)]
    return cache.split(CandidateSplit, name, described, make)


def _encoded(read: ReadSentence, candidate: Candidate, vocabulary: Vocabulary) -> EncodedCandidate:
    right = [label in candidate.types for label in game_labels()]
    if not any(right):
        right[game_labels().index(NONE)] = True
    return encoded(read, candidate, vocabulary, right)


def _read(example: Example) -> Iterator[tuple[ReadSentence, list[Candidate]]]:
    game = example.extra.get("game")
    if game is None:
        return
    table = game_table(game)
    for read in matcher_for(table).read(sentence_texts(example.references[0])):
        yield read, candidates(read, table)


class RelationTrainer(LengthGroupedTrainer):
    """Trains an extractor on a `CandidateSplit`."""

    terms = 6

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of candidates, which all have the same weight."""
        return torch.tensor([len(batch["labels"])], device=self.args.device)

    @staticmethod
    def sums(model: LongsumRelations, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over all candidates: `[6]`, fp64.

        They are the loss; the number of predicted labels other than `NONE`, and of right ones among
        them; of candidates with a right one; of candidates decided correctly; and 1.
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
        """Return the loss, precision and recall of relations, and the accuracy."""
        loss, found, right, there, decided = means
        return {
            "loss": loss,
            "precision": right / found if found else 0.0,
            "recall": right / there if there else 0.0,
            "accuracy": decided,
        }


@dataclass(frozen=True, slots=True)
class RelationDataConfig(DataConfig):
    """The training data: a data set of games."""

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
