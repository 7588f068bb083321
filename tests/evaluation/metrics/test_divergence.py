"""Kullback–Leibler divergence: by hand, and its bounds."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.evaluation.metrics.representativeness import SMOOTHING, divergences, kl_divergence

weights = st.lists(st.floats(0, 10), min_size=3, max_size=3)


def test_by_hand() -> None:
    # 0.75·log(0.75/0.5) + 0.25·log(0.25/0.5)
    expected = 0.75 * log(1.5) + 0.25 * log(0.5)
    assert kl_divergence([3, 1], [1, 1], smoothing=0) == pytest.approx(expected)


def test_nothing_known_is_uniform() -> None:
    assert kl_divergence([0, 0, 0], [1, 1, 1]) == pytest.approx(0, abs=1e-12)


@given(weights, weights)
def test_finite_never_negative_zero_for_equal_sides(p: list[float], q: list[float]) -> None:
    assert 0 <= kl_divergence(p, q) <= log(3 / SMOOTHING)
    assert 0 <= kl_divergence(p, p) < 1e-12


def test_rows_against_rows() -> None:
    p, q = np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([[1.0, 1.0], [0.0, 4.0], [2.0, 1.0]])
    matrix = divergences(p, q)
    assert matrix.shape == (2, 3)
    assert matrix[1, 2] == pytest.approx(kl_divergence([3, 1], [2, 1]))


def test_rounding_never_makes_it_negative() -> None:
    # Unclamped, some of these come out as -1e-16.
    rows = np.random.default_rng(0).random((50, 300))
    assert (np.diag(divergences(rows, rows)) >= 0).all()
