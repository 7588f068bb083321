"""The distances of the multiplex layer, and their conversion to closeness."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def smoothed(counts: Array, floor: float) -> Array:
    """Turn counts `[n, d]` into distributions mixed with a share `floor` of the uniform one.

    Symmetric KL divergence is infinite if an entry is zero; the paper does not say how it avoids
    that. A fixed share, unlike a pseudo-count, does not favour short sentences: words that are
    missing cost the same at any length. Rows of zeros become uniform.
    """
    totals = counts.sum(axis=1, keepdims=True)
    even = 1.0 / max(counts.shape[1], 1)
    relative = np.divide(counts, totals, out=np.full_like(counts, even), where=totals > 0)
    mixed: Array = (1.0 - floor) * relative + floor * even
    return mixed


def symmetric_kl(first: Array, second: Array) -> Array:
    """Return KL(p‖q) + KL(q‖p) for each row p of `first` and q of `second`: `[n, r]`.

    Rows are distributions without zeros. The sum over entries replaces the column-wise mean of
    Eq. 2; they differ by a constant factor, the number of columns.
    """
    log_first, log_second = np.log(first), np.log(second)
    own_first = (first * log_first).sum(axis=1)[:, None]
    own_second = (second * log_second).sum(axis=1)[None, :]
    divergence: Array = own_first + own_second - first @ log_second.T - log_first @ second.T
    return np.maximum(divergence, 0.0)


def closeness(distance: Array) -> Array:
    """Turn distances of sentences into closeness: the largest distance minus each.

    The paper multiplies distances by positive weights, which would attend to the sentences farthest
    from the topics; we take it to mean closeness. Of 1 / (1 + d), exp(−d) and this linear form,
    this one gave the best ROUGE on validation data (docs/papers/mls.md).
    """
    near: Array = distance.max(initial=0.0) - distance
    return near
