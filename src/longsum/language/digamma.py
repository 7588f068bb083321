"""The digamma function ψ, the derivative of log Γ."""

import numpy as np

from longsum.arrays import Array

# Above this the series is exact to 1e-13.
_SHIFT = 10
# Of ψ(x) ~ log x − 1/2x − Σ B₂ₙ / 2n x²ⁿ, the factors B₂ₙ / 2n for n = 1 to 5.
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132)


def digamma(x: Array) -> Array:
    """Return ψ(x) of each positive number, within 1e-12 of it, relatively where |ψ| is above 1.

    By the recurrence ψ(x) = ψ(x + 1) − 1/x and the asymptotic series (Abramowitz and Stegun 1964,
    6.3.5 and 6.3.18).
    """
    below = (1 / (x + np.arange(_SHIFT).reshape(-1, *[1] * x.ndim))).sum(axis=0)
    shifted = x + _SHIFT
    inverse = 1 / shifted
    square = inverse * inverse
    series = np.zeros_like(x)
    for factor in reversed(_SERIES):
        series += factor
        series *= square
    found: Array = np.log(shifted) - 0.5 * inverse - series - below
    return found
