"""Sparse matrices compute the same as SciPy's and as dense ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from effort import examples
from longsum.language import sparse_rows
from longsum.language.sparse_rows import SparseRows


def matrix(seed: int, rows: int, columns: int, filled: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.normal(size=(rows, columns)) * (random.random((rows, columns)) < filled)


SHAPES = {
    "seed": st.integers(0, 10**6),
    "rows": st.integers(0, 12),
    "columns": st.integers(0, 12),
    "filled": st.sampled_from([0.0, 0.1, 0.5, 1.0]),
}


@given(**SHAPES, width=st.integers(0, 5))
@settings(max_examples=examples(200), derandomize=True)
def test_products_are_scipys(seed: int, rows: int, columns: int, filled: float, width: int) -> None:
    dense = matrix(seed, rows, columns, filled)
    ours, theirs = SparseRows.of(dense), csr_array(dense)
    right, left = matrix(seed + 1, columns, width, 1.0), matrix(seed + 2, rows, width, 1.0)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours @ right, theirs @ right, atol=1e-13)
    np.testing.assert_allclose(ours.T @ left, theirs.T @ left, atol=1e-13)
    if width:
        np.testing.assert_allclose(ours @ right[:, 0], theirs @ right[:, 0], atol=1e-13)
        np.testing.assert_allclose(ours.T @ left[:, 0], theirs.T @ left[:, 0], atol=1e-13)


@given(**SHAPES)
@settings(max_examples=examples(200), derandomize=True)
def test_rows_and_sums_are_those_of_the_dense_matrix(seed, rows, columns, filled) -> None:
    dense = matrix(seed, rows, columns, filled)
    sparse = SparseRows.of(dense)
    np.testing.assert_array_equal(sparse @ np.eye(columns), dense)
    np.testing.assert_array_equal(sparse.T @ np.eye(rows), dense.T)
    np.testing.assert_allclose(sparse.column_sums(), dense.sum(axis=0), atol=1e-13)
    np.testing.assert_allclose(sparse.squared_lengths(), (dense**2).sum(axis=1), atol=1e-13)
    np.testing.assert_array_equal(sparse.lengths, (dense != 0).sum(axis=1))
    for index, row in enumerate(dense):
        np.testing.assert_array_equal(sparse.row(index), row)
    chosen = np.random.default_rng(seed).random(rows) < 0.5
    np.testing.assert_array_equal(sparse.only(chosen) @ np.eye(columns), dense[chosen])


@pytest.mark.parametrize("gathered", [1, 7, 64, 1 << 17])
def test_how_much_is_gathered_at_once_changes_no_bit(gathered: int, monkeypatch) -> None:
    dense = matrix(3, 40, 30, 0.2)
    dense[[0, 7, 8, 39]] = 0
    right = matrix(4, 30, 6, 1.0)
    expected = SparseRows.of(dense) @ right
    monkeypatch.setattr(sparse_rows, "_GATHERED", gathered)
    np.testing.assert_array_equal(SparseRows.of(dense) @ right, expected)


def test_a_factor_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match=r"5 rows, and the matrix \(2, 3\)"):
        SparseRows.of(np.ones((2, 3))) @ np.ones(5)
