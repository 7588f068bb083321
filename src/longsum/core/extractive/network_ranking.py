"""Rankings by a network.

A stepwise network learns which sentence to choose next only within the length of the references;
beyond it, it has learned only to stop (∅). Queried further, it mostly favours sentences dissimilar
to the choices, so `StepwiseRanking` then picks fragments. `SteadyRanking` stops querying it: from
the step where stopping scores higher than every sentence, it keeps the last logits and penalizes
similarity to the chosen sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Mask
from longsum.core.encoder.network import Network, Reading, decision, log_softmax
from longsum.core.extractive.selection import Levels, Share, pool
from longsum.core.extractive.summarizer import ShareOf
from longsum.core.summaries import Coverage, FinishReason, Notice
from longsum.documents.model import Document
from longsum.documents.sentence_features import PLACES

REASON = "probability"
SALIENCE = "salience"
REDUNDANCY = "redundancy"


@dataclass(frozen=True, eq=False)
class EncodedDocument:
    """A document as encoded by an extractive network.

    Attributes:
        texts: Its n sentences.
        network: The network.
        reading: The network's encoding of the document.
        adjustments: Fixed terms that are added to the logits, `[n]` each, by name.
        preferred: Preference level of each sentence, `[n]`.
    """

    texts: Sequence[str]
    network: Network
    reading: Reading
    adjustments: Mapping[str, Array]
    preferred: Levels

    @cached_property
    def unchosen(self) -> Array:
        """The logits before any choice, `[n + 1]`."""
        return self.logits(())

    @cached_property
    def first(self) -> Array:
        """The probabilities before any choice, `[n]`."""
        return self.scores(())

    @cached_property
    def known(self) -> Mask:
        """Which sentences the model has read and scores, `[n]`."""
        known: Mask = ~np.isneginf(self.first)
        return known

    def contributions(
        self, sentences: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> list[list[float]]:
        """Return the logits of sentences as features are added; see `Reading.contributions`."""
        return self.reading.contributions(sentences, groups)

    @property
    def penalties(self) -> Array:
        """The negated sum of the adjustments, `[n]`."""
        return -sum(self.adjustments.values(), start=np.zeros(len(self.texts)))

    def prefers_to_end(self, logits: Array, open_: Mask) -> bool:
        """Return whether the model would rather end a plan than choose any open sentence.

        `logits` are those after the plan, `[n + 1]`; `open_` marks the sentences that may be chosen
        next, `[n]`.
        """
        if self.network.decides_end:
            return bool(decision(logits) > 0)
        scores = logits[:-1] - self.penalties
        return not (scores[pool(open_, self.preferred)] >= logits[-1]).any()

    def logits(self, plan: tuple[int, ...]) -> Array:
        """Return the network's logits after a partial plan, `[n + 1]`, the end last.

        −∞ for sentences that were not read.
        """
        logits: Array = self.reading.logits([plan])[0]
        return logits

    def scores(self, plan: tuple[int, ...]) -> Array:
        """Return each sentence's probability after a partial plan, `[n]`; −∞ if it was not read.

        For a stepwise model, it is the probability of being chosen next, which sums to 1 over the
        sentences; for any other, that of belonging to the summary.
        """
        with_end = self.logits(plan) if plan else self.unchosen
        logits = with_end[:-1] - self.penalties
        scores: Array = log_softmax(logits) if self.network.stepwise else -np.logaddexp(0, -logits)
        return np.where(np.isneginf(logits), -np.inf, np.exp(scores))

    def coverage(self, document: Document) -> Coverage:
        """Return how much of the document was read."""
        return Coverage.of(document, np.flatnonzero(self.known).tolist())

    @property
    def exhausted(self) -> FinishReason:
        """The finish reason of a summary that contains every sentence that was read."""
        return "document" if self.known.all() else "model_limit"

    @property
    def notices(self) -> tuple[Notice, ...]:
        """A notice if the document was not read completely."""
        known, total = int(self.known.sum()), len(self.known)
        if known == total:
            return ()
        text = f"The model read only the first {known:,} of {total:,} sentences."
        return (Notice("reading", text),)


class SteadyRanking:
    """The model's logits relative to their mean, frozen past what the model has learned.

    Scores are in nats. From a number of choices on, or from the step where the model prefers to
    stop, it is not queried again, and each score is reduced by `weight` times the sentence's
    maximum cosine with the chosen sentences.

    Args:
        read: A document encoded by a stepwise model.
        vectors: `[n, D]`, a vector for each sentence.
        weight: Weight of the maximum cosine, which is clipped at 0.
        steps: Number of choices after which the model is not queried again; None for as many as it
            makes before it prefers to stop.
    """

    def __init__(
        self,
        read: EncodedDocument,
        vectors: NDArray[np.float32],
        weight: float,
        steps: int | None,
    ) -> None:
        self._read = read
        self._steps = steps
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        self._weight = weight
        self._plan: tuple[int, ...] = ()
        self._open = read.known.copy()
        mean = _mean(read.unchosen, read.known)
        self._first: Array = read.unchosen - mean
        self._reasons = NetworkReasons(read.contributions, read.unchosen[:-1], mean)
        self._logits: Array | None = self._first
        self._nearest: Array | None = None
        self._ended = False

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the scores and their terms.

        The terms are those of the sentence's features (`NetworkReasons`), the effect of earlier
        choices (novelty), each adjustment, and redundancy.
        """
        read = self._read
        if self._logits is None:
            logits = read.logits(self._plan)
            self._logits = logits - _mean(logits, read.known)
        network = self._logits[:-1]
        scores: Array = network - read.penalties
        if self._nearest is None:
            self._ended = self._ended or read.prefers_to_end(self._logits, self._open)
            if self._freezes():
                self._nearest = np.zeros(len(scores))
                self._compare_with(self._plan)
        with np.errstate(invalid="ignore"):  # −∞ − (−∞) where a sentence was not read
            novelty = network - self._first[:-1]
        shares: dict[str, Share] = {
            **self._reasons.shares(),
            NOVELTY: novelty,
            **read.adjustments,
        }
        if self._nearest is not None:
            redundancy = -self._weight * self._nearest
            scores, shares[REDUNDANCY] = scores + redundancy, redundancy
        return scores, shares

    def ended(self) -> bool:
        """Return whether the model would rather stop, as of the last `scores`.

        If the scores were frozen after a number of choices, the model is queried for this.
        """
        if self._nearest is not None and not self._ended:
            self._ended = self._read.prefers_to_end(self._read.logits(self._plan), self._open)
        return self._ended

    def choose(self, sentence: int) -> None:
        """Add a sentence to the partial plan and, once frozen, penalize similar ones."""
        self._open[sentence] = False
        self._plan = (*self._plan, sentence)
        if self._nearest is None:
            self._logits = None
        else:
            self._compare_with((sentence,))

    def _freezes(self) -> bool:
        """Return whether the model is not to be queried again."""
        return self._ended if self._steps is None else len(self._plan) >= self._steps

    def _compare_with(self, chosen: tuple[int, ...]) -> None:
        """Update each sentence's maximum cosine with chosen sentences."""
        assert self._nearest is not None
        for sentence in chosen:
            cosines = self._vectors @ self._vectors[sentence]
            np.maximum(self._nearest, cosines, out=self._nearest)


