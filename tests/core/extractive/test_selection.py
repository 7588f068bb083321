import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.extractive.selection import (
    FixedRanking,
    PlannedRanking,
    Selection,
    SelectionInOrder,
    pool,
)

COSTS = st.lists(st.integers(1, 30), min_size=1, max_size=15)


class Repelling:
    """A ranking in which each choice lowers the scores of its neighbours."""

    def __init__(self, scores):
        self._scores = np.array(scores, dtype=float)

    def scores(self):
        return self._scores, {"x": self._scores}

    def choose(self, sentence):
        for other in (sentence - 1, sentence + 1):
            if 0 <= other < len(self._scores):
                self._scores[other] /= 2


def chosen(selection, capacity):
    selection.extend(capacity)
    return [choice.sentence for choice in selection.choices]


@given(COSTS, st.data())
def test_never_over_budget_and_nothing_left_would_fit(costs, data):
    scores = data.draw(
        st.lists(st.floats(0, 1), min_size=len(costs), max_size=len(costs)), label="scores"
    )
    capacity = data.draw(st.integers(0, 200), label="capacity")
    taken = chosen(Selection(Repelling(scores), costs), capacity)
    spent = sum(costs[sentence] for sentence in taken)
    assert spent <= capacity
    left = [cost for sentence, cost in enumerate(costs) if sentence not in taken]
    assert all(spent + cost > capacity for cost in left)


@given(COSTS, st.data(), st.sampled_from([Selection, SelectionInOrder]))
def test_a_larger_budget_never_gives_a_shorter_summary(costs, data, kind):
    scores = data.draw(st.lists(st.floats(0, 1), min_size=len(costs), max_size=len(costs)))
    preferred = data.draw(st.lists(st.booleans(), min_size=len(costs), max_size=len(costs)))
    smaller, larger = sorted(data.draw(st.tuples(st.integers(0, 150), st.integers(0, 150))))
    spent = []
    for capacity in (smaller, larger):
        selection = kind(Repelling(scores), costs, preferred=np.array(preferred))
        spent.append(sum(costs[sentence] for sentence in chosen(selection, capacity)))
    assert spent[0] <= spent[1]


def test_best_first_ties_to_the_earlier_and_the_runner_up_is_named():
    selection = Selection(FixedRanking(np.array([0.1, 0.5, 0.5, 0.2]), "x"), [1, 1, 1, 1])
    selection.extend(2)
    assert [(c.sentence, c.runner_up) for c in selection.choices] == [(1, 2), (2, 3)]


def test_no_other_sentence_is_chosen_while_a_preferred_one_is_left():
    ranking = FixedRanking(np.array([9.0, 1.0, 2.0, 8.0]), "x")
    preferred = np.array([False, True, True, False])
    assert chosen(Selection(ranking, [1, 1, 5, 1], preferred=preferred), 3) == [1]
    assert chosen(Selection(ranking, [1, 1, 1, 1], preferred=preferred), 3) == [2, 1, 0]


@given(COSTS, st.data(), st.sampled_from([Selection, SelectionInOrder]))
def test_at_most_one_of_several_alike_sentences_is_chosen(costs, data, kind):
    scores = data.draw(st.lists(st.floats(0, 1), min_size=len(costs), max_size=len(costs)))
    groups = data.draw(st.lists(st.integers(0, 4), min_size=len(costs), max_size=len(costs)))
    alike = np.array([groups.index(group) for group in groups])
    open_ = np.array(data.draw(st.lists(st.booleans(), min_size=len(costs), max_size=len(costs))))
    selection = kind(Repelling(scores), costs, open_, alike=alike)
    everything = chosen(selection, sum(costs))
    assert len({groups[sentence] for sentence in everything}) == len(everything)
    assert len(everything) == selection.candidates == len(set(np.array(groups)[open_]))
    assert selection.distinct == len(set(groups))


def test_only_the_highest_remaining_level_may_be_chosen():
    levels = np.array([2, 0, 2, 1, 0])
    taken = [0, 2, 3, 1, 4]
    masks = [pool(~np.isin(np.arange(5), taken[:count]), levels).tolist() for count in range(6)]
    assert [np.flatnonzero(mask).tolist() for mask in masks] == [[0, 2], [2], [3], [1, 4], [4], []]


def test_in_order_stops_at_the_first_that_does_not_fit_but_skips_a_long_opening():
    ranking = FixedRanking(np.ones(5), "x")
    selection = SelectionInOrder(ranking, [50, 3, 3, 9, 1])
    assert chosen(selection, 10) == [1, 2]
    assert chosen(selection, 20) == [1, 2, 3, 4]


def test_within_keeps_held_choices_and_adds_those_that_fit():
    selection = Selection(FixedRanking(np.array([3.0, 2.0, 1.0]), "x"), [5, 4, 2])
    selection.extend(11)
    assert selection.within(6, range(3), []) == [0]
    assert selection.within(7, range(3), []) == [0, 2]
    assert selection.within(11, range(3), [0, 2]) == [0, 2, 1]


def test_a_score_of_minus_infinity_excludes_a_sentence_for_good():
    class Closing:
        """Excludes the second sentence at first, and would admit it later."""

        def __init__(self):
            self._scores = np.array([1.0, -np.inf, 0.5])

        def scores(self):
            return self._scores.copy(), {"x": self._scores.copy()}

        def choose(self, sentence):  # noqa: ARG002
            self._scores[1] = 9.0

    assert chosen(Selection(Closing(), [1, 1, 1]), 3) == [0, 2]
    assert chosen(Selection(FixedRanking(np.full(2, -np.inf), "x"), [1, 1]), 2) == []


def test_a_plan_is_followed_whatever_its_gains():
    selection = Selection(PlannedRanking([3, 0, 2], [0.1, 0.7, -0.2], 4, "x"), [1] * 4)
    assert selection.extend(3) == 3
    assert [(c.sentence, c.score) for c in selection.choices] == [(3, 0.1), (0, 0.7), (2, -0.2)]
    assert selection.choices[1].reasons == {"x": 0.7}
