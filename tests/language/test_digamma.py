import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from longsum.language.latent_dirichlet import digamma

EULER = 0.57721566490153286061


@given(st.floats(1e-300, 1e300))
def test_it_is_scipys(x: float) -> None:
    expected = special.digamma(x)
    assert digamma(np.array([x]))[0] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_known_values() -> None:
    found = digamma(np.array([[1.0, 0.5], [2.0, 1.4616321449683623]]))
    expected = [[-EULER, -EULER - 2 * np.log(2)], [1 - EULER, 0]]
    np.testing.assert_allclose(found, expected, atol=1e-14)
