"""What an extractive model makes of a document: the salience of each sentence, step by step.

A network learns what to take next only as far as the references go: past their length all that it
was taught is to end (∅). Asked for more, it says little but which sentences are least like what it
has taken, and `StepwiseRanking` then prefers scraps. `SteadyRanking` asks it no further: from the
step where the end wins over every sentence it keeps what the network said there, and marks down
what is like the choices.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.arrays import Array, Mask
from longsum.documents.model import Document
from longsum.models.extractive.contributions import Contributions
from longsum.models.extractive.decoding import read_logits
from longsum.models.extractive.hibert import Hibert
from longsum.models.extractive.units import ExtractiveModel
from longsum.summaries import Coverage, FinishReason, Notice
from longsum.systems.extractive.network_reasons import NOVELTY, NetworkReasons
from longsum.systems.extractive.selection import Levels, Ranking, Share, pool

REASON = "probability"
REDUNDANCY = "redundancy"
FOCUS = "focus"


class Read:
    """A document that the model has read.

    Attributes:
        texts: Its sentences.
        model: The model.
        reading: What the model made of it.
        leanings: By name, `[n]` each, what is added to the logits of sentences whatever is chosen.
        preferred: `[n]`, which sentences come first.
        computing: How the model computes.
        unchosen: `[n + 1]`, the logits before any choice.
        first: `[n]`, the probabilities before any choice.
        known: `[n]`, which sentences have one: those that the model has read.
    """

    def __init__(
        self,
        texts: Sequence[str],
        model: ExtractiveModel,
        reading: Any,
        leanings: Mapping[str, Array],
        preferred: Levels,
        computing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.texts = texts
        self.model = model
        self.reading = reading
        self.leanings = leanings
        self.preferred = preferred
        self.computing = computing
        self._contributions: Contributions | None = None
        self.unchosen = self.logits(())
        self.first = self.scores(())
        self.known: Mask = ~np.isneginf(self.first)

    @property
    def contributions(self) -> Contributions:
        """What each thing that the network is told of a sentence adds; of a stepwise HiBERT."""
        if self._contributions is None:
            assert isinstance(self.model, Hibert)
            with self.computing():
                self._contributions = Contributions(self.model.document_encoder, self.reading)
        return self._contributions

    @property
    def penalties(self) -> Array:
        """What the leanings take off the logits, `[n]`."""
        return -sum(self.leanings.values(), start=np.zeros(len(self.texts)))

    def logits(self, plan: tuple[int, ...]) -> Array:
        """Return what the network alone says after a partial plan, `[n + 1]`, the end last.

        −∞ where a sentence is not read.
        """
        with self.computing():
            found: Array = read_logits(self.model, self.reading, [plan])[0].numpy()
        return found

    def scores(self, plan: tuple[int, ...]) -> Array:
        """Return each sentence's probability after a partial plan, `[n]`; −∞ if it is not read.

        Of a stepwise model they are those of the next sentence, and sum to 1; of another, of
        belonging to the summary.
        """
        known = self.logits(plan) if plan else self.unchosen
        logits = torch.from_numpy(known[:-1] - self.penalties)
        found = logits.softmax(dim=0) if self.model.stepwise else logits.sigmoid()
        scores: Array = found.masked_fill(logits.isneginf(), -torch.inf).numpy()
        return scores

    def coverage(self, document: Document) -> Coverage:
        """Return how much of the document was read."""
        return Coverage.of(document, np.flatnonzero(self.known).tolist())

    @property
    def exhausted(self) -> FinishReason:
        """Why a summary of all that was read is no longer."""
        return "document" if self.known.all() else "model_limit"

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What the reader should know, if not all was read."""
        known, total = int(self.known.sum()), len(self.known)
        if known == total:
            return ()
        text = f"The model read the first {known:,} of {total:,} sentences; the rest it did not."
        return (Notice("reading", text),)


class StepwiseRanking:
    """The model's probabilities of the next sentence, in sight of those chosen before."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._plan: tuple[int, ...] = ()
        self._scores: Array | None = read.first

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the probabilities, all for one reason."""
        if self._scores is None:
            self._scores = self._read.scores(self._plan)
        return self._scores, {REASON: self._scores}

    def choose(self, sentence: int) -> None:
        """Add a sentence to the partial plan."""
        self._plan = (*self._plan, sentence)
        self._scores = None


