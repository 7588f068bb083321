from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.models.training.update_order import UpdateOrder

COUNTS = st.integers(1, 60)
SIZES = st.integers(1, 24)


def drawn(order: UpdateOrder, epochs: int) -> list[int]:
    found = []
    for number in range(epochs):
        order.begin_at(number * order.updates)
        found += list(order)
    return found


@given(COUNTS, SIZES, st.booleans(), st.integers(0, 3))
def test_updates_are_full_and_no_example_is_drawn_more_often(examples, size, grouped, seed) -> None:
    lengths = list(range(examples)) if grouped else None
    order = UpdateOrder(examples, size, lengths, seed)
    found = drawn(order, 3)
    assert len(found) == 3 * len(order) == 3 * order.updates * size
    counts = np.bincount(found, minlength=examples)
    assert counts.max() - counts.min() <= 1


@given(COUNTS, SIZES, st.booleans())
def test_an_update_depends_only_on_its_number(examples: int, size: int, grouped: bool) -> None:
    lengths = [number % 7 for number in range(examples)] if grouped else None
    whole, resumed = (UpdateOrder(examples, size, lengths, 5) for _ in range(2))
    expected = drawn(whole, 3)
    update = whole.updates + whole.updates // 2
    resumed.begin_at(update)
    skipped = (update % whole.updates) * size
    assert list(islice(resumed, skipped, None)) == expected[update * size : 2 * len(whole)]


def test_passes_and_seeds_have_other_orders() -> None:
    order = UpdateOrder(50, 5)
    assert (order.epoch(0) != order.epoch(1)).any()
    assert (order.epoch(0) != UpdateOrder(50, 5, seed=1).epoch(0)).any()


@pytest.mark.parametrize("size", [4, 16])
def test_an_update_has_examples_of_similar_length_and_the_next_one_any_other(size: int) -> None:
    lengths = np.random.default_rng(0).integers(1, 1000, 3200)
    grouped = lengths[UpdateOrder(3200, size, lengths.tolist()).epoch(0)]
    shuffled = lengths[UpdateOrder(3200, size).epoch(0)]
    assert np.ptp(grouped, axis=1).mean() < 0.15 * np.ptp(shuffled, axis=1).mean()
    assert (np.diff(grouped, axis=1) <= 0).all()
    means = grouped.mean(axis=1)
    assert abs(np.corrcoef(means[:-1], means[1:])[0, 1]) < 0.2
