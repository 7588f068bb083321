"""The three kernels of one document, learned from it alone (MLS, §2.2 A)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longsum.documents.model import Document
from longsum.kernels.keywords import KeywordKernel
from longsum.kernels.redundancy import RedundancyKernel
from longsum.kernels.topics import TopicKernel
from longsum.language.embeddings import Embed, LatentSemanticAnalysis

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class KernelSizes:
    """Sizes of the kernels; the defaults are the paper's, where it states them.

    Attributes:
        topics: Number of topics.
        vocabulary: Number of words that topics range over.
        keywords: Number of keywords.
        dimensions: Dimensions of the sentence embeddings, where no encoder is given.
    """

    topics: int = 3
    vocabulary: int = 300
    keywords: int = 50
    dimensions: int = 100


@dataclass(frozen=True, slots=True, eq=False)
class FittedKernels:
    """The kernels of a document, and the encoder of sentences that goes with them."""

    topics: TopicKernel
    keywords: KeywordKernel
    redundancy: RedundancyKernel
    embed: Embed

    @classmethod
    def of(
        cls, document: Document, sizes: KernelSizes, *, embed: Embed | None = None, seed: int = 0
    ) -> "FittedKernels":
        """Learn the kernels.

        Args:
            document: The document.
            sizes: Their sizes.
            embed: A sentence encoder; by default latent semantic analysis of the document.
            seed: Seed of the topics and of that analysis.
        """
        sentences = [sentence.text for sentence in document.sentences]
        passages = (
            " ".join(sentence.text for sentence in paragraph) for paragraph in document.paragraphs
        )
        embed = embed or LatentSemanticAnalysis.fit(sentences, sizes.dimensions, seed)
        return cls(
            topics=TopicKernel.fit(
                passages, topics=sizes.topics, vocabulary_size=sizes.vocabulary, seed=seed
            ),
            keywords=KeywordKernel.fit(sentences, keywords=sizes.keywords),
            redundancy=RedundancyKernel(embed, sentences),
            embed=embed,
        )
