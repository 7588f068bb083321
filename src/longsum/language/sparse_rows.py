"""A sparse matrix in compressed rows, and its products with dense ones."""

from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Array, Mask, Places

# Numbers of the dense factor gathered at once: 1 MB, which stays in a core's cache.
_GATHERED = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class SparseRows:
    """A matrix stored as its nonzero entries, row by row (CSR).

    Products do not use BLAS, so that they are bit-identical on any number of cores. For a product
    with a matrix on the left, transpose: `left @ m` is `(m.T @ left.T).T`.

    Attributes:
        values: The entries, those of each row together, in any order within it: `[entries]`.
        columns: The column of each entry, at most once within a row: `[entries]`.
        starts: Where each row's entries start, and where those of the last end: `[rows + 1]`.
        width: The number of columns.
    """

    values: Array
    columns: Places
    starts: Places
    width: int

    @classmethod
    def of(cls, dense: Array) -> "SparseRows":
        """Return a dense matrix in sparse form."""
        rows, columns = np.nonzero(dense)
        lengths = np.bincount(rows, minlength=len(dense))
        return cls(dense[rows, columns], columns, _starts(lengths), dense.shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns."""
        return len(self.starts) - 1, self.width

    @property
    def lengths(self) -> Places:
        """The number of entries of each row: `[rows]`."""
        return np.diff(self.starts)

    @property
    def T(self) -> "SparseRows":  # noqa: N802 - as NumPy calls it
        """The transposed matrix."""
        rows = np.repeat(np.arange(self.shape[0]), self.lengths)
        order = np.argsort(self.columns, kind="stable")
        lengths = np.bincount(self.columns, minlength=self.width)
        return SparseRows(self.values[order], rows[order], _starts(lengths), self.shape[0])

    def only(self, chosen: Mask) -> "SparseRows":
        """Return the matrix of the rows selected by a mask `[rows]`."""
        entries = np.repeat(chosen, self.lengths)
        starts = _starts(self.lengths[chosen])
        return SparseRows(self.values[entries], self.columns[entries], starts, self.width)

    def row(self, index: int) -> Array:
        """Return one row, zeros included: `[columns]`."""
        dense = np.zeros(self.width)
        within = slice(self.starts[index], self.starts[index + 1])
        dense[self.columns[within]] = self.values[within]
        return dense

    def squared_lengths(self) -> Array:
        """Return the sum of the squares of each row: `[rows]`."""
        return self._row_sums(self.values**2)

    def column_sums(self) -> Array:
        """Return the sum of each column: `[columns]`."""
        sums = np.bincount(self.columns, self.values, minlength=self.width)
        return np.asarray(sums, dtype=np.float64)

    def __matmul__(self, right: Array) -> Array:
        """Multiply by a vector `[columns]` or a matrix `[columns, any]`, as NumPy does."""
        if len(right) != self.width:
            raise ValueError(f"the factor has {len(right)} rows, and the matrix {self.shape}")
        if right.ndim == 1:
            return self._row_sums(self.values * right[self.columns])
        return self._times_matrix(right)

    def _times_matrix(self, right: Array) -> Array:
        """Multiply by a matrix, a few rows at a time: memory is bounded by the longest row."""
        product = np.zeros((self.shape[0], right.shape[1]))
        filled = self._filled()
        starts, ends = self.starts[filled], self.starts[filled + 1]
        entries = max(1, _GATHERED // max(1, right.shape[1]))
        first = 0
        while first < len(filled):
            until = max(first + 1, int(np.searchsorted(ends, starts[first] + entries, "right")))
            begin, end = starts[first], ends[until - 1]
            terms = right[self.columns[begin:end]]
            terms *= self.values[begin:end, None]
            sums = np.add.reduceat(terms, starts[first:until] - begin, axis=0)
            product[filled[first:until]] = sums
            first = until
        return product

    def _row_sums(self, values: Array) -> Array:
        sums = np.zeros(self.shape[0])
        filled = self._filled()
        if len(filled):
            sums[filled] = np.add.reduceat(values, self.starts[filled])
        return sums

    def _filled(self) -> Places:
        """Return the rows with entries; `reduceat` would give the others one of the next row."""
        return np.flatnonzero(self.lengths)


def _starts(lengths: Places) -> Places:
    """Return where rows of given lengths start, and where the last ends."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
