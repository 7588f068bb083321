"""Budgeted sentence selection, shared by all extractive systems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from longsum.arrays import Array, Mask, Places

Levels = Mask | Places
"""Preference level of each sentence, `[n]`: the highest level left is chosen from first."""


class Share(Protocol):
    """One additive term of the scores of all sentences: an array, or computed on demand."""

    def __getitem__(self, sentence: int, /) -> Any:
        """Return the term of a sentence."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen sentence with its score, the terms of the score, and the runner-up."""

    sentence: int
    score: float
    reasons: Mapping[str, float]
    runner_up: int | None = None


class Ranking(Protocol):
    """Scores the sentences of one document conditioned on earlier choices."""

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the score of each sentence, `[n]`, and the named terms that add up to it.

        A score of −∞ excludes a sentence from selection for good.
        """
        ...

    def choose(self, sentence: int) -> None:
        """Condition on a sentence being chosen."""
        ...


class FixedRanking:
    """A ranking that does not depend on earlier choices."""

    def __init__(self, scores: Array, reason: str) -> None:
        self._scores = scores
        self._reason = reason

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the scores, with a single term."""
        return self._scores, {self._reason: self._scores}

    def choose(self, sentence: int) -> None:
        """Do nothing."""


class PlannedRanking:
    """Ranks the next sentence of a plan above all others.

    Args:
        plan: The sentences of the plan, in the order of choice.
        gains: Score of each step.
        count: Number of sentences in the document.
        reason: Name of the score.
    """

    def __init__(
        self, plan: Sequence[int], gains: Sequence[float], count: int, reason: str
    ) -> None:
        self._plan, self._gains = plan, gains
        self._count = count
        self._reason = reason
        self._taken = 0

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the gain of the next step; all other sentences rank below it."""
        gain = self._gains[self._taken]
        scores = np.full(self._count, gain - 1.0)
        scores[self._plan[self._taken]] = gain
        return scores, {self._reason: scores}

    def choose(self, sentence: int) -> None:  # noqa: ARG002
        """Move to the next step."""
        self._taken += 1


class Selection:
    """Greedily chooses the best sentence that still fits.

    Attributes:
        distinct: Number of sentences in the document, duplicates counted once.
        candidates: Number of those that may be chosen.
        choices: The choices so far, in order.

    Because each step is conditioned on earlier choices alone, a larger budget can diverge from a
    smaller one only by choosing a sentence that did not fit there. So a larger budget never gives a
    shorter summary, and no candidate that is left out in the end would fit. No two chosen sentences
    are duplicates.
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
            ranking: Scores the sentences.
            costs: Cost of each sentence, in the unit of the budget.
            candidates: Which sentences may be chosen; by default all.
            preferred: Preference level of each sentence: while any of the highest level is left, no
                other is chosen. By default all are equal.
            alike: For each sentence the first one with the same words; at most one of each such
                group is chosen. By default there are no duplicates.
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
        """Choose until nothing more fits; return the total number of choices."""
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
        """Return `held` plus those of the chosen `steps` that still fit, in order of choice."""
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
    """Chooses candidates in document order and stops at the first one that does not fit.

    Candidates before the first one that fits are skipped, so that a long opening sentence does not
    leave the summary empty.
    """

    def extend(self, capacity: int) -> int:
        """Choose candidates until one does not fit; return the total number of choices."""
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
    """Return the open sentences of the highest preference level."""
    if not open_.any():
        return open_
    first: Mask = open_ & (preferred == preferred[open_].max())
    return first


def best_two(scores: Array, fitting: Mask) -> tuple[int, int | None]:
    """Return the best and the second-best position; ties go to the earlier sentence."""
    masked = np.where(fitting, scores, -np.inf)
    best = int(np.argmax(masked))
    masked[best] = -np.inf
    second = int(np.argmax(masked))
    return best, second if masked[second] > -np.inf else None
