"""The greedy oracle of recall per word: the sentences that cover the references at least cost.

The oracle of `longsum.evaluation.metrics.oracle` takes the sentence with the best F next, however
long. With a limit on words it is no upper bound: F falls once the selection is longer than the
reference, and short sentences that would cover more together are left. This one divides the gain
of recall by the words that it costs, the greedy algorithm for covering under a budget (Khuller,
Moss and Naor 1999; Lin and Bilmes 2010, §4, for summaries).
"""

from collections.abc import Sequence

import numpy as np

from longsum.common.arrays import Array
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.metrics.oracle import (
    OracleSearch,
    OracleStep,
    checked_prices,
    greedy_steps,
)
from longsum.evaluation.metrics.overlap import Counts


def recall_steps(
    sentences: Sequence[str],
    references: Sequence[str],
    *,
    costs: Sequence[int] | None = None,
    capacity: int | None = None,
    fill: bool = False,
) -> list[OracleStep]:
    """Choose, one at a time, the sentence with the largest gain of recall per unit of cost.

    Args:
        sentences: The document's sentences.
        references: One or more reference summaries; recall is the mean over them.
        costs: Cost of each sentence; by default 1 each.
        capacity: Maximum total cost; by default unlimited.
        fill: Whether to continue with sentences that add nothing until no further one fits.

    Returns:
        The choices in order, each with ROUGE-1 recall + ROUGE-2 recall of all chosen so far, in
        [0, 2]; of equally good sentences the earliest.

    Raises:
        LongsumError: As `longsum.evaluation.metrics.oracle.oracle_steps`.
    """
    prices = checked_prices(sentences, references, costs)
    search = PerWordSearch(
        [rouge_tokens(sentence) for sentence in sentences],
        [rouge_tokens(reference) for reference in references],
        prices,
    )
    steps: list[OracleStep] = []
    for found in greedy_steps(search, prices, capacity):
        if not fill and found.objective <= 0:
            break
        steps.append(OracleStep(found.sentence, search.recall))
    return steps


class PerWordSearch(OracleSearch):
    """The chosen sentences, and the gain of recall per unit of cost of each further sentence.

    Bigrams across sentence boundaries count, as they do in the ROUGE of a summary;
    `longsum.evaluation.metrics.recall_search` leaves them out and is many times faster, for
    training.

    Args:
        sentences: As for `OracleSearch`.
        references: As for `OracleSearch`.
        prices: Cost of each sentence, `[n]`; one without cost counts as 1.
    """

    def __init__(
        self, sentences: Sequence[list[str]], references: Sequence[list[str]], prices: Array
    ) -> None:
        super().__init__(sentences, references)
        self._prices = np.maximum(prices, 1.0)

    @property
    def recall(self) -> float:
        """ROUGE-1 recall + ROUGE-2 recall of the chosen sentences, the mean over references."""
        total = 0.0
        for unigrams, bigrams in self._overlaps:
            total += unigrams.overlap / max(unigrams.total, 1)
            total += bigrams.overlap / max(bigrams.total, 1)
        return total / len(self._overlaps)

    def _bounds(self, candidates: Counts) -> Array:
        seams = 2 * bool(self._chosen)
        total = np.zeros(len(candidates))
        for unigrams, bigrams in self._overlaps:
            total += unigrams.gains[candidates] / max(unigrams.total, 1)
            total += (bigrams.gains[candidates] + seams) / max(bigrams.total, 1)
        return total / len(self._overlaps) / self._prices[candidates]

    def _objective(self, sentence: int) -> float:
        added, removed = self._seams(sentence)
        total = 0.0
        for unigrams, bigrams in self._overlaps:
            total += int(unigrams.gains[sentence]) / max(unigrams.total, 1)
            total += bigrams.gain(sentence, added, removed) / max(bigrams.total, 1)
        return float(total / len(self._overlaps) / self._prices[sentence])
