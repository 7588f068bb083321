"""Confidence intervals and tests of scores: bootstrap, randomization, analysis of variance.

The analysis of variance, with Tukey's test of every pair of systems, is that of Stepwise §6.2. It
needs SciPy (`pip install 'longsum[statistics]'`) for the F distribution and that of the studentized
range.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from string import ascii_lowercase
from typing import Any

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained
from longsum.common.wording import counted

FEWEST_PAIRED = 10
"""Fewest documents on which paired tests can distinguish systems."""
_MOST_NUMBERS = 1 << 20
"""Random numbers drawn at a time: about 16 MiB, for any number of values and samples."""

# Equal sums differ in the last digits if their terms are in a different order.
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
        unswapped = rng.integers(0, 2, size=(rows, len(differences)), dtype=np.int8)
        extreme += int((np.abs(2 * (unswapped @ differences) - total) >= minimum).sum())
    return (extreme + 1) / (trials + 1)


def corrected(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple tests by Holm's step-down procedure (Holm 1979).

    If all null hypotheses are true, the probability of any value below α is at most α.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def effect_size(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the lead of system a over b in standard deviations of the differences (Cohen's d_z).

    0 if all scores are equal; infinite if all differences are the same.

    Raises:
        LongsumError: As for `bootstrap_interval`, or the lengths differ.
    """
    differences = _differences(a, b)
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    if spread <= _RELATIVE_ROUNDING * float(np.abs(differences).max()):
        return 0.0 if not mean else math.copysign(math.inf, mean)
    return mean / spread


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
    for done in range(0, total, rows):
        yield min(rows, total - done)


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


ALPHA = 0.05
"""The significance level of the intervals, and of the groups of systems."""

# Equal scores differ in the last digits of their sums.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Tukey's honest significant difference of two systems (Tukey 1949; Kramer 1956).

    Attributes:
        first: Name of one system.
        second: Name of the other.
        difference: Mean of the first minus mean of the second.
        low: Lower bound of its simultaneous interval, at 1 − `ALPHA` for all pairs together.
        high: Upper bound.
        p_value: Corrected for the number of systems, in [0, 1].
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True)
class AnalysisOfVariance:
    """A one-way analysis of variance (Fisher 1925).

    Attributes:
        f: Variance between the systems over that within them; infinite if the scores within each
            system are equal and two systems differ.
        between: Degrees of freedom between systems.
        within: Degrees of freedom within systems.
        p_value: Probability of as large an F if all systems were equally good.
        means: The mean of each system.
        pairs: The test of every pair, in the order of the systems.
    """

    f: float
    between: int
    within: int
    p_value: float
    means: Mapping[str, float]
    pairs: Sequence[PairedTest]

    def groups(self) -> Mapping[str, str]:
        """Return the letters of each system: two that share one do not differ at `ALPHA`.

        Each letter stands for a largest set of systems no two of which differ, found by insertion
        and absorption (Piepho 2004, §3); that of `a` contains the highest mean.
        """
        sets = [set(self.means)]
        for pair in self.pairs:
            if pair.p_value < ALPHA:
                sets = _separated(sets, pair.first, pair.second)
        sets.sort(key=lambda names: max(self.means[name] for name in names), reverse=True)
        letters = [_letter(place) for place in range(len(sets))]
        return {
            name: "".join(
                letter for letter, names in zip(letters, sets, strict=True) if name in names
            )
            for name in self.means
        }


def analysis_of_variance(scores: Mapping[str, Sequence[float]]) -> AnalysisOfVariance:
    """Test whether the means of systems differ, and which of them do.

    Scores are taken as independent, as in the paper. Unlike `approximate_randomization`, the test
    makes no use of systems being scored on the same documents, so it misses smaller differences.

    Args:
        scores: The scores of each system by its name, one per document.

    Raises:
        LongsumError: There are fewer than two systems, one has fewer than two scores, a score is
            not finite, or SciPy is not installed.
    """
    groups = {name: np.asarray(values, dtype=np.float64) for name, values in scores.items()}
    _check(groups)
    means = {name: float(values.mean()) for name, values in groups.items()}
    pooled = np.concatenate(list(groups.values()))
    between, within = len(groups) - 1, len(pooled) - len(groups)
    unexplained = sum(float(((group - group.mean()) ** 2).sum()) for group in groups.values())
    explained = sum(
        len(group) * float((group.mean() - pooled.mean()) ** 2) for group in groups.values()
    )
    rounding = _ROUNDING * float((pooled**2).sum())
    variance = unexplained / within if unexplained > rounding else 0.0
    f = np.inf if not variance else explained / between / variance
    f = f if explained > rounding else 0.0
    pairs = [_pair(one, other, groups, variance, within) for one, other in combinations(groups, 2)]
    p_value = float(_distributions().f.sf(f, between, within))
    return AnalysisOfVariance(f, between, within, p_value, means, pairs)


def _pair(
    first: str, second: str, groups: Mapping[str, Array], variance: float, within: int
) -> PairedTest:
    one, other = groups[first], groups[second]
    difference = float(one.mean() - other.mean())
    error = float(np.sqrt(variance / 2 * (1 / len(one) + 1 / len(other))))
    if not error:
        equal = abs(difference) <= _ROUNDING * max(abs(float(one.mean())), 1.0)
        return PairedTest(first, second, difference, difference, difference, float(equal))
    q = abs(difference) / error
    p_value = float(_distributions().studentized_range.sf(q, len(groups), within))
    half = error * _critical_range(len(groups), within)
    # The result of numerical integration may be slightly out of range.
    p_value = min(max(p_value, 0.0), 1.0)
    return PairedTest(first, second, difference, difference - half, difference + half, p_value)


@lru_cache(maxsize=64)
def _critical_range(systems: int, within: int) -> float:
    """Return the studentized range that is exceeded by chance with probability `ALPHA`."""
    return float(_distributions().studentized_range.isf(ALPHA, systems, within))


def _distributions() -> Any:
    with missing_extras_explained():
        from scipy import stats
    return stats


def _separated(sets: list[set[str]], first: str, second: str) -> list[set[str]]:
    """Split the sets that contain both of two differing names; leave out subsets of others."""
    split: list[set[str]] = []
    for names in sets:
        both = first in names and second in names
        split += [names - {second}, names - {first}] if both else [names]
    distinct = [names for place, names in enumerate(split) if names not in split[:place]]
    return [names for names in distinct if not any(names < other for other in distinct)]


def _letter(place: int) -> str:
    """Return the name of a group: a to z, then a1 to z1, and so on."""
    return ascii_lowercase[place % 26] + (str(place // 26) if place >= 26 else "")


def _check(groups: Mapping[str, Array]) -> None:
    if len(groups) < 2:
        raise LongsumError(
            f"An analysis of variance compares two systems or more, not "
            f"{counted(len(groups), 'system')}; give others."
        )
    for name, values in groups.items():
        if len(values) < 2 or not np.isfinite(values).all():
            raise LongsumError(
                f"An analysis of variance needs at least two scores of '{name}', all finite "
                "numbers; check the scores."
            )