class SteadyRanking:
    """The model's log-odds of each sentence over the mean, until the end wins; then the last.

    A score is in nats. From the step where the model would rather end than take any sentence that
    may be chosen, it is asked no more, and each score is lessened by the sentence's greatest
    likeness to what is chosen, so many times over.

    Args:
        read: What a stepwise model has read.
        vectors: `[n, D]`, a vector for each sentence.
        weight: How many times over the greatest cosine, no less than 0, counts.
    """

    def __init__(self, read: Read, vectors: NDArray[np.float32], weight: float) -> None:
        self._read = read
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        self._weight = weight
        self._plan: tuple[int, ...] = ()
        self._open = read.known.copy()
        mean = _mean(read.unchosen, read.known)
        self._first: Array = read.unchosen - mean
        self._reasons = NetworkReasons(read, read.unchosen[:-1], mean)
        self._logits: Array | None = self._first
        self._nearest: Array | None = None

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the scores and their shares.

        They are those of what the network is told of a sentence (`network_reasons.py`), of the
        choices that it is told (novelty), of each leaning, and of redundancy.
        """
        read = self._read
        if self._logits is None:
            logits = read.logits(self._plan)
            self._logits = logits - _mean(logits, read.known)
        network = self._logits[:-1]
        scores: Array = network - read.penalties
        if self._nearest is None and self._ends(scores, self._logits[-1]):
            self._nearest = np.zeros(len(scores))
            self._near(self._plan)
        with np.errstate(invalid="ignore"):  # what is not read has no score, before and after
            novelty = network - self._first[:-1]
        shares: dict[str, Share] = {
            **self._reasons.shares(),
            NOVELTY: novelty,
            **read.leanings,
        }
        if self._nearest is not None:
            redundancy = -self._weight * self._nearest
            scores, shares[REDUNDANCY] = scores + redundancy, redundancy
        return scores, shares

    def choose(self, sentence: int) -> None:
        """Add a sentence to the partial plan, or mark down what is like it."""
        self._open[sentence] = False
        self._plan = (*self._plan, sentence)
        if self._nearest is None:
            self._logits = None
        else:
            self._near((sentence,))

    def _ends(self, scores: Array, end: float) -> bool:
        """Tell whether the model would rather end than take any sentence that may be chosen."""
        return not (scores[pool(self._open, self._read.preferred)] >= end).any()

    def _near(self, chosen: tuple[int, ...]) -> None:
        assert self._nearest is not None
        for sentence in chosen:
            cosines = self._vectors @ self._vectors[sentence]
            np.maximum(self._nearest, cosines, out=self._nearest)


def _mean(logits: Array, known: Mask) -> float:
    """Return the mean logit of the sentences that were read, of logits `[n + 1]`."""
    return float(logits[:-1][known].mean()) if known.any() else 0.0


class ProbabilityRanking:
    """A ranking's scores as probabilities among the sentences that are not chosen."""

    def __init__(self, ranking: Ranking) -> None:
        self._ranking = ranking
        self._chosen: list[int] = []

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the softmax of the scores, all for one reason; −∞ stays."""
        logits = self._ranking.scores()[0].copy()
        closed = np.isneginf(logits)
        logits[self._chosen] = -np.inf
        weights = np.exp(logits - max(logits.max(), np.finfo(np.float64).min))
        found = np.where(closed, -np.inf, weights / max(weights.sum(), np.finfo(np.float64).tiny))
        return found, {REASON: found}

    def choose(self, sentence: int) -> None:
        """Leave a sentence out of the sum."""
        self._chosen.append(sentence)
        self._ranking.choose(sentence)


class FocusedRanking:
    """A ranking that shares its weight with the likeness of each sentence to a focus."""

    def __init__(self, ranking: Ranking, likeness: Array, weight: float) -> None:
        self._ranking = ranking
        self._focus = weight * likeness
        self._weight = weight

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the sums and both shares."""
        kept = (1 - self._weight) * self._ranking.scores()[0]
        return kept + self._focus, {REASON: kept, FOCUS: self._focus}

    def choose(self, sentence: int) -> None:
        """Take note that a sentence has been chosen."""
        self._ranking.choose(sentence)
