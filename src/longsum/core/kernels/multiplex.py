"""The multiplex layer: kernels with their weights (MLS, §2.2 A and B)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.kernels.kernel import Kernel
from longsum.core.kernels.kernel_attention import Attention, combine


@dataclass(frozen=True, slots=True)
class Head:
    """One row of the multiplex layer: a kernel and its weight."""

    kernel: Kernel
    weight: float


class Multiplex:
    """A list of heads whose weights lie in [−1, 1] and sum to 1.

    Raises:
        LongsumError: They do not.
    """

    def __init__(self, heads: Sequence[Head]) -> None:
        check_weights([head.weight for head in heads])
        self.heads = tuple(heads)

    def attention(self, sentences: Sequence[str]) -> Attention:
        """Return the attention over any list of sentences (Eq. 3)."""
        return self.attention_at(self.distances(sentences))

    def attention_at(self, distances: Mapping[str, Array]) -> Attention:
        """Return the attention over sentences at these distances (Eq. 3)."""
        local = self.local(distances)
        count = len(next(iter(local.values())))
        return combine(local, self.weights, np.ones(count, dtype=bool))

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each kernel."""
        return {head.kernel.name: head.weight for head in self.heads}

    def distances(self, sentences: Sequence[str]) -> dict[str, Array]:
        """Return the distances of sentences from each kernel (Eq. 1 and 2), `[n]` each.

        Distances do not depend on the other sentences, so a sublist can reuse them; only a sentence
        without any word of a kernel is as far as the farthest of the whole list.
        """
        return {head.kernel.name: head.kernel.distance(sentences) for head in self.heads}

    def local(self, distances: Mapping[str, Array]) -> dict[str, Array]:
        """Return each kernel's local attention over sentences at these distances, `[n]` each."""
        return {
            head.kernel.name: head.kernel.local(distances[head.kernel.name]) for head in self.heads
        }


def check_weights(weights: Sequence[float]) -> None:
    """Check the paper's constraint on the weights of the kernels.

    Raises:
        LongsumError: A weight lies outside [−1, 1], or they do not sum to 1.
    """
    # Phrased so that NaN fails too.
    if not (all(abs(weight) <= 1 for weight in weights) and abs(sum(weights) - 1) <= 1e-9):
        raise LongsumError(
            f"Kernel weights {list(weights)} are impossible; "
            "each must be between -1 and 1, and they must sum to 1."
        )
