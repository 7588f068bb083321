"""The multiplex layer: kernels with their weights (MLS, §2.2 A and B)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from longsum.errors import LongsumError
from longsum.kernels.attention import Attention, combine
from longsum.kernels.kernel import Kernel


@dataclass(frozen=True, slots=True)
class Head:
    """One row of the multiplex layer: a kernel, which knows its distance, and its weight."""

    kernel: Kernel
    weight: float


class Multiplex:
    """A list of heads whose weights lie in [−1, 1] and sum to 1.

    Raises:
        LongsumError: The weights are not so.
    """

    def __init__(self, heads: Sequence[Head]) -> None:
        check_weights([head.weight for head in heads])
        self.heads = tuple(heads)

    def attention(self, sentences: Sequence[str]) -> Attention:
        """Return the attention over any list of sentences (Eq. 3)."""
        local = {head.kernel.name: head.kernel.attention(sentences) for head in self.heads}
        weights = {head.kernel.name: head.weight for head in self.heads}
        return combine(local, weights, np.ones(len(sentences), dtype=bool))


def check_weights(weights: Sequence[float]) -> None:
    """Check the paper's constraint on the weights of the kernels.

    Raises:
        LongsumError: A weight lies outside [−1, 1], or they do not sum to 1.
    """
    if any(abs(weight) > 1 for weight in weights) or abs(sum(weights) - 1) > 1e-9:
        raise LongsumError(
            f"Kernel weights {list(weights)} are impossible; "
            "each lies between -1 and 1 and together they make 1."
        )
