import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from longsum.core.kernels import combine, normalize

VALUES = arrays(np.float64, st.shared(st.integers(1, 12), key="n"), elements=st.floats(0, 1))
MASKS = arrays(np.bool_, st.shared(st.integers(1, 12), key="n"))
WEIGHTS = st.floats(-1, 1)


@given(VALUES, VALUES, VALUES, WEIGHTS, WEIGHTS, WEIGHTS, MASKS)
def test_attention_is_a_distribution_and_the_sum_of_its_shares(a, b, c, u, v, w, available):
    local = {"topics": a, "keywords": b, "redundancy": c}
    weights = {"topics": u, "keywords": v, "redundancy": w}
    attention = combine(local, weights, available)
    assert (attention.probabilities >= 0).all()
    assert (attention.probabilities[~available] == 0).all()
    assert attention.probabilities.sum() == pytest.approx(1 if available.any() else 0)
    total = sum(attention.shares.values())
    np.testing.assert_allclose(total, attention.probabilities, atol=1e-9)


def test_equation_3_by_hand():
    local = {"topics": np.array([0.5, 0.3, 0.2]), "redundancy": np.array([0.2, 0.2, 0.6])}
    attention = combine(local, {"topics": 1.5, "redundancy": -0.5}, np.ones(3, dtype=bool))
    # 1.5 * (.5, .3, .2) - .5 * (.2, .2, .6) = (.65, .35, 0), which sums to 1.
    np.testing.assert_allclose(attention.probabilities, [0.65, 0.35, 0.0], atol=1e-12)
    np.testing.assert_allclose(attention.shares["redundancy"], [-0.1, -0.1, -0.3])


def test_what_speaks_against_a_sentence_cancels_at_most_what_speaks_for_it():
    local = {"topics": np.array([0.5, 0.5]), "redundancy": np.array([0.0, 1.0])}
    attention = combine(local, {"topics": 1.0, "redundancy": -1.0}, np.ones(2, dtype=bool))
    np.testing.assert_allclose(attention.probabilities, [1.0, 0.0])
    np.testing.assert_allclose(attention.shares["redundancy"], [0.0, -1.0])


def test_when_all_that_is_left_is_redundant_it_is_still_ranked():
    local = {"topics": np.array([0.6, 0.4]), "redundancy": np.array([1.0, 1.0])}
    attention = combine(local, {"topics": 1.0, "redundancy": -1.0}, np.ones(2, dtype=bool))
    np.testing.assert_allclose(attention.probabilities, [0.6, 0.4])


def test_nothing_to_go_by_gives_an_even_attention():
    attention = combine({"topics": np.zeros(4)}, {"topics": 1.0}, np.array([1, 1, 0, 0], bool))
    np.testing.assert_allclose(attention.probabilities, [0.5, 0.5, 0, 0])


@given(arrays(np.float64, st.integers(1, 9), elements=st.floats(0, 1e6)))
@example(np.array([0.1, 0.3]))
def test_normalize_gives_a_distribution_in_proportion(values):
    assert normalize(values).sum() == pytest.approx(1)
    if values.sum() > 0:
        np.testing.assert_allclose(normalize(values), values / values.sum())
