"""Analysis of variance and Tukey's test, held to SciPy's own."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.metrics.analysis_of_variance import (
    AnalysisOfVariance,
    PairedTest,
    analysis_of_variance,
)

scipy_stats = pytest.importorskip("scipy.stats")
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
        PairedTest(a, b, 0, 0, 0, 0.01 if a + b in differing else 0.5)
        for place, a in enumerate(names)
        for b in names[place + 1 :]
    ]
    return AnalysisOfVariance(1, 1, 1, 0.5, means, pairs)


@settings(max_examples=examples(40))
@given(st.sets(st.sampled_from(["ab", "ac", "ad", "bc", "bd", "cd"])))
def test_two_systems_share_a_letter_exactly_if_they_do_not_differ(differing: set[str]) -> None:
    letters = of_pairs({"a": 4, "b": 3, "c": 2, "d": 1}, differing).groups()
    for pair in ("ab", "ac", "ad", "bc", "bd", "cd"):
        assert bool(set(letters[pair[0]]) & set(letters[pair[1]])) == (pair not in differing)
    assert all(letters.values())
    assert "a" in letters["a"]


def test_scores_without_variance() -> None:
    same = analysis_of_variance({"a": [0.1] * 3, "b": [0.1] * 3, "c": [0.1] * 3})
    assert (same.f, same.p_value) == (0, 1)
    assert set(same.groups().values()) == {"a"}
    apart = analysis_of_variance({"a": [1.0] * 3, "b": [2.0] * 3})
    assert (apart.f, apart.p_value) == (np.inf, 0)
    assert apart.groups() == {"a": "b", "b": "a"}


def test_mistakes_are_refused() -> None:
    with pytest.raises(LongsumError, match="two systems or more, not 1 system"):
        analysis_of_variance({"a": [1, 2]})
    with pytest.raises(LongsumError, match="two scores of 'b'"):
        analysis_of_variance({"a": [1, 2], "b": [1]})
    with pytest.raises(LongsumError, match="all finite"):
        analysis_of_variance({"a": [1, 2], "b": [1, float("nan")]})


def test_without_scipy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(LongsumError, match=r"pip install 'longsum\[statistics\]'"):
        analysis_of_variance({"a": [1, 2], "b": [2, 3]})
