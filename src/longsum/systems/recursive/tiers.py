"""Choosing sentences of the original document through the levels of a recursive summary.

Where every level copies, the summaries of the parts are sentences of the document. The summary of
the whole is chosen among those of the last level; where the length asked for holds more, among
those of the level below it, and at last among all. Each step depends on the choices before it
alone, so the promises of `Selection` hold: a larger budget never gives a shorter summary.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longsum.arrays import Array, Mask
from longsum.systems.extractive.selection import Levels, Selection, Share, pool
from longsum.systems.extractive.summarizer import Ranked


@dataclass(frozen=True, slots=True)
class Tier:
    """The sentences of one level.

    Attributes:
        positions: Where each of them stands in the document, in order.
        rank: Ranks them; called when the tier is reached.
    """

    positions: NDArray[np.intp]
    rank: Callable[[], Ranked]


@dataclass(frozen=True, slots=True)
class _OfTier:
    """A share of a tier's sentences, by their positions in the document."""

    share: Share
    within: Mapping[int, int]

    def __getitem__(self, sentence: int) -> float:
        return float(self.share[self.within[sentence]]) if sentence in self.within else 0.0


class TieredRanking:
    """Ranks the sentences of one tier after the other, the later ones in sight of all choices.

    Args:
        count: Sentences of the document.
        tiers: The tiers, each holding all of the one before.
    """

    def __init__(self, count: int, tiers: Sequence[Tier]) -> None:
        self._count = count
        self._tiers = list(tiers)
        self._chosen: list[int] = []
        self.first = self._enter()

    def _enter(self) -> Ranked:
        tier = self._tiers.pop(0)
        ranked = tier.rank()
        if ranked.candidates is not None:
            # What the system leaves out is no part of its summary, however long that may be.
            self._tiers.clear()
        self._positions = tier.positions
        self._ranking = ranked.ranking
        self._within = {int(position): place for place, position in enumerate(tier.positions)}
        self.members: Mask = self._spread(ranked.candidates) > 0
        self.preferred = self._spread(ranked.preferred)
        for sentence in self._chosen:
            self._tell(sentence)
        return ranked

    def _spread(self, levels: Levels | None) -> Levels:
        """Return what is given of the tier's sentences as of the document's, 0 for all others."""
        spread = np.zeros(self._count, dtype=np.int64)
        spread[self._positions] = 1 if levels is None else levels
        return spread

    def descend(self) -> bool:
        """Go on to the next tier; return whether there was one."""
        if not self._tiers:
            return False
        self._enter()
        return True

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the scores of the tier's sentences and their shares; 0 for all others."""
        scores, shares = self._ranking.scores()
        placed = np.zeros(self._count)
        placed[self._positions] = scores
        return placed, {name: _OfTier(share, self._within) for name, share in shares.items()}

    def choose(self, sentence: int) -> None:
        """Take note that a sentence has been chosen."""
        self._chosen.append(sentence)
        self._tell(sentence)

    def _tell(self, sentence: int) -> None:
        if sentence in self._within:
            self._ranking.choose(self._within[sentence])


class TieredSelection(Selection):
    """Chooses from a tier until none of it is left, and then from the next."""

    def _fitting(self, capacity: int) -> Mask:
        ranking = self._ranking
        assert isinstance(ranking, TieredRanking)
        while not (self._open & ranking.members).any() and ranking.descend():
            pass
        fitting: Mask = pool(self._open & ranking.members, ranking.preferred)
        return fitting & (self._costs <= capacity - self._spent)


class TurnRanking:
    """Lets the parts take turns, so that each has its share of a summary however long it is.

    Next is the part that would be least ahead of its share: the least (spent + cost) / weight, as
    in D'Hondt's method. Within a part the order is that in which its summary chose. The shares of
    a score are the part's place in the queue and the sentence's in its part, both negative.

    Args:
        orders: Of each part the sentences, in the order in which they were chosen.
        costs: Words of each sentence.
        weights: Weight of each part, above 0.
    """

    def __init__(
        self, orders: Sequence[Sequence[int]], costs: Sequence[int], weights: Sequence[float]
    ) -> None:
        self._costs = costs
        self._weights = weights
        self._left = [list(order) for order in orders]
        self._spent = [0] * len(orders)
        self._home = {sentence: part for part, order in enumerate(orders) for sentence in order}
        self._order = np.zeros(len(costs))
        for order in orders:
            for place, sentence in enumerate(order):
                # Less than one step in the queue, however long the order is.
                self._order[sentence] = -place / (place + 1)

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the scores and both shares."""
        parts = sorted(
            (part for part, left in enumerate(self._left) if left),
            key=lambda part: (self._ahead(part), part),
        )
        turn = np.zeros(len(self._costs))
        for place, part in enumerate(parts):
            turn[self._left[part]] = -place
        return turn + self._order, {"turn": turn, "order": self._order}

    def _ahead(self, part: int) -> float:
        cost = self._spent[part] + self._costs[self._left[part][0]]
        return cost / self._weights[part]

    def choose(self, sentence: int) -> None:
        """Take note that a sentence has been chosen."""
        part = self._home[sentence]
        self._left[part].remove(sentence)
        self._spent[part] += self._costs[sentence]
