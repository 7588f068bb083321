"""Sentence embeddings without a model: latent semantic analysis of the document itself."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longsum.language.words import content_terms

Array = NDArray[np.float64]
Embed = Callable[[Sequence[str]], NDArray[np.floating[Any]]]
"""A sentence encoder: texts to `[texts, dimensions]`, compared by cosine similarity."""

_MOST_TERMS = 20_000
_LARGEST_EXACT = 600
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

    def transform(self, sentences: Sequence[str]) -> Any:
        """Return a sparse matrix `[sentences, terms]` with rows of length 1 or 0."""
        from scipy.sparse import csr_array

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
        return csr_array(
            (np.array(data), np.array(indices, dtype=np.int64), np.array(starts)),
            shape=(len(sentences), len(self._column)),
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
        return cls(terms, _right_singular_vectors(matrix, rank, seed))

    def __call__(self, sentences: Sequence[str]) -> Array:
        """Embed sentences."""
        projected: Array = self._terms.transform(sentences) @ self._directions
        norms = np.linalg.norm(projected, axis=1, keepdims=True)
        return np.where(norms > _NOISE, projected / np.maximum(norms, _NOISE), 0.0)


def _right_singular_vectors(matrix: Any, rank: int, seed: int) -> Array:
    from sklearn.utils.extmath import randomized_svd
    from threadpoolctl import threadpool_limits

    iterations = 4 if matrix.shape[0] <= _LARGEST_EXACT else 2
    # One thread gives the same bits on any number of cores, and is no slower at this size.
    with threadpool_limits(1):
        _, _, right = randomized_svd(matrix, rank, n_iter=iterations, random_state=seed)
    return np.asarray(right.T)
