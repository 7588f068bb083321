"""The interface of the three kernels, and their shared computations."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from longsum.core.kernels.distances import smoothed, symmetric_kl

Array = NDArray[np.float64]

FLOOR = 0.02
"""Share of the uniform distribution in a sentence's; see `smoothed`."""

_BLOCK = 4096


class Kernel(Protocol):
    """One human-readable property of a good summary, fitted to the document alone.

    A kernel has a matrix Q of r rows. It embeds any list of sentences in the space of Q and
    measures how far each is from it.
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
    """Return a kernel with its rows and its columns shuffled (MLS, §3.1.2)."""
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
        count: Counts the words of the columns of Q in a block of sentences: `[block, d]`. Blocks
            keep the dense embeddings of a long document out of memory.

    A sentence without any of these words is as far as the farthest sentence that has one.
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

    For the arguments see `distance_from`. A sentence without any of the words gets NaN.
    """
    distances = [np.zeros((0, len(kernel)))]
    for start in range(0, len(sentences), _BLOCK):
        counts = count(sentences[start : start + _BLOCK])
        divergence = symmetric_kl(smoothed(counts, FLOOR), kernel)
        distances.append(np.where(counts.any(axis=1, keepdims=True), divergence, np.nan))
    return np.concatenate(distances)
