"""Budgeted sentence selection, shared by all extractive systems."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from longsum.common.arrays import Array, Mask, Places
from longsum.core.extractive.copies import Aids, Lengths
from longsum.documents.fitness.fitness import FREE, LEADING, NEEDING, ContextDependence

Levels = Mask | Places
"""Preference level of each sentence, `[n]`; sentences of the highest level are chosen first."""

ANTECEDENT = "antecedent"
"""The reason for the difference between a sentence's own score and that of its unit."""

# With the fill `sensible`, shares of the length from which on no sentence is chosen merely because
# it fits, so that little is missing, and no dangling one, so that there is room for self-contained
# ones (docs/selection.md).
_FILLED = 0.95
_ENOUGH = 0.75
# Authors spend a seventh of the words of their summaries on how a report was made; ours spent a
# fifth to a third (docs/selection.md). Sentences beyond the limit come last, by a penalty far
# larger than any score.
_MOST_PROCEDURE = 1 / 6
_LAST = 1e6
_NO_AIDS = Aids()


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


class _Offer(NamedTuple):
    """A sentence that may be chosen next, together with the antecedents that it needs.

    Attributes:
        sentences: Their positions, the sentence itself last.
        runner_up: The second-best choice, if any.
    """

    sentences: tuple[int, ...]
    runner_up: int | None


class _Unit(NamedTuple):
    """Sentences that were chosen together.

    Attributes:
        steps: The steps in which they were chosen.
        needed: The earlier choice that the first of them needs, if any.
    """

    steps: range
    needed: int | None


