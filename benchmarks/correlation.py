"""Correlation of scores with people's ratings (HEPOS, Table 8), with intervals and tests."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient in [−1, 1], with a confidence interval and a two-sided p-value."""

    value: float
    low: float
    high: float
    p_value: float


def correlations(
    scores: Sequence[float],
    ratings: Sequence[float],
    groups: Sequence[int] | None = None,
    *,
    level: float = 0.95,
    samples: int = 1000,
    trials: int = 1000,
    seed: int = 0,
) -> tuple[Correlation, Correlation]:
    """Return Pearson's r and Spearman's rho of scores with ratings.

    Args:
        scores: One score per summary.
        ratings: One rating per summary.
        groups: The document of each summary; by default each has its own. The bootstrap draws
            documents, and the permutation test permutes ratings within documents, or among all
            summaries where each has a document of its own.
        level: Confidence of the intervals, in (0, 1).
        samples: Bootstrap samples.
        trials: Permutations.
        seed: Random seed.

    A coefficient is 0 if scores or ratings are all equal. Permutation within documents tests
    whether a metric distinguishes summaries of the same document.

    Raises:
        LongsumError: The numbers differ, or there are fewer than two.
    """
    x, y = (np.asarray(values, dtype=np.float64) for values in (scores, ratings))
    if len(x) != len(y) or len(x) < 2 or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise LongsumError(
            f"A correlation needs two finite numbers or more and as many ratings, but there are "
            f"{len(x)} and {len(y)}; score what is rated."
        )
    each = np.arange(len(x)) if groups is None else np.unique(groups, return_inverse=True)[1]
    members = [np.flatnonzero(each == group) for group in range(each.max() + 1)]
    found = []
    for one, other in ((x, y), (rankdata(x), rankdata(y))):
        rng = np.random.default_rng(seed)
        value = pearson(one, other)
        drawn = [
            pearson(one[chosen], other[chosen])
            for _ in range(samples)
            for chosen in [
                np.concatenate([members[k] for k in rng.integers(0, len(members), len(members))])
            ]
        ]
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        within = members if len(members) < len(x) else [np.arange(len(x))]
        extreme = sum(
            abs(pearson(one, _permuted(other, within, rng))) >= abs(value) - 1e-12
            for _ in range(trials)
        )
        found.append(Correlation(value, float(low), float(high), (extreme + 1) / (trials + 1)))
    return found[0], found[1]


def pearson(x: Array, y: Array) -> float:
    """Return Pearson's r of two arrays; 0 where one of them is constant."""
    x, y = x - x.mean(), y - y.mean()
    norm = np.sqrt((x @ x) * (y @ y))
    return float(x @ y / norm) if norm > 0 else 0.0


def _permuted(
    values: Array, members: Sequence[NDArray[np.int64]], rng: np.random.Generator
) -> Array:
    found = values.copy()
    for group in members:
        found[group] = values[rng.permutation(group)]
    return found
