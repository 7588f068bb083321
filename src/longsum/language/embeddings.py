"""Sentence embeddings without a model: latent semantic analysis of the document itself."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longsum.language.singular_vectors import leading_singular_vectors
from longsum.language.sparse_rows import SparseRows
from longsum.language.words import content_terms

Array = NDArray[np.float64]
Embed = Callable[[Sequence[str]], NDArray[np.floating[Any]]]
"""A sentence encoder: texts to `[texts, dimensions]`, compared by cosine similarity."""

_MOST_TERMS = 20_000
# Of more sentences, the directions are found in half as many iterations.
_MOST_ITERATED = 600
# A shorter projection is rounding error: terms have weights of about 1.
_NOISE = 1e-9


class TermMatrix:
    """TF–IDF vectors of sentences over the content terms of one text.

    The weight of a term is `(1 + log count) · log(1 + n / df)` for n sentences, df of which contain
    it; rows have length 1, or 0 if a sentence has no known term. Only the 20,000 terms with the
    highest df are kept.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        frequency: dict[str, int] = {}
        for sentence in sentences:
            for term in dict.fromkeys(content_terms(sentence)):
                frequency[term] = frequency.get(term, 0) + 1
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
            counts: dict[int, int] = {}
            for term in content_terms(sentence):
                if (column := self._column.get(term)) is not None:
                    counts[column] = counts.get(column, 0) + 1
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
