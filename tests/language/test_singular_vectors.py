"""Randomized singular vectors: those of scikit-learn, and those of the exact decomposition."""

import numpy as np
import pytest
from sklearn.utils.extmath import randomized_svd

from longsum.language.embeddings import leading_singular_vectors
from longsum.language.sparse_rows import SparseRows


def sparse(rows: int, columns: int, filled: float = 0.2, seed: int = 0) -> np.ndarray:
    """Make a matrix with singular values that fall from 1 to 0.01."""
    random = np.random.default_rng(seed)
    dense = random.random((rows, columns)) * (random.random((rows, columns)) < filled)
    left, values, right = np.linalg.svd(dense, full_matrices=False)
    return left * np.geomspace(1, 0.01, len(values)) @ right


def of_rank(rank: int, rows: int, columns: int) -> np.ndarray:
    random = np.random.default_rng(rank)
    return random.normal(size=(rows, rank)) @ random.normal(size=(rank, columns))


MATRICES = {
    "tall": sparse(90, 40),
    "wide": sparse(40, 90),
    "rank 3": of_rank(3, 60, 50),
    "one row": sparse(1, 9, filled=1.0),
    "one column": sparse(9, 1, filled=1.0),
    "one number": np.array([[-2.0]]),
    "duplicates": np.repeat(sparse(15, 40), 3, axis=0),
    "rows and columns of zeros": np.pad(sparse(30, 20), ((0, 20), (5, 0))),
}


def same_span(one: np.ndarray, other: np.ndarray) -> None:
    np.testing.assert_allclose(one @ one.T, other @ other.T, atol=1e-6)


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("iterations", [2, 4])
def test_values_and_span_are_scikit_learns(name: str, iterations: int) -> None:
    dense = MATRICES[name]
    # A multiple singular value would leave it open which vectors span the first few.
    rank = min(12, int(np.linalg.matrix_rank(dense)))
    values, vectors = leading_singular_vectors(
        SparseRows.of(dense), rank, iterations=iterations, seed=5
    )
    _, expected, right = randomized_svd(
        dense, rank, n_iter=iterations, random_state=5, power_iteration_normalizer="QR"
    )
    assert vectors.shape == (dense.shape[1], rank)
    np.testing.assert_allclose(values, expected, atol=1e-6)
    same_span(vectors, right.T)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(rank), atol=1e-12)


@pytest.mark.parametrize("name", ["tall", "wide", "duplicates"])
def test_a_short_side_is_decomposed_exactly(name: str) -> None:
    dense = MATRICES[name][:20]
    values, vectors = leading_singular_vectors(SparseRows.of(dense), 12, iterations=2, seed=0)
    _, expected, right = np.linalg.svd(dense)
    np.testing.assert_allclose(values, expected[:12], atol=1e-12)
    distinct = expected[:12] > 1e-6
    same_span(vectors[:, distinct], right[:12][distinct].T)


def test_what_exceeds_the_rank_is_nothing() -> None:
    values, vectors = leading_singular_vectors(
        SparseRows.of(MATRICES["rank 3"]), 8, iterations=4, seed=0
    )
    np.testing.assert_allclose(values[3:] / values[0], 0, atol=1e-12)
    np.testing.assert_allclose(MATRICES["rank 3"] @ vectors[:, 3:], 0, atol=1e-10)


def test_signs_and_bits_are_settled() -> None:
    matrix = SparseRows.of(MATRICES["wide"])
    first, second = (leading_singular_vectors(matrix, 10, iterations=4, seed=1) for _ in range(2))
    np.testing.assert_array_equal(first[1], second[1])
    other = leading_singular_vectors(matrix, 10, iterations=4, seed=2)[1]
    np.testing.assert_allclose(other, first[1], atol=1e-3)
    assert (np.abs(first[1]).max(axis=0) == first[1].max(axis=0)).all()
