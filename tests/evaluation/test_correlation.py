import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from longsum.errors import LongsumError
from longsum.evaluation.correlation import correlations, pearson, ranks

VALUES = st.lists(st.integers(-5, 5).map(float), min_size=3, max_size=30)


@given(VALUES, st.randoms())
def test_coefficients_are_scipys(values: list[float], random) -> None:
    other = [random.choice(values) for _ in values]
    x, y = np.array(values), np.array(other)
    assert ranks(x).tolist() == stats.rankdata(x).tolist()
    if np.ptp(x) and np.ptp(y):
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
        assert pearson(ranks(x), ranks(y)) == pytest.approx(
            stats.spearmanr(x, y).statistic, abs=1e-9
        )


def test_a_constant_correlates_with_nothing() -> None:
    found, _ = correlations([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], samples=10, trials=10)
    assert (found.value, found.p_value) == (0.0, 1.0)


def test_intervals_and_tests_tell_signal_from_noise() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=200)
    good, _ = correlations(ratings + rng.normal(size=200), ratings)
    noise, _ = correlations(rng.normal(size=200), ratings)
    assert good.low > 0.5
    assert good.low < good.value < good.high
    assert good.p_value < 0.01 < 0.05 < noise.p_value
    assert noise.low < 0 < noise.high


def test_permutation_within_documents_sees_no_difference_between_documents() -> None:
    groups = np.repeat(np.arange(20), 5)
    rng = np.random.default_rng(2)
    level = np.repeat(rng.normal(size=20), 5)
    scores, ratings = level + 0.1 * rng.normal(size=100), level + 0.1 * rng.normal(size=100)
    within, _ = correlations(scores, ratings, groups.tolist())
    among, _ = correlations(scores, ratings)
    assert within.value == among.value > 0.9
    assert among.p_value < 0.01 < within.p_value


@pytest.mark.parametrize(
    ("scores", "ratings"), [([1.0], [1.0]), ([1.0, 2.0], [1.0]), ([1.0, np.nan], [1.0, 2.0])]
)
def test_what_cannot_be_correlated_is_refused(scores, ratings) -> None:
    with pytest.raises(LongsumError, match="score what is rated"):
        correlations(scores, ratings)