def _mean(logits: Array, known: Mask) -> float:
    """Return the mean of the logits `[n + 1]` over the sentences that were read."""
    return float(logits[:-1][known].mean()) if known.any() else 0.0


WORDING = "wording"
HEADINGS = "headings"
SUBJECT = "subject"
PLACE = "place"
NOVELTY = "novelty"

_GROUPS = [
    [list(PLACES).index(name) for name in group]
    for group in (
        ("title_words", "common_words", "commonness", "central"),
        ("words", "names", "numbers", "kind"),
    )
]


class NetworkReasons:
    """The shares of each sentence's logit before any choice, relative to the mean logit.

    The features are the sentence's own words; the heading above it; how many words of the title and
    frequent words of the document it contains, and how central it is (its subject); its length and
    form, which count as wording; and its position.

    Args:
        contributions: Returns the logits of sentences as groups of features are added.
        logits: `[n]`, the logits before any choice.
        mean: The mean of the logits.
    """

    def __init__(
        self,
        contributions: Callable[[Sequence[int], Sequence[Sequence[int]]], list[list[float]]],
        logits: Array,
        mean: float,
    ) -> None:
        self._contributions = contributions
        self._logits, self._mean = logits, mean
        self._cache: dict[int, Mapping[str, float]] = {}

    def of(self, sentence: int) -> Mapping[str, float]:
        """Return the shares of a sentence by name; they add up to its logit minus the mean."""
        if sentence not in self._cache:
            (partial,) = self._contributions([sentence], _GROUPS)
            steps = np.diff([self._mean, *partial, self._logits[sentence]]).tolist()
            words, headings, subject, length, place = steps
            self._cache[sentence] = {
                WORDING: words + length,
                HEADINGS: headings,
                SUBJECT: subject,
                PLACE: place,
            }
        return self._cache[sentence]

    def shares(self) -> dict[str, ShareOf]:
        """Return the shares of all sentences by name."""
        names = (WORDING, HEADINGS, SUBJECT, PLACE)
        return {name: ShareOf(partial(self._share, name)) for name in names}

    def _share(self, name: str, sentence: int) -> float:
        return self.of(sentence)[name]
