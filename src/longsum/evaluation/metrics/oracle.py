"""Greedy extractive oracles: the sentences of a document that best match its references.

One oracle always takes the sentence with the best F next, however long. With a word limit, it is
not an upper bound: F falls once the selection is longer than the reference, and short sentences
that together would cover more are left out. The other divides the gain of recall by its cost in
words, the greedy algorithm for coverage under a budget (Khuller, Moss and Naor 1999; Lin and Bilmes
2010, §4, for summaries).
"""

import math
from bisect import bisect, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.metrics.overlap import ClippedOverlap, Counts

Bigram = tuple[str, str]


@dataclass(frozen=True, slots=True)
class OracleStep:
    """One choice of the oracle.

    Attributes:
        sentence: Position of the sentence.
        objective: ROUGE-1 F + ROUGE-2 F of all chosen so far, the mean over references, in [0, 2].
    """

    sentence: int
    objective: float


def oracle_steps(
    sentences: Sequence[str],
    references: Sequence[str],
    *,
    costs: Sequence[int] | None = None,
    capacity: int | None = None,
    fill: bool = False,
    per_word: bool = False,
) -> list[OracleStep]:
    """Choose, one at a time, the sentence that most increases ROUGE-1 F + ROUGE-2 F.

    Args:
        sentences: The document's sentences.
        references: One or more reference summaries; the objective is the mean over them.
        costs: Cost of each sentence; by default 1 each.
        capacity: Maximum total cost; by default unlimited.
        fill: Whether to continue when no sentence improves the objective, with the one that harms
            least, until no further sentence fits.
        per_word: Whether to choose the sentence with the largest gain of recall per unit of cost
            instead; a step's objective is then ROUGE-1 recall + ROUGE-2 recall.

    Returns:
        The choices in order; ties go to the earlier sentence. It ends when no sentence that
        fits improves the objective.

    The objective is that of `rouge-score` with stemmer for the chosen sentences joined in document
    order; bigrams cross sentence boundaries.

    The choices equal those of the definition (`tests/support/oracle_naive.py`), but gains are
    cached: a choice changes only the gains of sentences that share an n-gram with it. A cached gain
    omits the bigrams across the two ends of a sentence; only sentences that could be best with both
    of them are rescored.

    Raises:
        LongsumError: There is no reference, a cost is negative, or the number of costs is not that
            of the sentences.
    """
    prices = checked_prices(sentences, references, costs)
    tokens, wanted = ([rouge_tokens(text) for text in texts] for texts in (sentences, references))
    recalled = PerWordSearch(tokens, wanted, prices) if per_word else None
    search = recalled or OracleSearch(tokens, wanted)
    steps: list[OracleStep] = []
    room = math.inf if capacity is None else capacity
    left = np.ones(len(prices), dtype=bool)
    while (step := search.best(np.flatnonzero(left & (prices <= room)))) is not None:
        reached = steps[-1].objective if steps and recalled is None else 0.0
        if not fill and step.objective <= reached:
            break
        search.choose(step.sentence)
        left[step.sentence] = False
        room -= float(prices[step.sentence])
        steps.append(step if recalled is None else OracleStep(step.sentence, recalled.recall))
    return steps


def checked_prices(
    sentences: Sequence[str], references: Sequence[str], costs: Sequence[int] | None
) -> Array:
    """Return the cost of each sentence, after checking the arguments of `oracle_steps`."""
    if not references:
        raise LongsumError("The oracle needs at least one reference summary; give one.")
    prices = np.ones(len(sentences)) if costs is None else np.asarray(costs, dtype=np.float64)
    if prices.shape != (len(sentences),) or (prices < 0).any():
        raise LongsumError(
            f"The oracle needs a cost of 0 or more for each of the {len(sentences)} sentences; "
            "check the costs."
        )
    return prices


