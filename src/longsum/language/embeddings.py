"""Sentence embeddings without a model: latent semantic analysis of the document itself."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array
from longsum.common.threads import single_thread
from longsum.language.sparse_rows import SparseRows
from longsum.language.words import content_terms

Embed = Callable[[Sequence[str]], NDArray[np.floating[Any]]]
"""A sentence encoder: texts to `[texts, dimensions]`, compared by cosine similarity."""

_MOST_TERMS = 20_000
# With more sentences, half as many iterations are used.
_MOST_ITERATED = 600
# A shorter projection is rounding error: terms have weights of about 1.
_NOISE = 1e-9
_OVERSAMPLES = 10


class TermMatrix:
    """TF–IDF vectors of sentences over the content terms of one text.

    The weight of a term is `(1 + log count) · log(1 + n / df)` for n sentences, df of which contain
    it; rows have length 1, or 0 if a sentence has no known term. Only the 20,000 terms with the
    highest df are kept.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        frequency: Counter[str] = Counter()
        for sentence in sentences:
            frequency.update(list(dict.fromkeys(content_terms(sentence))))
        kept = sorted(frequency, key=lambda term: -frequency[term])[:_MOST_TERMS]
        self._column = {term: column for column, term in enumerate(kept)}
        document_frequency = np.array([frequency[term] for term in kept], dtype=np.float64)
        self._weight = np.log1p(max(len(sentences), 1) / np.maximum(document_frequency, 1))

    def transform(self, sentences: Sequence[str]) -> SparseRows:
        """Return a sparse matrix `[sentences, terms]` with rows of length 1 or 0."""
        indices: list[int] = []
        data: list[float] = []
        starts = [0]
        for sentence in sentences:
            known = (self._column.get(term) for term in content_terms(sentence))
            counts = Counter(column for column in known if column is not None)
            columns = np.fromiter(counts.keys(), dtype=np.int64, count=len(counts))
            values = (1 + np.log(np.array(list(counts.values())))) * self._weight[columns]
            norm = np.linalg.norm(values) if counts else 1.0
            indices.extend(columns)
            data.extend(values / norm)
            starts.append(len(indices))
        return SparseRows(
            np.array(data), np.array(indices, dtype=np.int64), np.array(starts), len(self._column)
        )


class LatentSemanticAnalysis:
    """Embeds sentences in the leading singular directions of a document's term matrix.

    Calling it returns `[sentences, dimensions]` with rows of length 1, or of zeros for a sentence
    without a component in these directions: it shares no term with the document or, in a short
    document, only terms that the directions leave out.
    """

    def __init__(self, terms: TermMatrix, directions: Array) -> None:
        self._terms = terms
        self._directions = directions

    @classmethod
    def fit(
        cls, sentences: Sequence[str], dimensions: int = 100, seed: int = 0
    ) -> "LatentSemanticAnalysis":
        """Fit the directions to the sentences of a document.

        Args:
            sentences: The document's sentences.
            dimensions: Number of directions; at most one less than the sentences or terms.
            seed: Seed of the randomized decomposition.
        """
        terms = TermMatrix(sentences)
        matrix = terms.transform(sentences)
        rank = min(dimensions, min(matrix.shape) - 1)
        if rank < 1:
            return cls(terms, np.eye(matrix.shape[1]))
        iterations = 4 if len(sentences) <= _MOST_ITERATED else 2
        values, directions = leading_singular_vectors(
            matrix, rank, iterations=iterations, seed=seed
        )
        # Repeated sentences leave fewer directions; any others would be those of rounding errors.
        return cls(terms, directions[:, values > _NOISE * values[0]])

    def __call__(self, sentences: Sequence[str]) -> Array:
        """Embed sentences."""
        projected: Array = self._terms.transform(sentences) @ self._directions
        norms = np.linalg.norm(projected, axis=1, keepdims=True)
        return np.where(norms > _NOISE, projected / np.maximum(norms, _NOISE), 0.0)


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
    # NumPy guarantees the numbers of this generator forever.
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
