"""The vocabulary, the labels and the encoded candidates of an extractor of relations."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import Example
from longsum.language.sentences import sentence_texts
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.tasks.columns import Columns, entry, joined
from longsum.models.training.documents import Tally
from longsum.models.training.prepared_cache import PreparedCache
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.games.rotowire_types import PLAYER_NUMBERS, TEAM_NUMBERS
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.relation_candidates import Candidate, candidates
from longsum.tables.relations.candidate_batch import EncodedCandidate
from longsum.tables.relations.configuration_relations import NONE

FORMAT = 1
"""Changes whenever the columns do, so that older files are not used."""


@dataclass(frozen=True, slots=True)
class CandidateSplit(Columns):
    """Candidates, concatenated in flat arrays.

    Attributes:
        ids: Words of the sentences of all candidates.
        ends: Where each candidate's end.
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
    """Return what may relate a name to a number in a report of a game: record types, and `NONE`."""
    types = (*TEAM_NUMBERS.values(), *PLAYER_NUMBERS.values())
    return (*(each.name for each in types), NONE)


def game_vocabulary(size: int, cache: PreparedCache) -> Vocabulary:
    """Return the most frequent words of the reports that are learned from.

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
    words = vocabulary.source(read.words.text.split(" "))
    return EncodedCandidate(
        np.array(words.ids, np.int32),
        np.array(candidate.name, np.int32),
        np.array(candidate.number, np.int32),
        np.array(right),
    )


def _read(example: Example) -> Iterator[tuple[ReadSentence, list[Candidate]]]:
    game = example.extra.get("game")
    if game is None:
        return
    table = game_table(game)
    for read in matcher_for(table).read(sentence_texts(example.references[0])):
        yield read, candidates(read, table)
