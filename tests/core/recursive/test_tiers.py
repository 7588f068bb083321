"""Sentences of one tier after another, each ranked given all earlier choices."""

import numpy as np

from longsum.core.extractive.summarizer import Ranked
from longsum.core.recursive.tiers import Tier, TieredRanking, TieredSelection, TurnRanking


class Listening:
    """A ranking that records the choices that it is told."""

    def __init__(self, scores: list[float]) -> None:
        self.given, self.heard = np.array(scores), list[int]()

    def scores(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        return self.given, {"x": self.given}

    def choose(self, sentence: int) -> None:
        self.heard.append(sentence)


def test_a_tier_is_told_the_choices_of_the_tiers_above_it() -> None:
    above, below = Listening([2.0, 3.0]), Listening([4.0, 0.0, 5.0, 0.0])
    tiers = [
        Tier(np.array(positions), lambda ranking=ranking: Ranked(ranking))
        for positions, ranking in [([1, 4], above), ([1, 2, 3, 4], below)]
    ]
    ranking = TieredRanking(5, tiers)
    scores, shares = ranking.scores()
    # A sentence that is in no tier yet may be added with one that refers to it.
    assert [shares["x"][place] for place in range(5)] == scores.tolist() == [0, 2, 0, 0, 3]
    selection = TieredSelection(ranking, [1] * 5)
    assert selection.extend(3) == 3
    assert [choice.sentence for choice in selection.choices] == [4, 1, 3]
    assert [choice.reasons for choice in selection.choices] == [{"x": 3}, {"x": 2}, {"x": 5}]
    # Each in its own numbering; the lower tier is also told the choices before its own.
    assert (above.heard, below.heard) == ([1, 0], [3, 0, 2])


def test_the_part_that_has_spent_least_for_its_weight_is_next() -> None:
    # Spent and cost over weight: 2 and 3 / 2, 2 and 6 / 2, 5 and 6 / 2, then the first alone.
    ranking = TurnRanking([[1, 0], [2, 3]], [3, 2, 3, 3], [1, 2])
    taken = []
    while len(taken) < 4:
        scores, terms = ranking.scores()
        assert scores.tolist() == (terms["turn"] + terms["order"]).tolist()
        taken.append(max((at for at in range(4) if at not in taken), key=scores.__getitem__))
        ranking.choose(taken[-1])
    assert taken == [2, 1, 3, 0]
