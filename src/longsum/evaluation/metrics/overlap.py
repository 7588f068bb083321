"""The n-gram overlap of a growing selection with a reference, updated incrementally."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Ngram = str | tuple[str, str]
Counts = NDArray[np.int64]


class ClippedOverlap:
    """Σ over n-grams of min(occurrences in the selection, occurrences in the reference).

    It also maintains what each candidate's n-grams would add to this sum. An n-gram added to the
    selection lowers only the gains of candidates that have at least as many of it as are missing.

    Attributes:
        total: Number of n-grams of the reference.
        overlap: The sum for the selection; nothing is selected at first.
        gains: What each candidate would add, `[candidates]`.
    """

    def __init__(self, reference: Sequence[Ngram], candidates: Sequence[Sequence[Ngram]]) -> None:
        self.total = len(reference)
        self.overlap = 0
        # How many more of each n-gram would count; negative if the selection has too many.
        self._missing: dict[Ngram, int] = dict(Counter(reference))
        self._counts = [
            Counter(ngram for ngram in candidate if ngram in self._missing)
            for candidate in candidates
        ]
        self.gains: Counts = np.array(
            [
                sum(min(count, self._missing[ngram]) for ngram, count in counts.items())
                for counts in self._counts
            ],
            dtype=np.int64,
        )
        self._index = _index(self._counts)

    def add(self, ngrams: Iterable[Ngram]) -> None:
        """Add n-grams to the selection."""
        for ngram in ngrams:
            missing = self._missing.get(ngram)
            if missing is None:
                continue
            self._missing[ngram] = missing - 1
            if missing > 0:
                self.overlap += 1
                self._change_gains(ngram, missing, -1)

    def remove(self, ngrams: Iterable[Ngram]) -> None:
        """Remove n-grams from the selection."""
        for ngram in ngrams:
            missing = self._missing.get(ngram)
            if missing is None:
                continue
            self._missing[ngram] = missing + 1
            if missing >= 0:
                self.overlap -= 1
                self._change_gains(ngram, missing + 1, 1)

    def gain(self, candidate: int, added: Iterable[Ngram], removed: Iterable[Ngram]) -> int:
        """Return what a candidate would add, given further n-grams added and removed with it."""
        change: dict[Ngram, int] = {}
        for ngrams, sign in ((added, 1), (removed, -1)):
            for ngram in ngrams:
                if ngram in self._missing:
                    change[ngram] = change.get(ngram, 0) + sign
        gain = int(self.gains[candidate])
        for ngram, difference in change.items():
            missing, count = self._missing[ngram], self._counts[candidate][ngram]
            gain += min(missing, count + difference) - min(missing, count)
        return gain

    def _change_gains(self, ngram: Ngram, minimum: int, change: int) -> None:
        if ngram in self._index:
            candidates, counts = self._index[ngram]
            self.gains[candidates[counts >= minimum]] += change


def _index(counts: Sequence[Counter[Ngram]]) -> dict[Ngram, tuple[Counts, Counts]]:
    """Return, for each n-gram, the candidates that contain it, and how often they do."""
    lists: dict[Ngram, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for candidate, ngrams in enumerate(counts):
        for ngram, count in ngrams.items():
            candidates, numbers = lists[ngram]
            candidates.append(candidate)
            numbers.append(count)
    return {
        ngram: (np.array(candidates, dtype=np.int64), np.array(numbers, dtype=np.int64))
        for ngram, (candidates, numbers) in lists.items()
    }
