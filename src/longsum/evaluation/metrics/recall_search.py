"""The gain in recall of the references from each sentence, per word."""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Places


class RecallSearch:
    """The chosen sentences, and the gain in ROUGE-1 + ROUGE-2 recall from each further one.

    Unlike the F measure of `longsum.evaluation.metrics.oracle`, recall does not peak at the length
    of the references; divided by a power of the word count, it shows which sentence makes the best
    use of space. Bigrams across sentence boundaries do not count, either, so that the gains of all
    sentences take a few array operations.

    Args:
        sentences: The document's sentences as `rouge_tokens`.
        references: One or more reference summaries, likewise; recall is the mean over them.
        words: Words of each sentence, `[n]`.
        exponent: Gains are divided by the words to this power: with 0 long sentences are favoured,
            with 1 short ones.
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[str]],
        references: Sequence[Sequence[str]],
        words: Places,
        exponent: float,
    ) -> None:
        self._rows = len(sentences)
        pairs = [list(pairwise(sentence)) for sentence in sentences]
        self._overlaps = [
            overlap
            for reference in references
            for overlap in (
                _Overlap(sentences, reference),
                _Overlap(pairs, list(pairwise(reference))),
            )
        ]
        self._weights = 1 / (len(references) * np.maximum(words, 1.0) ** exponent)

    def gains(self) -> Array:
        """Return the gain from each sentence, divided by its words to the exponent, `[n]`."""
        added = sum((overlap.gains() for overlap in self._overlaps), np.zeros(self._rows))
        weighted: Array = added * self._weights
        return weighted

    def choose(self, sentence: int) -> None:
        """Add a sentence to the chosen ones."""
        for overlap in self._overlaps:
            overlap.choose(sentence)

    def reset(self) -> None:
        """Forget the choices."""
        for overlap in self._overlaps:
            overlap.reset()


class _Overlap:
    """Clipped n-gram counts of the sentences with one reference."""

    def __init__(
        self, sentences: Sequence[Sequence[Hashable]], reference: Sequence[Hashable]
    ) -> None:
        counts = Counter(reference)
        columns = {ngram: column for column, ngram in enumerate(counts)}
        # The counts as a sparse matrix: row, column and count of each entry.
        rows: list[int] = []
        ngrams: list[int] = []
        times: list[int] = []
        for row, sentence in enumerate(sentences):
            for ngram, count in Counter(ngram for ngram in sentence if ngram in columns).items():
                rows.append(row)
                ngrams.append(columns[ngram])
                times.append(count)
        self._size = len(sentences)
        self._total = max(len(reference), 1)
        self._reference = np.array([*counts.values()], dtype=np.int64)
        self._rows = np.array(rows, dtype=np.int64)
        self._columns = np.array(ngrams, dtype=np.int64)
        self._times = np.array(times, dtype=np.int64)
        self._missing: NDArray[np.int64] = self._reference.copy()

    def gains(self) -> Array:
        shared = np.minimum(self._times, self._missing[self._columns])
        recalls: Array = np.bincount(self._rows, shared, self._size) / self._total
        return recalls

    def choose(self, sentence: int) -> None:
        entries = slice(*np.searchsorted(self._rows, [sentence, sentence + 1]))
        columns = self._columns[entries]
        self._missing[columns] = np.maximum(self._missing[columns] - self._times[entries], 0)

    def reset(self) -> None:
        self._missing = self._reference.copy()
