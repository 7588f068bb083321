"""Coverage of the keywords (property φ2)."""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from longsum.core.kernels.distances import closeness
from longsum.core.kernels.kernel import Kernel, distance_from, shuffle
from longsum.core.kernels.kernel_attention import normalize
from longsum.language.keywords import Keyword, keyword_counts, rake

Array = NDArray[np.float64]


class KeywordKernel(Kernel):
    """Q2: the relative frequency of the document's 50 most frequent RAKE keywords, `[1, 50]`.

    A sentence is embedded as its own smoothed distribution over the keywords; the distance is
    symmetric KL divergence. A document without keywords has uniform attention.
    """

    name = "keywords"

    def __init__(self, keywords: Sequence[Keyword]) -> None:
        self.keywords = tuple(keywords)
        counts = np.array([[keyword.count for keyword in self.keywords]], dtype=np.float64)
        self.frequencies: Array = counts / max(counts.sum(), 1.0)

    @classmethod
    def fit(cls, sentences: Sequence[str], *, keywords: int = 50) -> "KeywordKernel":
        """Fit the kernel to the sentences of a document."""
        return cls(rake(sentences, keywords))

    def shuffled(self, random: np.random.Generator) -> "KeywordKernel":
        """Return the kernel with its frequencies shuffled."""
        found = copy(self)
        found.frequencies = shuffle(self.frequencies, random)
        return found

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return the symmetric KL divergence from the keywords (Eq. 1 and 2): `[n]`."""
        return distance_from(
            self.frequencies, sentences, lambda block: keyword_counts(block, self.keywords)
        )

    def local(self, distance: Array) -> Array:
        """Return the local attention: closeness to the keywords, normalized."""
        return normalize(closeness(distance))
