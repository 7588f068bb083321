"""The multiplex layer, and the three kernels fitted to a single document (MLS, §2.2 A)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.kernels.kernel import (
    Attention,
    Kernel,
    KeywordKernel,
    RedundancyKernel,
    TopicKernel,
    combine,
)
from longsum.documents.model import Document
from longsum.language.embeddings import Embed, LatentSemanticAnalysis


class Multiplex:
    """Kernels of different names, with weights in [−1, 1] that sum to 1.

    Attributes:
        weights: The weight of each kernel by its name.

    Raises:
        LongsumError: A weight is impossible.
    """

    def __init__(self, kernels: Sequence[Kernel], weights: Sequence[float]) -> None:
        check_weights(weights)
        self._kernels = {kernel.name: kernel for kernel in kernels}
        self.weights = dict(zip(self._kernels, weights, strict=True))

    def attention_at(self, distances: Mapping[str, Array]) -> Attention:
        """Return the attention over sentences at these distances (Eq. 3)."""
        local = self.local(distances)
        count = len(next(iter(local.values())))
        return combine(local, self.weights, np.ones(count, dtype=bool))

    def distances(self, sentences: Sequence[str]) -> dict[str, Array]:
        """Return the distances of sentences from each kernel (Eq. 1 and 2), `[n]` each.

        Distances do not depend on other sentences, so a sublist can reuse them, except that a
        sentence without any word of a kernel is as far as the farthest of the whole list.
        """
        return {name: kernel.distance(sentences) for name, kernel in self._kernels.items()}

    def local(self, distances: Mapping[str, Array]) -> dict[str, Array]:
        """Return each kernel's local attention over sentences at these distances, `[n]` each."""
        return {name: kernel.local(distances[name]) for name, kernel in self._kernels.items()}


def check_weights(weights: Sequence[float]) -> None:
    """Refuse weights of kernels outside of [−1, 1], or that do not sum to 1, as the paper does."""
    # Phrased so that NaN fails too.
    if not (all(abs(weight) <= 1 for weight in weights) and abs(sum(weights) - 1) <= 1e-9):
        raise LongsumError(
            f"Kernel weights {list(weights)} are impossible; "
            "each must be between -1 and 1, and they must sum to 1."
        )


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """Weights and sizes of the kernels; sizes are the paper's, where stated.

    Attributes:
        topics_weight: Weight of the topic kernel; with the next two in [−1, 1], summing to 1. The
            paper learns them by grid search on validation data (`benchmarks/mls_weights.py`).
        keywords_weight: Weight of the keyword kernel.
        redundancy_weight: Weight of the redundancy kernel.
        topics: Number of topics.
        vocabulary: Number of words in the topic distributions.
        keywords: Number of keywords.
        dimensions: Dimensions of the sentence embeddings.
        shuffled: The kernel whose rows and columns are shuffled, to measure its contribution (MLS,
            §3.1.2).

    Raises:
        LongsumError: A weight lies outside [−1, 1], they do not sum to 1, or a size is below 1.
    """

    topics_weight: float = 0.9
    keywords_weight: float = 0.2
    redundancy_weight: float = -0.1
    topics: int = 3
    vocabulary: int = 300
    keywords: int = 50
    dimensions: int = 100
    shuffled: Literal["topics", "keywords", "redundancy"] | None = None

    @property
    def weights(self) -> tuple[float, float, float]:
        """The weights of the topic, keyword and redundancy kernels."""
        return self.topics_weight, self.keywords_weight, self.redundancy_weight

    def __post_init__(self) -> None:
        check_weights(self.weights)
        if min(self.topics, self.vocabulary, self.keywords, self.dimensions) < 1:
            raise LongsumError(
                "A kernel cannot be empty; give at least 1 for topics, vocabulary, "
                "keywords and dimensions."
            )


@dataclass(frozen=True, slots=True, eq=False)
class FittedKernels:
    """The kernels of a document and their sentence encoder, whose rows have norm 1 or 0."""

    topics: TopicKernel
    keywords: KeywordKernel
    redundancy: RedundancyKernel
    embed: Embed

    @classmethod
    def of(
        cls,
        document: Document,
        settings: KernelSettings,
        *,
        seed: int = 0,
    ) -> "FittedKernels":
        """Fit the kernels.

        Sentences are embedded by latent semantic analysis of the document. The seed is used for the
        topics, that analysis and the shuffling.
        """
        sentences = [sentence.text for sentence in document.sentences]
        passages = (
            " ".join(sentence.text for sentence in paragraph) for paragraph in document.paragraphs
        )
        embed = LatentSemanticAnalysis.fit(sentences, settings.dimensions, seed)
        fitted = cls(
            topics=TopicKernel.fit(
                passages, topics=settings.topics, vocabulary_size=settings.vocabulary, seed=seed
            ),
            keywords=KeywordKernel.fit(sentences, keywords=settings.keywords),
            redundancy=RedundancyKernel(embed, sentences),
            embed=embed,
        )
        if settings.shuffled is None:
            return fitted
        kernel = getattr(fitted, settings.shuffled).shuffled(np.random.default_rng(seed))
        return replace(fitted, **{settings.shuffled: kernel})

    def multiplex(self, settings: KernelSettings) -> Multiplex:
        """Return the kernels with their weights."""
        return Multiplex((self.topics, self.keywords, self.redundancy), settings.weights)
