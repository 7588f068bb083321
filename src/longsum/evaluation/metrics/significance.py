"""Confidence intervals and significance tests of scores: bootstrap and randomization."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError

_MOST_NUMBERS = 1 << 20
"""Random numbers drawn at a time: some 16 MiB, for any number of values and samples."""

# Equal sums differ in the last digits when their terms are in another order.
_RELATIVE_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the bounds of its confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The lead of system a over system b: mean of a − b, its interval, two-sided p-value."""

    difference: float
    low: float
    high: float
    p_value: float


def bootstrap_interval(
    values: Sequence[float], level: float = 0.95, samples: int = 1000, seed: int = 0
) -> Interval:
    """Return the mean of scores and its percentile bootstrap interval (Efron and Tibshirani 1993).

    Args:
        values: One score per document.
        level: Confidence, in (0, 1).
        samples: Number of samples drawn with replacement.
        seed: Random seed; the same seed gives the same interval.

    Raises:
        LongsumError: There are no values, one is not finite, or level or samples are out of range.
    """
    array = _scores(values)
    low, high = _bounds(_resampled_means(array, samples, seed), level)
    return Interval(float(array.mean()), low, high)


def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    level: float = 0.95,
    samples: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Compare two systems on the same documents by resampling the documents.

    Args:
        a: Scores of one system, one per document.
        b: Scores of the other on the same documents in the same order.
        level: Confidence of the interval, in (0, 1).
        samples: Number of samples drawn with replacement.
        seed: Random seed.

    The p-value is that of the shifted bootstrap, two-sided: (k + 1) / (samples + 1), where the
    means of k samples are at least as far from the observed difference as that is from 0. It
    assumes that the sample represents the population, so for fewer than about 20 documents use
    `approximate_randomization`.

    Raises:
        LongsumError: As for `bootstrap_interval`, or the lengths differ.
    """
    differences = _differences(a, b)
    observed = float(differences.mean())
    means = _resampled_means(differences, samples, seed)
    low, high = _bounds(means, level)
    rounding = _RELATIVE_ROUNDING * float(np.abs(differences).max())
    extreme = int((np.abs(means - observed) >= abs(observed) - rounding).sum())
    return Comparison(observed, low, high, (extreme + 1) / (samples + 1))


def approximate_randomization(
    a: Sequence[float], b: Sequence[float], trials: int = 10_000, seed: int = 0
) -> float:
    """Return the two-sided p-value of the difference of two systems' means (Noreen 1989).

    Each trial swaps the two scores of a document with probability 1/2. The p-value is
    (k + 1) / (trials + 1), where the difference is at least as large as observed in k trials.

    Raises:
        LongsumError: There are no values, one is not finite, lengths differ, or trials is below 1.
    """
    differences = _differences(a, b)
    _check_count(trials, "trials")
    total = differences.sum()
    minimum = abs(total) - _RELATIVE_ROUNDING * np.abs(differences).sum()
    rng = np.random.default_rng(seed)
    extreme = 0
    for rows in _rows(trials, len(differences)):
        kept = rng.integers(0, 2, size=(rows, len(differences)), dtype=np.int8)
        extreme += int((np.abs(2 * (kept @ differences) - total) >= minimum).sum())
    return (extreme + 1) / (trials + 1)


def _resampled_means(values: Array, samples: int, seed: int) -> Array:
    _check_count(samples, "samples")
    rng = np.random.default_rng(seed)
    means = [
        values[rng.integers(0, len(values), size=(rows, len(values)))].mean(axis=1)
        for rows in _rows(samples, len(values))
    ]
    return np.concatenate(means)


def _rows(total: int, width: int) -> Iterator[int]:
    rows = max(1, _MOST_NUMBERS // width)
    while total > 0:
        yield min(rows, total)
        total -= rows


def _bounds(means: Array, level: float) -> tuple[float, float]:
    if not 0 < level < 1:
        raise LongsumError(f"The confidence level is {level}; give one between 0 and 1.")
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _differences(a: Sequence[float], b: Sequence[float]) -> Array:
    if len(a) != len(b):
        raise LongsumError(
            f"Two systems are compared on the same documents, but there are {len(a)} scores of one "
            f"and {len(b)} of the other; score both on all."
        )
    return _scores(a) - _scores(b)


def _scores(values: Sequence[float]) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if not array.size or not np.isfinite(array).all():
        raise LongsumError("A test needs at least one score, all finite numbers; check the scores.")
    return array


def _check_count(count: int, name: str) -> None:
    if count < 1:
        raise LongsumError(f"{count} {name} are too few; give at least 1.")
