"""Combines local attentions into one distribution over sentences (MLS, Eq. 3)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """A distribution over sentences and its decomposition.

    Attributes:
        probabilities: `[n]`, non-negative; sums to 1 unless nothing is available.
        shares: Each kernel's share, `[n]`; they add up to `probabilities`, and may be negative.
    """

    probabilities: Array
    shares: Mapping[str, Array]


def normalize(values: Array) -> Array:
    """Scale non-negative values to sum to 1; uniform if all are zero."""
    total = values.sum()
    if total > 0:
        scaled: Array = values / total
        return scaled
    return np.full(len(values), 1.0 / max(len(values), 1))


def combine(
    local: Mapping[str, Array], weights: Mapping[str, float], available: NDArray[np.bool_]
) -> Attention:
    """Combine local attentions into one distribution over the available sentences (Eq. 3).

    Args:
        local: Each kernel's local attention, `[n]`, non-negative.
        weights: Each kernel's weight, in [−1, 1].
        available: Which sentences may still be chosen; the others get 0, as in the paper, which
            zeroes and renormalizes after each choice.

    A negative weight can make a sum negative, which the paper does not discuss. Here negative
    shares can at most cancel the positive ones: they shrink until the sum is 0. If nothing is left
    at all, they are dropped for this step (the remaining sentences are all redundant, but must
    still be ranked to fill the budget).
    """
    parts = {name: weights[name] * values * available for name, values in local.items()}
    none = np.zeros(len(available))
    gains = sum((np.maximum(part, 0.0) for part in parts.values()), none)
    losses = sum((np.minimum(part, 0.0) for part in parts.values()), none)
    # The quotient can exceed 1 by rounding, so the minimum is taken before dividing.
    kept = np.divide(np.minimum(gains, -losses), -losses, out=np.ones_like(gains), where=losses < 0)
    total = (gains + losses * kept).sum()
    if total <= 1e-15:
        kept = np.zeros_like(kept)
        total = gains.sum()
    if total <= 0:
        uniform = available / max(available.sum(), 1)
        return Attention(uniform, {"uniform": uniform})
    shares = {name: np.where(part < 0, part * kept, part) / total for name, part in parts.items()}
    return Attention(np.maximum(sum(shares.values(), none), 0.0), shares)
