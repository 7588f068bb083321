"""Budgeted selection of sentences, the same for every extractive system."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from longsum.arrays import Array, Mask, Places

Levels = Mask | Places
"""How much each sentence is preferred, `[n]`: the highest level that is left comes first."""


class Share(Protocol):
    """What one reason adds to the score of each sentence: an array, or what computes on demand."""

    def __getitem__(self, sentence: int, /) -> Any:
        """Return what it adds to the score of a sentence."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """One chosen sentence: which, by what score, made of which shares, before which other."""

    sentence: int
    score: float
    reasons: Mapping[str, float]
    runner_up: int | None = None


class Ranking(Protocol):
    """Scores the sentences of one document, given what has been chosen."""

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the score of each sentence, `[n]`, and its shares, which add up to it.

        A score of −∞ closes a sentence: it can no longer be chosen.
        """
        ...

    def choose(self, sentence: int) -> None:
        """Take note that a sentence has been chosen."""
        ...


class FixedRanking:
    """A ranking that what has been chosen does not change."""

    def __init__(self, scores: Array, reason: str) -> None:
        self._scores = scores
        self._reason = reason

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the scores, all for one reason."""
        return self._scores, {self._reason: self._scores}

    def choose(self, sentence: int) -> None:
        """Do nothing."""


class PlannedRanking:
    """Ranks the next step of a plan over all other sentences.

    Args:
        plan: The sentences of the plan, in the order of choice.
        gains: What each step is chosen by.
        count: Sentences of the document.
        reason: What that is called.
    """

    def __init__(
        self, plan: Sequence[int], gains: Sequence[float], count: int, reason: str
    ) -> None:
        self._plan, self._gains = plan, gains
        self._count = count
        self._reason = reason
        self._taken = 0

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the gain of the next step; all others rank below it."""
        gain = self._gains[self._taken]
        scores = np.full(self._count, gain - 1.0)
        scores[self._plan[self._taken]] = gain
        return scores, {self._reason: scores}

    def choose(self, sentence: int) -> None:  # noqa: ARG002
        """Move to the next step."""
        self._taken += 1


class Selection:
    """Chooses the best sentence that still fits, again and again.

    Attributes:
        distinct: Sentences of the document, those that are alike counted once.
        candidates: Those of them that may be chosen.
        choices: What is chosen, in order.

    Because each step depends on nothing but what was chosen before, a larger budget can part from a
    smaller one only by taking a sentence that did not fit there; so a larger budget never gives a
    shorter summary, and when selection ends no
    candidate left out would fit. No two of the chosen repeat each other.
    """

    def __init__(
        self,
        ranking: Ranking,
        costs: Sequence[int],
        candidates: Mask | None = None,
        preferred: Levels | None = None,
        alike: Places | None = None,
    ) -> None:
        """Prepare a selection.

        Args:
            ranking: What scores the sentences.
            costs: What each sentence takes from the budget.
            candidates: Which sentences may be chosen; by default all.
            preferred: Which of them come first: while any of the highest level is left, no other
                is chosen.
            alike: Of each the first sentence that has the same words: of those that share it one
                is chosen at most. By default no two are alike.
        """
        everything = np.ones(len(costs), dtype=bool)
        self._ranking = ranking
        self._costs = np.asarray(costs, dtype=np.int64)
        self._open = everything if candidates is None else candidates.copy()
        self._preferred = everything if preferred is None else preferred
        self._alike = np.arange(len(costs)) if alike is None else alike
        self._spent = 0
        self.distinct = len(np.unique(self._alike))
        self.candidates = len(np.unique(self._alike[self._open]))
        self.choices: list[Choice] = []

    def extend(self, capacity: int) -> int:
        """Choose until nothing more fits; return how many sentences are chosen in all."""
        while self._fitting(capacity).any():
            scores, shares = self._ranking.scores()
            self._open &= scores > -np.inf
            fitting = self._fitting(capacity)
            if fitting.any():
                best, runner_up = best_two(scores, fitting)
                self._take(best, scores, shares, runner_up)
        return len(self.choices)

    def _fitting(self, capacity: int) -> Mask:
        fitting: Mask = pool(self._open, self._preferred)
        return fitting & (self._costs <= capacity - self._spent)

    def _take(
        self, sentence: int, scores: Array, shares: Mapping[str, Share], runner_up: int | None
    ) -> None:
        reasons = {name: float(share[sentence]) for name, share in shares.items()}
        self.choices.append(Choice(sentence, float(scores[sentence]), reasons, runner_up))
        self._open &= self._alike != self._alike[sentence]
        self._spent += int(self._costs[sentence])
        self._ranking.choose(sentence)

    def within(self, capacity: int, steps: Iterable[int], held: Sequence[int]) -> list[int]:
        """Return `held` with those of the chosen `steps` that still fit, first chosen first."""
        kept = list(held)
        spent = sum(self._cost(step) for step in kept)
        for step in steps:
            if step not in held and spent + self._cost(step) <= capacity:
                kept.append(step)
                spent += self._cost(step)
        return kept

    def _cost(self, step: int) -> int:
        return int(self._costs[self.choices[step].sentence])


class SelectionInOrder(Selection):
    """Takes candidates in the order of the text and stops at the first that does not fit.

    Candidates before the first one that fits are passed over, so that one long opening sentence
    does not leave the summary empty.
    """

    def extend(self, capacity: int) -> int:
        """Take candidates until one does not fit; return how many are taken in all."""
        scores, shares = self._ranking.scores()
        for sentence in np.flatnonzero(self._open).tolist():
            if not self._open[sentence]:
                continue
            if self._costs[sentence] <= capacity - self._spent:
                self._take(sentence, scores, shares, None)
            elif self.choices:
                break
        if self.choices:
            self._open[: self.choices[0].sentence] = False
        return len(self.choices)


def pool(open_: Mask, preferred: Levels) -> Mask:
    """Return which of the open sentences may be chosen: those of the highest level left."""
    if not open_.any():
        return open_
    first: Mask = open_ & (preferred == preferred[open_].max())
    return first


def best_two(scores: Array, fitting: Mask) -> tuple[int, int | None]:
    """Return the best position and the next; ties go to the earlier sentence."""
    masked = np.where(fitting, scores, -np.inf)
    best = int(np.argmax(masked))
    masked[best] = -np.inf
    second = int(np.argmax(masked))
    return best, second if masked[second] > -np.inf else None
