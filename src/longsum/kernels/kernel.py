"""What the three kernels have in common."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from longsum.kernels.distances import smoothed, symmetric_kl

Array = NDArray[np.float64]

FLOOR = 0.02
"""The part of a sentence's distribution that is spread evenly; see `smoothed`."""

_BLOCK = 4096


class Kernel(Protocol):
    """One human-readable property of a good summary, learned from the document alone.

    A kernel holds a matrix Q of r rows. It embeds any list of sentences in the space of Q and
    measures how far each lies from it.
    """

    name: str

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return each sentence's mean distance from the rows of Q (MLS, Eq. 1 and 2): `[n]`."""
        ...

    def local(self, distance: Array) -> Array:
        """Return the local attention over sentences at these distances: a distribution, `[n]`."""
        ...

    def attention(self, sentences: Sequence[str]) -> Array:
        """Return the local attention over the sentences: a distribution, `[n]`."""
        return self.local(self.distance(sentences))


def shuffle(kernel: Array, random: np.random.Generator) -> Array:
    """Return a kernel with its rows and its columns in random orders (MLS, §3.1.2)."""
    rows, columns = (random.permutation(size) for size in kernel.shape)
    shuffled: Array = kernel[rows][:, columns]
    return shuffled


def distance_from(
    kernel: Array,
    sentences: Sequence[str],
    count: Callable[[Sequence[str]], Array],
) -> Array:
    """Return the mean symmetric KL divergence of each sentence from the rows of a kernel: `[n]`.

    Args:
        kernel: Q, rows that are distributions without zeros, `[r, d]`.
        sentences: The sentences.
        count: Counts, for a block of sentences, the words that the columns of Q stand for:
            `[block, d]`. Blocks keep dense embeddings of a long document from standing at once.

    A sentence without a single one of these words lies as far as the farthest that has one.
    """
    distance: Array = distances_from(kernel, sentences, count).mean(axis=1)
    has_words: NDArray[np.bool_] = ~np.isnan(distance)
    if not has_words.any():
        return np.zeros(len(sentences))
    return np.where(has_words, distance, distance[has_words].max())


def distances_from(
    kernel: Array,
    sentences: Sequence[str],
    count: Callable[[Sequence[str]], Array],
) -> Array:
    """Return the symmetric KL divergence of each sentence from each row of a kernel: `[n, r]`.

    For the arguments see `distance_from`. A sentence without a single one of the words has NaN.
    """
    distances = [np.zeros((0, len(kernel)))]
    for start in range(0, len(sentences), _BLOCK):
        counts = count(sentences[start : start + _BLOCK])
        divergence = symmetric_kl(smoothed(counts, FLOOR), kernel)
        distances.append(np.where(counts.any(axis=1, keepdims=True), divergence, np.nan))
    return np.concatenate(distances)
