"""What an extractive model makes of a document: the salience of each sentence, step by step."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch

from longsum.documents.model import Document
from longsum.models.extractive.decoding import read_logits
from longsum.models.extractive.units import ExtractiveModel
from longsum.summaries import Coverage, FinishReason
from longsum.systems.selection import Array, Mask, Ranking
from longsum.systems.writing import coverage_of

REASON = "probability"
FOCUS = "focus"


class Read:
    """A document that the model has read.

    Attributes:
        texts: Its sentences.
        model: The model.
        reading: What the model made of it.
        penalties: `[n]`, what is taken off the logits.
        preferred: `[n]`, which sentences come first.
        computing: How the model computes.
        first: `[n]`, the scores of sentences before any choice.
        known: `[n]`, which sentences have one: those that the model has read.
    """

    def __init__(
        self,
        texts: Sequence[str],
        model: ExtractiveModel,
        reading: Any,
        penalties: Array,
        preferred: Mask,
        computing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.texts = texts
        self.model = model
        self.reading = reading
        self.penalties = penalties
        self.preferred = preferred
        self.computing = computing
        self.first = self.scores(())
        self.known: Mask = ~np.isneginf(self.first)

    def scores(self, plan: tuple[int, ...]) -> Array:
        """Return each sentence's probability after a partial plan, `[n]`; −∞ if it is not read.

        Of a stepwise model they are those of the next sentence, and sum to 1; of another, of
        belonging to the summary.
        """
        with self.computing():
            logits = read_logits(self.model, self.reading, [plan], self.penalties)[0, :-1]
            found = logits.softmax(dim=0) if self.model.stepwise else logits.sigmoid()
            scores: Array = found.masked_fill(logits.isneginf(), -torch.inf).numpy()
        return scores

    def coverage(self, document: Document) -> Coverage:
        """Return how much of the document was read."""
        return coverage_of(document, np.flatnonzero(self.known).tolist())

    @property
    def exhausted(self) -> FinishReason:
        """Why a summary of all that was read is no longer."""
        return "document" if self.known.all() else "model_limit"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the reader should know, if not all was read."""
        known, total = int(self.known.sum()), len(self.known)
        if known == total:
            return ()
        return (f"The model read the first {known:,} of {total:,} sentences; the rest it did not.",)


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


class FocusedRanking:
    """A ranking that shares its weight with the likeness of each sentence to a focus."""

    def __init__(self, ranking: Ranking, likeness: Array, weight: float) -> None:
        self._ranking = ranking
        self._focus = weight * likeness
        self._weight = weight

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the sums and both shares."""
        scores, shares = self._ranking.scores()
        kept = {name: (1 - self._weight) * share for name, share in shares.items()}
        return (1 - self._weight) * scores + self._focus, {**kept, FOCUS: self._focus}

    def choose(self, sentence: int) -> None:
        """Take note that a sentence has been chosen."""
        self._ranking.choose(sentence)
