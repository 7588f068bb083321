import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from longsum.core.kernels.kernel import combine, normalize

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


@pytest.mark.parametrize(
    ("topics", "redundancy", "weights", "expected", "against"),
    [
        # Equation 3: 1.5 * (.5, .3, .2) - .5 * (.2, .2, .6) = (.65, .35, 0), which sums to 1.
        ([0.5, 0.3, 0.2], [0.2, 0.2, 0.6], (1.5, -0.5), [0.65, 0.35, 0], [-0.1, -0.1, -0.3]),
        # The negative part of a score cancels at most the positive part.
        ([0.5, 0.5], [0.0, 1.0], (1.0, -1.0), [1.0, 0.0], [0.0, -1.0]),
        # If everything that is left is redundant, it is still ranked.
        ([0.6, 0.4], [1.0, 1.0], (1.0, -1.0), [0.6, 0.4], None),
        # Without any score, attention is uniform.
        ([0.0, 0.0], [0.0, 0.0], (1.0, 0.0), [0.5, 0.5], None),
    ],
)
def test_by_hand(topics, redundancy, weights, expected, against):
    local = {"topics": np.array(topics), "redundancy": np.array(redundancy)}
    named = dict(zip(local, weights, strict=True))
    # One more sentence, which is not available.
    local = {name: np.append(values, 0.9) for name, values in local.items()}
    attention = combine(local, named, np.append(np.ones(len(topics), dtype=bool), False))
    np.testing.assert_allclose(attention.probabilities, [*expected, 0], atol=1e-12)
    if against is not None:
        np.testing.assert_allclose(attention.shares["redundancy"], [*against, 0])


@given(arrays(np.float64, st.integers(1, 9), elements=st.floats(0, 1e6)))
@example(np.array([0.1, 0.3]))
def test_normalize_gives_a_distribution_in_proportion(values):
    assert normalize(values).sum() == pytest.approx(1)
    if values.sum() > 0:
        np.testing.assert_allclose(normalize(values), values / values.sum())