class Selection:
    """Greedily chooses the best sentence that still fits.

    Attributes:
        distinct: Number of sentences in the document, not counting repetitions of chosen ones.
        candidates: How many of these may be chosen.
        choices: The choices so far, in order.
        complete: Whether the last `extend` left out sentences that would have been mere filler.
        short: Whether it thereby left more than 5 % unfilled.

    Because each step depends only on earlier choices, a larger budget can diverge from a smaller
    one only by choosing a sentence that did not fit there. So a larger budget never gives a shorter
    summary, and no candidate that is left out in the end would fit. No two chosen sentences are
    duplicates.

    With `Aids`, further guarantees hold:

    - A sentence that needs the one before it is chosen alone only after that one; until then, both
      compete as a unit, with the mean of their scores weighted by their costs (in chains of at most
      three). A sentence that needs one that cannot be chosen comes last, if at all.
    - No two chosen sentences say almost the same.
    - With the fill `sensible`, and unless everything that is left fits: a sentence fills the last
      5 % of the budget only if it is the best of all that are left, whether or not the others fit;
      before that, sentences that score below the median come last, and dangling ones are chosen
      only up to three quarters of the budget. The lead-in of a list is not chosen without an item,
      and only material is chosen if the document has any. Whether the selection continues depends
      on earlier choices and on the filled share, so a larger budget continues wherever a smaller
      one does.
    """

    def __init__(
        self,
        ranking: Ranking,
        costs: Sequence[int],
        candidates: Mask | None = None,
        preferred: Levels | None = None,
        alike: Places | None = None,
        aids: Aids = _NO_AIDS,
    ) -> None:
        """Prepare a selection.

        Args:
            ranking: Scores the sentences.
            costs: Cost of each sentence, in the unit of the budget.
            candidates: Which sentences may be chosen; by default all.
            preferred: Preference level of each sentence: as long as there is one of a higher level,
                no other is chosen. By default, all are equal.
            alike: For each sentence, the first one with the same words; at most one of such a group
                is chosen. By default, there are no duplicates.
            aids: What is known about the document's readability.
        """
        everything = np.ones(len(costs), dtype=bool)
        self._ranking = ranking
        self._open = everything if candidates is None else candidates.copy()
        self._preferred = everything if preferred is None else preferred
        self._alike = np.arange(len(costs)) if alike is None else alike
        self._context = aids.context or ContextDependence.independent(len(costs))
        self._repetitions = aids.repetitions
        self._unused = aids.lengths or Lengths(costs)
        self._lengths = self._unused.copy()
        material = everything if aids.material is None else aids.material
        self._material = material if (material & self._open).any() else everything
        self._fill = aids.fill
        self._procedure = ~everything if aids.procedure is None else aids.procedure
        self._spent = self._procedural = 0
        self._units: list[_Unit] = []
        self._chosen: set[int] = set()
        self._covered = np.zeros(len(costs), dtype=bool)
        self.distinct = _count_distinct(self._alike)
        self.candidates = _count_distinct(self._alike[self._open])
        self.choices: list[Choice] = []
        self.complete = self.short = False

    def mark_known(self, sentences: Iterable[int]) -> None:
        """Condition on what a reader already knows, at no cost; only before the first choice."""
        for sentence in sentences:
            self._close(sentence)
        self._spent = self._procedural = 0
        self.candidates = _count_distinct(self._alike[self._open])

    def extend(self, capacity: int) -> int:
        """Choose until nothing more fits or is worthwhile; return the total number of choices."""
        self.complete = self.short = False
        while self._fitting(capacity).any():
            scores, shares = self._ranking.scores()
            closed = self._open & ~(scores > -np.inf)
            self._open &= ~closed
            best = self._best(self._findings_first(scores), capacity)
            if best is not None:
                self._take(best, scores, shares)
            elif not closed.any():
                self.complete = bool(self._fitting(capacity).any())
                self.short = self.complete and self._spent < _FILLED * capacity
                break
        return len(self.choices)

    def extend_until(self, ended: Callable[[], bool]) -> int:
        """Choose at least once, until the ranking would rather end; return the length reached."""
        capacity = int(self._lengths.now.sum())
        while self._fitting(capacity).any():
            scores, shares = self._ranking.scores()
            if self.choices and ended():
                break
            self._open &= scores > -np.inf
            best = self._best(self._findings_first(scores), capacity)
            if best is not None:
                self._take(best, scores, shares)
        return self._spent

    def _findings_first(self, scores: Array) -> Array:
        """Return scores by which sentences on procedure come last once they exceed their share."""
        costs = self._lengths.now
        over = self._procedural + costs > _MOST_PROCEDURE * (self._spent + costs)
        return np.where(self._procedure & over, scores - _LAST, scores)

    def _pool(self) -> Mask:
        """Return the sentences from which the next may be chosen."""
        return pool(self._open, self._preferred)

    def _fitting(self, capacity: int) -> Mask:
        fitting: Mask = self._pool() & (self._lengths.now <= capacity - self._spent)
        return fitting

    def _best(self, scores: Array, capacity: int) -> _Offer | None:
        """Return the best next choice, or None to stop."""
        offers = self._offers(scores, capacity)
        offered = offers > -np.inf
        left = self._fitting(capacity)
        sensible = self._fill == "sensible" and not self._all_fit(capacity)
        if sensible:
            left &= self._material
            offered &= left
            worthwhile = offered & (offers >= self._floor(scores))
            if self._spent >= _FILLED * capacity:
                # Choose nothing merely because it fits.
                worthwhile &= offers >= self._highest(scores)
                if not worthwhile.any():
                    return None
            offered = worthwhile if worthwhile.any() else offered
        levels = self._context.levels
        if offered.any():
            best, runner_up = best_two(offers, offered)
            needs = levels[best] == NEEDING
            return _Offer((*self._context.antecedents(best), best) if needs else (best,), runner_up)
        if sensible and self.choices:
            left &= (levels > LEADING) & (self._spent < _ENOUGH * capacity)
        if not left.any():
            return None
        best, runner_up = best_two(scores, left & (levels == levels[left].max()))
        return _Offer((best,), runner_up)

    def _offers(self, scores: Array, capacity: int) -> Array:
        """Return the score of each sentence that fits, alone or with its antecedents, `[n]`.

        It is −∞ for sentences that cannot be chosen either way.
        """
        room, costs, context = capacity - self._spent, self._lengths.now, self._context
        free = self._fitting(capacity) & (context.levels == FREE)
        offers: Array = np.where(free, scores, -np.inf)
        last, groups = context.in_need(self._pool())
        together = np.where(groups < 0, 0, costs[groups]).sum(axis=1)
        for place in self._lengths.sharing(groups):
            together[place] = self._lengths.together([at for at in groups[place] if at >= 0])
        fits = together <= room
        offers[last[fits]] = weighted_mean(scores, costs, groups[fits])
        return offers

    def _all_fit(self, capacity: int) -> bool:
        """Return whether all sentences that are left fit, so that no choice is needed."""
        return int(self._lengths.now[self._open].sum()) <= capacity - self._spent

    def _highest(self, scores: Array) -> float:
        """Return the highest score among possible next choices, whether they fit or not."""
        left = scores[self._pool() & self._material & (self._context.levels == FREE)]
        return float(left.max()) if len(left) else -np.inf

    def _floor(self, scores: Array) -> float:
        """Return the median score of the material that may be chosen next."""
        # `np.median`, like `np.unique`, would import NumPy's masked arrays, which takes 15 ms.
        left = np.sort(scores[self._pool() & self._material])
        middle = left[(len(left) - 1) // 2 : len(left) // 2 + 1]
        return float(middle.mean()) if len(left) else -np.inf

    def _take(self, offer: _Offer, scores: Array, shares: Mapping[str, Share]) -> None:
        """Choose a sentence, after any antecedents that it needs."""
        start, unit = len(self.choices), offer.sentences
        needed = self._context.needed(unit[0])
        self._units.append(
            _Unit(range(start, start + len(unit)), needed if needed in self._chosen else None)
        )
        value = float(weighted_mean(scores, self._lengths.now, np.array([unit]))[0])
        for member in unit:
            reasons = {name: float(share[member]) for name, share in shares.items()}
            score = float(scores[member])
            if len(unit) > 1:
                reasons[ANTECEDENT] = value - score
                score = value
            self.choices.append(Choice(member, score, reasons, offer.runner_up))
        for member in unit:
            self._close(member)

    def _close(self, sentence: int) -> None:
        """Count a sentence as chosen, and close all others that say the same."""
        same = self._alike == self._alike[sentence]
        if self._repetitions is not None:
            groups = self._alike[self._repetitions.of(sentence)]
            repeating = np.isin(self._alike, groups) & ~same & ~self._covered
            self.distinct -= _count_distinct(self._alike[repeating])
            self.candidates -= _count_distinct(self._alike[repeating & self._open])
            same |= repeating
        self._covered |= same
        self._open &= ~same
        self._chosen.add(sentence)
        cost = self._lengths.add(sentence)
        self._spent += cost
        self._procedural += cost * bool(self._procedure[sentence])
        self._context.choose(sentence)
        self._ranking.choose(sentence)

    def within(self, capacity: int, steps: Iterable[int], shorter: Sequence[int]) -> list[int]:
        """Return the steps of a shorter summary plus those of `steps` that still fit.

        Sentences chosen together are kept or left out together, and a sentence chosen after its
        antecedent is kept only with it.
        """
        fitting, offered = list(shorter), set(steps) - set(shorter)
        sentences = {self.choices[step].sentence for step in fitting}
        lengths = self._unused.copy()
        spent = sum(lengths.add(self.choices[step].sentence) for step in fitting)
        for unit in self._units:
            members = [self.choices[step].sentence for step in unit.steps]
            possible = unit.needed is None or unit.needed in sentences
            if not (possible and offered.issuperset(unit.steps)):
                continue
            if spent + lengths.together(members) <= capacity:
                spent += sum(lengths.add(member) for member in members)
                fitting.extend(unit.steps)
                sentences.update(members)
        return fitting


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
            if self._lengths.now[sentence] <= capacity - self._spent:
                self._take(_Offer((sentence,), None), scores, shares)
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


def weighted_mean(scores: Array, weights: Places, groups: Places) -> Array:
    """Return the weighted mean score of each group, `[k]`.

    Args:
        scores: Score of each sentence, `[n]`.
        weights: Weight of each sentence, `[n]`.
        groups: The sentences of each group, `[k, m]`; −1 for none.
    """
    group_weights = np.where(groups < 0, 0.0, np.maximum(weights[groups], 1.0))
    mean: Array = (np.where(groups < 0, 0.0, scores[groups]) * group_weights).sum(
        axis=1
    ) / group_weights.sum(axis=1)
    return mean


def _count_distinct(groups: Places) -> int:
    """Return how many groups there are."""
    return len(set(groups.tolist()))
