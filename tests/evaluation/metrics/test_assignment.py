"""The cheapest pairing: SciPy's, with ties, negative costs and large differences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

from longsum.evaluation.metrics.question_matching import cheapest_pairing

COSTS = st.integers(0, 9).flatmap(
    lambda count: arrays(
        np.float64,
        (count, count),
        elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6)),
    )
)


@given(COSTS)
def test_its_sum_is_scipys(costs: np.ndarray) -> None:
    columns = cheapest_pairing(costs)
    assert sorted(columns) == list(range(len(costs)))
    found = costs[np.arange(len(costs)), columns].sum()
    least = costs[linear_sum_assignment(costs)].sum()
    np.testing.assert_allclose(found, least, atol=1e-6)
