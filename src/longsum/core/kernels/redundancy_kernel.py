"""Redundant information (property φ3)."""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from longsum.core.kernels.kernel import Kernel, shuffle
from longsum.core.kernels.kernel_attention import normalize
from longsum.language.embeddings import Embed

Array = NDArray[np.float64]


class RedundancyKernel(Kernel):
    """Q3: the embeddings of the sentences that others may repeat, `[p, d]`.

    In the paper these are all sentences of the input; in the system `kernels` they are the
    sentences chosen so far. The paper's "distance" is cosine similarity itself, and the weight is
    negative: sentences similar to the rest get less attention. Negative cosines count as 0.

    The encoder's rows have length 1 or 0, like those of `FittedKernels.embed`.

    Attributes:
        present: Q3.
    """

    name = "redundancy"

    def __init__(self, embed: Embed, present: Sequence[str]) -> None:
        self._embed = embed
        self.present: Array = self._vectors(present)

    def shuffled(self, random: np.random.Generator) -> "RedundancyKernel":
        """Return the kernel with its sentences and dimensions shuffled."""
        found = copy(self)
        found.present = shuffle(self.present, random)
        return found

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return the mean cosine similarity with the rows of Q3 (Eq. 1 and 2): `[n]`."""
        if not len(self.present):
            return np.zeros(len(sentences))
        # The mean cosine is the product with the mean row.
        similarity: Array = self._vectors(sentences) @ self.present.mean(axis=0)
        return similarity

    def local(self, distance: Array) -> Array:
        """Return the local attention: similarity, normalized."""
        return normalize(np.maximum(distance, 0.0))

    def _vectors(self, sentences: Sequence[str]) -> Array:
        return np.asarray(self._embed(sentences), dtype=np.float64)
