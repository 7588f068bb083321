"""The leading singular vectors of a sparse matrix, by random projections."""

import numpy as np

from longsum.arrays import Array
from longsum.language.sparse_rows import SparseRows
from longsum.threads import single_thread

_OVERSAMPLES = 10


def leading_singular_vectors(
    matrix: SparseRows, rank: int, *, iterations: int, seed: int
) -> tuple[Array, Array]:
    """Approximate the largest singular values and their right singular vectors.

    The range of the matrix is found by randomized subspace iteration (Halko, Martinsson and Tropp
    2011, Algorithm 4.4), with 10 more random vectors than asked for (§4.2 there) and one QR
    decomposition an iteration, of the shorter side; then the matrix is decomposed within it
    (Algorithm 5.1). The result is exact if the shorter side has at most `rank + 10` rows or
    columns.

    Args:
        matrix: The matrix, with at least one row and one column.
        rank: How many, at least 1 and at most the length of the shorter side.
        iterations: Number of power iterations; more are needed where values fall slowly.
        seed: Seed of the random vectors, below 2³².

    Returns:
        The values, largest first, `[rank]`, and the vectors as columns, `[columns, rank]`. The sign
        of a vector is such that its largest component is positive.
    """
    # Projections of the longer side onto the shorter one need the fewest random numbers.
    is_tall = matrix.shape[0] >= matrix.shape[1]
    tall, wide = (matrix, matrix.T) if is_tall else (matrix.T, matrix)
    # NumPy keeps the numbers of this generator the same for ever.
    random = np.random.RandomState(seed)
    sample = random.normal(size=(tall.width, min(rank + _OVERSAMPLES, tall.width)))
    with single_thread():
        for _ in range(iterations):
            sample = np.linalg.qr(wide @ (tall @ sample)).Q
        basis = np.linalg.qr(tall @ sample).Q
        # The matrix is nearly `basis @ within.T`.
        within = wide @ basis
        of_wide, values, of_basis = np.linalg.svd(within, full_matrices=False)
        vectors = of_wide if is_tall else basis @ of_basis.T
    kept = vectors[:, :rank]
    largest = np.take_along_axis(kept, np.abs(kept).argmax(axis=0)[None], axis=0)
    return values[:rank], kept * np.where(largest < 0, -1.0, 1.0)
