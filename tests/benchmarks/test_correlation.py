import numpy as np

from correlation import correlations


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
