"""With enough beams, the search finds the same plans as an exhaustive search."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.encoder.decoding import Plan, search_plans

ALL = 10_000


class Table:
    """A network and its reading, with logits after each plan that are random or given."""

    stepwise = True
    decides_end = False
    compares = False
    vectors = None

    def __init__(self, count: int, seed: int = 0, given: Tensor | None = None) -> None:
        self.count, self.seed, self.given = count, seed, given
        self.calls: list[tuple[int, ...]] = []

    def logits(self, plans: Sequence[tuple[int, ...]]) -> Array:
        self.calls.append((1, len(plans), max(len(plans[0]), 1)))
        return np.stack([self.row(plan).numpy() for plan in plans])

    def row(self, plan: Sequence[int]) -> Tensor:
        if self.given is not None:
            return self.given.double()
        seed = self.seed + sum((unit + 1) * 31**place for place, unit in enumerate(plan))
        generator = torch.Generator().manual_seed(seed)
        return 3 * torch.randn(self.count + 1, generator=generator, dtype=torch.float64)


def every_plan(
    model: Table, maximum: int, minimum: int, repeats: bool, end: bool
) -> dict[tuple[tuple[int, ...], bool], float]:
    """Return the log-probability of each plan, by its sentences and whether it ends by itself."""
    found: dict[tuple[tuple[int, ...], bool], float] = {}
    for length in range(maximum + 1):
        for plan in itertools.product(range(model.count), repeat=length):
            if not repeats and len(set(plan)) < length:
                continue
            total = 0.0
            for place in range(length + 1):
                row = model.row(plan[:place])
                row = (row if end else row[:-1]).log_softmax(0)
                if place < length:
                    total += float(row[plan[place]])
            stuck = not repeats and length == model.count
            if length == maximum or stuck:
                found[plan, False] = total
            elif end and length >= minimum:
                found[plan, True] = total + float(row[-1])
    return found


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize(("count", "maximum", "minimum"), [(3, 2, 0), (4, 3, 2), (2, 4, 1)])
def test_equals_exhaustive_search(count, maximum, minimum, end, repeats) -> None:
    model = Table(count)
    expected = every_plan(model, maximum, minimum, repeats, end)
    found = search_plans(
        model, model, beams=ALL, maximum=maximum, minimum=minimum, repeats=repeats, end=end
    )
    assert {(plan.sentences, plan.ended): plan.log_probability for plan in found} == pytest.approx(
        expected
    )
    order = [plan.log_probability for plan in found]
    assert order == sorted(order, reverse=True)
    if repeats and not (end and minimum):
        # Nothing is forbidden, and every continuation is among them.
        assert sum(np.exp(order)) == pytest.approx(1.0)


@pytest.mark.parametrize("beams", [1, 2, 3, 5])
def test_a_finished_plan_keeps_its_place_among_the_beams(beams: int) -> None:
    model = Table(5, given=torch.tensor([0.5, 0.4, 0.3, 0.2, 0.1, 0.6]))
    found = search_plans(model, model, beams=beams, maximum=3)
    # The empty plan ends at once; the probability of longer plans is not added to it.
    assert found[0].sentences == ()
    assert len(found) == beams


def test_more_beams_find_what_greedy_search_misses() -> None:
    class Garden(Table):
        """The best first choice leads to worse plans."""

        def row(self, plan: Sequence[int]) -> Tensor:
            if not plan:
                return torch.tensor([0.6, 0.4, 1e-9]).log()
            return torch.tensor([0.5, 0.5, 1e-9] if plan[0] == 0 else [0.99, 0.01, 1e-9]).log()

    model = Garden(2)
    settings: dict[str, Any] = {"maximum": 2, "repeats": True}
    assert search_plans(model, model, beams=1, **settings)[0].sentences == (0, 0)
    assert search_plans(model, model, beams=2, **settings)[0].sentences == (1, 0)


def test_all_beams_are_scored_in_one_call_per_step() -> None:
    model = Table(5, given=torch.tensor([1.0, 2.0, 0.0, 0.5, 1.5, -20.0]))
    search_plans(model, model, beams=3, maximum=3)
    assert model.calls == [(1, 1, 1), (1, 3, 1), (1, 3, 2)]


def test_minimum_and_maximum_length_are_respected() -> None:
    eager = Table(3, given=torch.tensor([0.0, 0.0, 0.0, 9.0]))
    assert search_plans(eager, eager)[0] == Plan((), (pytest.approx(0.0, abs=1e-3),), True)
    assert all(len(plan.sentences) >= 2 for plan in search_plans(eager, eager, minimum=2))
    endless = Table(9, given=torch.tensor([0.0] * 9 + [-9.0]))
    assert [len(plan.sentences) for plan in search_plans(endless, endless)] == [4, 4, 4]


def test_equal_plans_come_in_the_order_of_the_text() -> None:
    model = Table(4, given=torch.zeros(5))
    found = search_plans(model, model, beams=3, maximum=2, minimum=2)
    assert [plan.sentences for plan in found] == [(0, 1), (0, 2), (0, 3)]
    assert found == search_plans(model, model, beams=3, maximum=2, minimum=2)


def test_sentences_that_are_not_allowed_are_skipped_but_keep_their_probability() -> None:
    model = Table(3, given=torch.tensor([3.0, 2.0, 1.0, -50.0]))

    def allowed(plan: tuple[int, ...]) -> np.ndarray[Any, Any]:
        return np.array([False, True, not plan])

    (found,) = search_plans(model, model, beams=1, allowed=allowed)
    assert found.sentences == (1,)
    assert not found.ended
    expected = model.row([]).log_softmax(0)[1]
    assert found.log_probability == pytest.approx(float(expected), abs=1e-6)


def test_if_nothing_may_follow_the_only_plan_is_empty() -> None:
    unread = Table(2, given=torch.tensor([-torch.inf, -torch.inf, -torch.inf]))
    for end in (False, True):
        assert search_plans(unread, unread, end=end) == [Plan()]


def test_penalties_are_subtracted_before_the_softmax() -> None:
    model = Table(3, given=torch.tensor([3.0, 2.0, 1.0, 0.0]))
    (found,) = search_plans(
        model, model, beams=1, maximum=1, penalties=np.array([9.0, 9.0, 0.0]), end=False
    )
    assert found.sentences == (2,)
    assert found.log_probability == pytest.approx(
        float(torch.tensor([-6.0, -7.0, 1.0]).double().log_softmax(0)[2])
    )
    # They do not change a separate decision to end.
    odds = 0.5
    model = Table(2, given=torch.tensor([0.0, 0.0, odds + np.log(2)]))
    model.decides_end = True
    found = search_plans(model, model, beams=3, maximum=1, penalties=np.array([7.0, 3.0]))
    ended = {plan.sentences: np.exp(plan.log_probability) for plan in found}[()]
    assert ended == pytest.approx(1 / (1 + np.exp(-odds)))


def test_a_length_penalty_favours_longer_plans() -> None:
    model = Table(5, given=torch.tensor([0.0] * 5 + [1.0]))
    short = search_plans(model, model, beams=ALL, maximum=3)[0]
    long = search_plans(model, model, beams=ALL, maximum=3, length_penalty=2.0)[0]
    assert (len(short.sentences), len(long.sentences)) == (0, 2)
    assert long.log_probability < short.log_probability


def test_a_model_that_is_not_stepwise_makes_no_plans() -> None:
    model = Table(3)
    model.stepwise = False
    with pytest.raises(LongsumError, match="not stepwise makes no plans"):
        search_plans(model, model)
