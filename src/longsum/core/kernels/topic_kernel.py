"""Coverage of the major topics (property φ1)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from longsum.core.kernels.distances import closeness, smoothed
from longsum.core.kernels.kernel import Kernel, distance_from, distances_from, shuffle
from longsum.core.kernels.kernel_attention import normalize
from longsum.language.topics import TopicModel, fit_topics, term_counts
from longsum.language.words import content_terms

Array = NDArray[np.float64]

# LDA gives every word some probability in every topic, but rounding can make it 0.
_TINY = 1e-6


class TopicKernel(Kernel):
    """Q1: the document's three dominant LDA topics over its 300 most frequent words, `[3, 300]`.

    A sentence is embedded as its smoothed distribution over the same words; the distance is
    symmetric KL divergence. The passages for LDA are the document's paragraphs (not stated in the
    paper).
    """

    name = "topics"

    def __init__(self, model: TopicModel) -> None:
        self.model = model
        self._rows = smoothed(model.word_given_topic, _TINY)

    @classmethod
    def fit(
        cls, passages: Iterable[str], *, topics: int = 3, vocabulary_size: int = 300, seed: int = 0
    ) -> "TopicKernel":
        """Fit the kernel to the passages of a document."""
        terms = [content_terms(passage) for passage in passages]
        return cls(fit_topics(terms, topics=topics, vocabulary_size=vocabulary_size, seed=seed))

    def shuffled(self, random: np.random.Generator) -> "TopicKernel":
        """Return the kernel with its words and topics shuffled."""
        words = shuffle(self.model.word_given_topic, random)
        return TopicKernel(replace(self.model, word_given_topic=words))

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return the mean symmetric KL divergence from the topics (Eq. 1 and 2): `[n]`."""
        return distance_from(self._rows, sentences, self._count)

    def nearest(self, sentences: Sequence[str]) -> NDArray[np.int64]:
        """Return the topic nearest to each sentence, the larger of equally near ones: `[n]`.

        −1 for a sentence without any word of the topics.
        """
        distances = distances_from(self._rows, sentences, self._count)
        known = ~np.isnan(distances).any(axis=1)
        return np.where(known, np.nan_to_num(distances).argmin(axis=1), -1)

    def local(self, distance: Array) -> Array:
        """Return the local attention: closeness to the topics, normalized."""
        return normalize(closeness(distance))

    def _count(self, sentences: Sequence[str]) -> Array:
        return term_counts([content_terms(text) for text in sentences], self.model.vocabulary)
