"""Significance: seeds, symmetry, bounds, and what must come out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.metrics import (
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)
from longsum.evaluation.metrics import significance as module

scores = st.lists(st.floats(0, 1), min_size=1, max_size=12)
RNG = np.random.default_rng(5)
WORSE = RNG.normal(0.4, 0.05, 60)
BETTER = WORSE + RNG.normal(0.05, 0.02, 60)


@settings(max_examples=examples(30))
@given(scores)
def test_identical_systems_do_not_differ(values: list[float]) -> None:
    comparison = paired_bootstrap(values, values, samples=50)
    assert (comparison.difference, comparison.low, comparison.high) == (0, 0, 0)
    assert comparison.p_value == 1
    assert approximate_randomization(values, values, trials=50) == 1


def test_a_clear_difference_is_found() -> None:
    comparison = paired_bootstrap(BETTER, WORSE)
    assert comparison.p_value == 1 / 1001
    assert 0 < comparison.low < comparison.difference < comparison.high
    assert approximate_randomization(BETTER, WORSE) == 1 / 10_001


def test_noise_is_not_found() -> None:
    other = WORSE + np.random.default_rng(6).normal(0, 0.02, 60)
    assert paired_bootstrap(other, WORSE).p_value > 0.05
    assert approximate_randomization(other, WORSE) > 0.05


@settings(max_examples=examples(30))
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12))
def test_the_order_of_the_systems_changes_signs_only(pairs: list[tuple[float, float]]) -> None:
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    one, other = paired_bootstrap(a, b, samples=50), paired_bootstrap(b, a, samples=50)
    assert one.p_value == other.p_value
    assert (one.difference, one.low, one.high) == pytest.approx(
        (-other.difference, -other.high, -other.low)
    )
    assert approximate_randomization(a, b, 50) == approximate_randomization(b, a, 50)


def test_randomization_of_three_documents_by_hand() -> None:
    # Of the 8 exchanges of (1, 1, 1) two reach |3|: p → 2/8.
    assert approximate_randomization([1, 1, 1], [0, 0, 0]) == pytest.approx(0.25, abs=0.02)


def test_equal_sums_count_in_spite_of_rounding() -> None:
    # Of the 16 exchanges 6 reach |0.3 − 0.5 − 0.4 − 0.3| = 0.9; in floating point one of them seems
    # to fall short: p → 6/16, not 5/16.
    differences = [0.3, -0.5, -0.4, -0.3]
    assert approximate_randomization(differences, [0] * 4) == pytest.approx(6 / 16, abs=0.02)
    # Of 256 samples of these the means of 108, with one of −0.1, are the observed 0.05, the others
    # at least that far from it; in floating point the nearest of them seem to fall short.
    compared = paired_bootstrap([0.1, 0.1, 0.1, -0.1], [0.0] * 4, samples=4000)
    assert compared.p_value == pytest.approx(148 / 256, abs=0.03)


def test_the_interval_agrees_with_the_normal_one() -> None:
    interval = bootstrap_interval(WORSE, samples=4000)
    half = 1.96 * WORSE.std() / np.sqrt(len(WORSE))
    assert interval.mean == pytest.approx(WORSE.mean())
    assert interval.low == pytest.approx(WORSE.mean() - half, abs=0.002)
    assert interval.high == pytest.approx(WORSE.mean() + half, abs=0.002)


def test_a_higher_level_is_wider() -> None:
    narrow, wide = bootstrap_interval(WORSE, level=0.5), bootstrap_interval(WORSE, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_the_seed_decides() -> None:
    assert bootstrap_interval(WORSE, seed=1) == bootstrap_interval(WORSE, seed=1)
    assert bootstrap_interval(WORSE, seed=1) != bootstrap_interval(WORSE, seed=2)


def test_little_memory_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = paired_bootstrap(BETTER, WORSE), bootstrap_interval(WORSE)
    monkeypatch.setattr(module, "_MOST_NUMBERS", 60 * 7)
    assert (paired_bootstrap(BETTER, WORSE), bootstrap_interval(WORSE)) == whole


@pytest.mark.parametrize("values", [[], [float("nan")], [1.0, float("inf")]])
def test_impossible_scores_are_refused(values: list[float]) -> None:
    with pytest.raises(LongsumError, match="all finite numbers"):
        bootstrap_interval(values)


def test_other_mistakes_are_refused() -> None:
    with pytest.raises(LongsumError, match="2 scores of one and 1 of the other"):
        paired_bootstrap([1, 2], [1])
    with pytest.raises(LongsumError, match="between 0 and 1"):
        bootstrap_interval([1, 2], level=95)
    with pytest.raises(LongsumError, match="0 samples are too few"):
        bootstrap_interval([1, 2], samples=0)
    with pytest.raises(LongsumError, match="0 trials are too few"):
        approximate_randomization([1, 2], [1, 2], trials=0)
