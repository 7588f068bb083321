"""Trigram blocking: skips sentences that share a trigram with a chosen one (Liu & Lapata 2019b)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Mask
from longsum.core.extractive.selection import Ranking, Share
from longsum.language.words import terms

Trigram = tuple[str, str, str]


class Trigrams:
    """An index of the sentences of a document by their lower-cased word trigrams.

    Words are `longsum.language.words.terms`, so punctuation is ignored.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._count = len(sentences)
        self._of = [_trigrams(sentence) for sentence in sentences]
        self._holders: dict[Trigram, list[int]] = {}
        for position, found in enumerate(self._of):
            for trigram in found:
                self._holders.setdefault(trigram, []).append(position)

    def sharing(self, sentence: int) -> NDArray[np.int64]:
        """Return the sentences that share a trigram with the given one, itself included."""
        found = {other for trigram in self._of[sentence] for other in self._holders[trigram]}
        return np.array(sorted(found), dtype=np.int64)

    def blocked(self, chosen: Sequence[int]) -> Mask:
        """Return which sentences share a trigram with any chosen one, `[n]`."""
        mask = np.zeros(self._count, dtype=bool)
        for sentence in chosen:
            mask[self.sharing(sentence)] = True
        return mask


class BlockingRanking:
    """A ranking that excludes sentences sharing a trigram with a chosen one."""

    def __init__(self, ranking: Ranking, trigrams: Trigrams) -> None:
        self._ranking = ranking
        self._trigrams = trigrams
        self._blocked = trigrams.blocked([])

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the ranking's scores and shares; blocked sentences score −∞."""
        scores, shares = self._ranking.scores()
        return np.where(self._blocked, -np.inf, scores), shares

    def choose(self, sentence: int) -> None:
        """Block the sentences that share a trigram with the chosen one."""
        self._ranking.choose(sentence)
        self._blocked[self._trigrams.sharing(sentence)] = True


def _trigrams(text: str) -> set[Trigram]:
    pairs = pairwise(pairwise(terms(text)))
    return {(first, second, third) for (first, second), (_, third) in pairs}
