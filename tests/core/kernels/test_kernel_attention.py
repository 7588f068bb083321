import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from longsum.core.kernels.kernel_attention import combine, normalize

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


@given(arrays(np.float64, st.integers(1, 9), elements=st.floats(0, 1e6)))
@example(np.array([0.1, 0.3]))
def test_normalize_gives_a_distribution_in_proportion(values):
    assert normalize(values).sum() == pytest.approx(1)
    if values.sum() > 0:
        np.testing.assert_allclose(normalize(values), values / values.sum())
