"""Selects sentences of the original document through the levels of a recursive summary.

If every level copies, the summaries of the parts consist of sentences of the document. The summary
of the whole is selected from those of the last level; if the budget has room for more, from those
of the level below, and finally from all. Each step depends only on earlier choices, so the
guarantees of `Selection` hold: a larger budget never gives a shorter summary.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Mask
from longsum.core.extractive.selection import Levels, Selection, Share, pool
from longsum.core.extractive.summarizer import Ranked, ShareOf


@dataclass(frozen=True, slots=True)
class Tier:
    """The sentences of the document in one stage.

    Attributes:
        positions: Their positions in the document, in order.
        rank: Ranks them; called when the tier is reached.
    """

    positions: NDArray[np.intp]
    rank: Callable[[], Ranked]


class TieredRanking:
    """Ranks the sentences of one tier after the other, conditioned on all earlier choices.

    Each tier contains the previous one.
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
            # Sentences that the system excludes are never in its summary, at any length.
            self._tiers.clear()
        self._positions = tier.positions
        self._ranking = ranked.ranking
        self._within = {int(position): place for place, position in enumerate(tier.positions)}
        self.members: Mask = self._spread(ranked.candidates) > 0
        self.preferred = self._spread(ranked.preferred)
        for sentence in self._chosen:
            self._condition(sentence)
        return ranked

    def _spread(self, levels: Levels | None) -> Levels:
        """Scatter the levels of the tier's sentences over the document; 0 for all others."""
        spread = np.zeros(self._count, dtype=np.int64)
        spread[self._positions] = 1 if levels is None else levels
        return spread

    def descend(self) -> bool:
        """Move to the next tier; return whether there was one."""
        if not self._tiers:
            return False
        self._enter()
        return True

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the scores of the tier's sentences and their terms; 0 for all others."""
        scores, shares = self._ranking.scores()
        placed = np.zeros(self._count)
        placed[self._positions] = scores
        at = partial(_at, within=self._within)
        return placed, {name: ShareOf(partial(at, share)) for name, share in shares.items()}

    def choose(self, sentence: int) -> None:
        """Condition on a sentence being chosen."""
        self._chosen.append(sentence)
        self._condition(sentence)

    def _condition(self, sentence: int) -> None:
        if sentence in self._within:
            self._ranking.choose(self._within[sentence])


def _at(share: Share, sentence: int, *, within: Mapping[int, int]) -> float:
    """Return a term of a sentence of the document, whose place in its tier `within` tells."""
    return float(share[within[sentence]]) if sentence in within else 0.0


class TieredSelection(Selection):
    """Chooses from a tier until it is exhausted, and then from the next."""

    def _pool(self) -> Mask:
        ranking = self._ranking
        assert isinstance(ranking, TieredRanking)
        while not (self._open & ranking.members).any() and ranking.descend():
            pass
        return pool(self._open & ranking.members, ranking.preferred)


class TurnRanking:
    """Interleaves the parts, so that each gets its share of a summary of any length.

    The next part is the one with the smallest (spent + cost) / weight, as in D'Hondt's method.
    Within a part, sentences keep the order in which its summary chose them. The terms of a score
    are the negated rank of the part and the negated position of the sentence in its part.

    Args:
        orders: The sentences of each part, in the order in which they were chosen.
        costs: Number of words of each sentence.
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
                # Less than one rank of a part, no matter how long the order is.
                self._order[sentence] = -place / (place + 1)

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the scores and both terms."""
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
        """Charge a chosen sentence to its part."""
        part = self._home[sentence]
        self._left[part].remove(sentence)
        self._spent[part] += self._costs[sentence]
