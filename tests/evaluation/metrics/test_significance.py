"""Significance and analysis of variance: seeds, bounds, cases by hand, and parity with SciPy."""

import sys
from functools import partial

import numpy as np
import pytest
import scipy.stats as scipy_stats
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.metrics import significance as module
from longsum.evaluation.metrics.significance import (
    AnalysisOfVariance,
    PairedTest,
    analysis_of_variance,
    approximate_randomization,
    bootstrap_interval,
    corrected,
    effect_size,
    paired_bootstrap,
)

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
    assert bootstrap_interval(WORSE) == bootstrap_interval(WORSE, seed=0)
    assert bootstrap_interval(WORSE, seed=1) != bootstrap_interval(WORSE, seed=2)


def test_little_memory_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = paired_bootstrap(BETTER, WORSE), bootstrap_interval(WORSE)
    monkeypatch.setattr(module, "_MOST_NUMBERS", 60 * 7)
    assert (paired_bootstrap(BETTER, WORSE), bootstrap_interval(WORSE)) == whole


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        *(
            (partial(bootstrap_interval, values), "all finite numbers")
            for values in ([], [float("nan")], [1.0, float("inf")])
        ),
        (partial(paired_bootstrap, [1, 2], [1]), "2 scores of one and 1 of the other"),
        (partial(bootstrap_interval, [1, 2], level=95), "between 0 and 1"),
        (partial(bootstrap_interval, [1, 2], samples=0), "0 samples are too few"),
        (partial(approximate_randomization, [1, 2], [1, 2], trials=0), "0 trials are too few"),
        (partial(analysis_of_variance, {"a": [1, 2]}), "two systems or more, not 1 system"),
        (partial(analysis_of_variance, {"a": [1, 2], "b": [1]}), "two scores of 'b'"),
        (partial(analysis_of_variance, {"a": [1, 2], "b": [1, float("nan")]}), "all finite"),
    ],
)
def test_mistakes_are_refused(ask, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        ask()


NAMES = "abcdefgh"
groups = st.lists(
    st.lists(st.floats(0, 100).map(lambda value: round(value, 2)), min_size=2, max_size=9),
    min_size=2,
    max_size=5,
).filter(lambda found: any(np.var(values) > 0.01 for values in found))


@settings(max_examples=examples(20), deadline=None)
@given(groups)
@pytest.mark.slow
def test_it_agrees_with_scipy(values: list[list[float]]) -> None:
    agrees_with_scipy(values)


def test_systems_of_other_numbers_of_documents_agree_with_scipy() -> None:
    agrees_with_scipy([[1, 2], [2, 3.5, 5, 2], [6, 7, 8]])


def agrees_with_scipy(values: list[list[float]]) -> None:
    found = analysis_of_variance(dict(zip(NAMES, values, strict=False)))
    expected = scipy_stats.f_oneway(*values)
    assert found.f == pytest.approx(float(expected.statistic), rel=1e-6, abs=1e-9)
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-6, abs=1e-9)
    tukey = scipy_stats.tukey_hsd(*values)
    bounds = tukey.confidence_interval()
    for pair in found.pairs:
        place = NAMES.index(pair.first), NAMES.index(pair.second)
        assert pair.difference == pytest.approx(tukey.statistic[place], abs=1e-9)
        assert pair.p_value == pytest.approx(tukey.pvalue[place], abs=1e-6)
        assert (pair.low, pair.high) == pytest.approx(
            (bounds.low[place], bounds.high[place]), rel=1e-4, abs=1e-6
        )


def test_three_groups_by_hand() -> None:
    # Means 2, 3, 7; of all 4. Between: 3 · (4 + 1 + 9) / 2 = 21; within: (2 + 2 + 2) / 6 = 1.
    found = analysis_of_variance({"a": [1, 2, 3], "b": [2, 3, 4], "c": [6, 7, 8]})
    assert (found.f, found.between, found.within) == (pytest.approx(21), 2, 6)
    # F of 2 and 6 degrees: p = (1 + 2 F / 6)^-3.
    assert found.p_value == pytest.approx(8**-3)
    assert found.groups() == {"a": "b", "b": "b", "c": "a"}
    # The standard error of a mean is √(1/3): the range of a and b is √3 of it.
    chance = scipy_stats.studentized_range.sf(3**0.5, 3, 6)
    pair = found.pairs[0]
    assert pair.p_value == pytest.approx(float(chance))
    half = scipy_stats.studentized_range.isf(0.05, 3, 6) / 3**0.5
    assert (pair.low, pair.high) == pytest.approx((-1 - half, -1 + half))


def of_pairs(means: dict[str, float], differing: set[str]) -> AnalysisOfVariance:
    names = list(means)
    pairs = [
        PairedTest(a, b, 0, 0, 0, 0.0499 if a + b in differing else 0.05)
        for place, a in enumerate(names)
        for b in names[place + 1 :]
    ]
    return AnalysisOfVariance(1, 1, 1, 0.5, means, pairs)


@settings(max_examples=examples(40))
@given(st.sets(st.sampled_from(["ab", "ac", "ad", "bc", "bd", "cd"])))
def test_two_systems_share_a_letter_exactly_if_they_do_not_differ(differing: set[str]) -> None:
    means = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}
    letters = of_pairs(means, differing).groups()
    for pair in ("ab", "ac", "ad", "bc", "bd", "cd"):
        assert bool(set(letters[pair[0]]) & set(letters[pair[1]])) == (pair not in differing)
    used = sorted({*"".join(letters.values())})
    highest = [max(means[name] for name in means if letter in letters[name]) for letter in used]
    assert "".join(used) == "abcdef"[: len(used)]
    assert highest == sorted(highest, reverse=True)
    assert all("".join(sorted(own)) == own != "" for own in letters.values())


def test_more_groups_than_letters_are_counted() -> None:
    means = {chr(ord("A") + place): -place for place in range(54)}
    letters = of_pairs(means, {a + b for a in means for b in means}).groups()
    assert [*letters.values()][24:29] == ["y", "z", "a1", "b1", "c1"]
    assert [*letters.values()][51:] == ["z1", "a2", "b2"]


def test_scores_without_variance() -> None:
    same = analysis_of_variance({"a": [0.1] * 3, "b": [0.1] * 3, "c": [0.1] * 3})
    assert (same.f, same.p_value) == (0, 1)
    assert set(same.groups().values()) == {"a"}
    apart = analysis_of_variance({"a": [1.0] * 3, "b": [2.0] * 3})
    assert (apart.f, apart.p_value) == (np.inf, 0)
    assert apart.groups() == {"a": "b", "b": "a"}


def test_without_scipy_the_error_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(LongsumError, match=r"pip install 'longsum\[statistics\]'"):
        analysis_of_variance({"a": [1, 2], "b": [2, 3]})


def test_p_values_are_corrected_step_by_step():
    # Sorted 0.01, 0.02, 0.03, 0.4: times 4, 3, 2 and 1, never falling.
    assert corrected([0.03, 0.01, 0.4, 0.02]) == pytest.approx([0.06, 0.04, 0.4, 0.06])
    assert corrected([0.6, 0.7]) == [1.0, 1.0]
    assert corrected([]) == []


def test_effect_sizes_are_in_deviations_of_the_differences():
    # Differences 1, 2, 3: mean 2, deviation 1.
    assert effect_size([2.0, 4.0, 6.0], [1.0, 2.0, 3.0]) == pytest.approx(2.0)
    assert effect_size([1.0, 2.0], [1.0, 2.0]) == 0.0
    assert effect_size([1.0, 2.0], [2.0, 3.0]) == float("-inf")