class OracleSearch:
    """The chosen sentences, and the objective with each further sentence.

    Args:
        sentences: The document's sentences as `rouge_tokens`.
        references: One or more reference summaries, likewise; the objective is the mean over them.
    """

    def __init__(self, sentences: Sequence[list[str]], references: Sequence[list[str]]) -> None:
        self.count = len(sentences)
        self._sentences = sentences
        self._bigrams = [_bigrams(sentence) for sentence in sentences]
        self._lengths: Counts = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        self._length = 0
        self._chosen: list[int] = []  # with tokens, in the document's order
        self._overlaps = [
            (
                ClippedOverlap(reference, sentences),
                ClippedOverlap(_bigrams(reference), self._bigrams),
            )
            for reference in references
        ]

    def best(self, candidates: Counts) -> OracleStep | None:
        """Return the candidate with the highest objective; ties go to the earlier one."""
        return next(iter(self.ranked(candidates, 1)), None)

    def ranked(self, candidates: Counts, count: int) -> list[OracleStep]:
        """Return at most `count` candidates for the next choice, best first, ties by position."""
        best: list[tuple[float, int]] = []
        bounds = self._bounds(candidates)
        for place in np.argsort(-bounds, kind="stable"):
            if len(best) == count and bounds[place] < -best[-1][0]:
                break
            sentence = int(candidates[place])
            insort(best, (-self._objective(sentence), sentence))
            del best[count:]
        return [OracleStep(sentence, -objective) for objective, sentence in best]

    def choose(self, sentence: int) -> None:
        """Add a sentence to the chosen ones."""
        added, removed = self._seams(sentence)
        for unigrams, bigrams in self._overlaps:
            unigrams.add(self._sentences[sentence])
            bigrams.remove(removed)
            bigrams.add(added)
            bigrams.add(self._bigrams[sentence])
        if self._sentences[sentence]:
            insort(self._chosen, sentence)
        self._length += len(self._sentences[sentence])

    def _bounds(self, candidates: Counts) -> Array:
        lengths = self._length + self._lengths[candidates]
        seams = np.zeros(len(candidates), dtype=np.int64)
        if self._chosen:
            seams += candidates > self._chosen[0]
            seams += candidates < self._chosen[-1]
        total = np.zeros(len(candidates))
        for unigrams, bigrams in self._overlaps:
            shared = unigrams.overlap + unigrams.gains[candidates]
            shared_pairs = bigrams.overlap + bigrams.gains[candidates] + seams
            pairs = np.maximum(lengths - 1, 0)
            total += 2 * shared / np.maximum(lengths + unigrams.total, 1) + (
                2 * shared_pairs / np.maximum(pairs + bigrams.total, 1)
            )
        return total / len(self._overlaps)

    def _objective(self, sentence: int) -> float:
        added, removed = self._seams(sentence)
        length = self._length + len(self._sentences[sentence])
        total = 0.0
        for unigrams, bigrams in self._overlaps:
            shared = unigrams.overlap + int(unigrams.gains[sentence])
            shared_pairs = bigrams.overlap + bigrams.gain(sentence, added, removed)
            total += f_measure(shared, length, unigrams.total) + f_measure(
                shared_pairs, max(length - 1, 0), bigrams.total
            )
        return total / len(self._overlaps)

    def _seams(self, sentence: int) -> tuple[list[Bigram], list[Bigram]]:
        """Return the bigrams across sentence boundaries that a sentence adds and removes."""
        tokens = self._sentences[sentence]
        if not tokens:
            return [], []
        place = bisect(self._chosen, sentence)
        before = self._sentences[self._chosen[place - 1]][-1:] if place else []
        after = self._sentences[self._chosen[place]][:1] if place < len(self._chosen) else []
        added = [*_bigrams([*before, tokens[0]]), *_bigrams([tokens[-1], *after])]
        return added, _bigrams([*before, *after])


def f_measure(overlap: int, length: int, reference_length: int) -> float:
    """Return 2PR / (P + R) with precision and recall of n-grams.

    It takes a single division, so that equal fractions are equal numbers and ties stay ties.
    """
    return 2 * overlap / max(length + reference_length, 1)


def _bigrams(tokens: Sequence[str]) -> list[Bigram]:
    return list(pairwise(tokens))


class PerWordSearch(OracleSearch):
    """The chosen sentences, and the gain of recall per unit of cost of each further sentence.

    Bigrams across sentence boundaries count, as they do in the ROUGE of a summary;
    `longsum.evaluation.metrics.recall_search` leaves them out and is many times faster, for
    training.

    Prices below 1 count as 1; sentences and references are as for `OracleSearch`.
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
