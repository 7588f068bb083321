"""Kullback–Leibler divergence that is always defined."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

SMOOTHING = 1e-3
"""Weight of the uniform distribution that is mixed into both sides."""


def kl_divergence(p: ArrayLike, q: ArrayLike, smoothing: float = SMOOTHING) -> float:
    """Return KL(p‖q) = Σ p log(p / q) in nats: the information lost when q approximates p.

    Args:
        p: The true distribution; non-negative weights, which need not sum to 1.
        q: Its approximation; as long as `p`.
        smoothing: Weight of the uniform distribution mixed into both, so that the result is finite
            (at most log(length / smoothing)), still 0 for equal sides and never negative.

    All-zero weights count as uniform. MLS (§3 B) states neither smoothing nor direction; we take
    the document as the true distribution, so that omissions of a summary cost more than its
    emphases.
    """
    return float(divergences(np.atleast_2d(p), np.atleast_2d(q), smoothing)[0, 0])


def divergences(p: ArrayLike, q: ArrayLike, smoothing: float = SMOOTHING) -> Array:
    """Return `kl_divergence` of each row of `p` from each row of `q`: `[rows of p, rows of q]`."""
    truth, other = _smooth(p, smoothing), _smooth(q, smoothing)
    entropy = (truth * np.log(truth)).sum(axis=1, keepdims=True)
    difference: Array = entropy - truth @ np.log(other).T
    return np.maximum(difference, 0.0)  # rounding gives -1e-17 for equal distributions


def _smooth(weights: ArrayLike, smoothing: float) -> Array:
    rows = np.asarray(weights, dtype=np.float64)
    totals = rows.sum(axis=1, keepdims=True)
    uniform = 1 / rows.shape[1]
    shares = np.where(totals > 0, rows / np.where(totals > 0, totals, 1.0), uniform)
    return np.asarray((1 - smoothing) * shares + smoothing * uniform)
