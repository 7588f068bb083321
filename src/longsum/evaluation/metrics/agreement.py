"""Krippendorff's alpha: how far raters agree beyond chance; and tables of ratings."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Literal, get_args

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.common.wording import counted, quote

Level = Literal["nominal", "ordinal", "interval"]
"""How the difference of two values is measured: by whether they are equal; by the number of ratings
between them; or by their numerical distance."""
Rating = str | float | None

_SHARE_DEFINED = 0.5


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of raters.

    Attributes:
        alpha: 1 if they always agree, 0 if as often as by chance, below 0 if less often; None if
            all ratings are equal, since agreement cannot be distinguished from chance then.
        low: Lower bound of the 95 % interval by resampling units; None if alpha is.
        high: Upper bound.
        units: Number of units with at least two ratings; others do not count.
        ratings: Number of ratings of those units.
    """

    alpha: float | None
    low: float | None
    high: float | None
    units: int
    ratings: int


def agreement(
    units: Sequence[Sequence[Rating]],
    level: Level = "nominal",
    samples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return Krippendorff's alpha of ratings, with its interval (Krippendorff 2011).

    Alpha is 1 − D_o / D_e: one minus the mean squared difference of two ratings of the same unit
    over that of any two ratings, where a unit with m ratings has m (m − 1) pairs, each with the
    weight 1 / (m − 1).

    Args:
        units: For each unit, its ratings in any order; None if a rater gave none. Numbers for
            `ordinal` and `interval`, anything for `nominal`.
        level: How the difference of two values is measured.
        samples: Number of samples of units for the interval (Efron and Tibshirani 1993). Samples in
            which all ratings are equal are left out; if they are more than half, there is no
            interval.
        seed: Random seed.

    Raises:
        LongsumError: No unit has two ratings, a rating is no finite number where one is needed, or
            the level is unknown.
    """
    if level not in get_args(Level):
        raise LongsumError(
            f"There is no level {quote(level)}; choose from {', '.join(get_args(Level))}."
        )
    given = [[value for value in unit if value is not None] for unit in units]
    paired = [values for values in given if len(values) > 1]
    if not paired:
        raise LongsumError("Agreement needs a unit with at least two ratings; give more ratings.")
    values = _values(paired, level)
    place = {value: number for number, value in enumerate(values)}
    counts = np.zeros((len(paired), len(values)))
    for row, ratings in zip(counts, paired, strict=True):
        for rating in ratings:
            row[place[_read(rating, level)]] += 1
    alpha = _alpha(counts, np.ones(len(paired)), values, level)
    low, high = (None, None) if alpha is None else _interval(counts, values, level, samples, seed)
    return Agreement(alpha, low, high, len(paired), int(counts.sum()))


def _values(units: list[list[str | float]], level: Level) -> list[str | float]:
    """Return all values that occur, sorted."""
    values = {_read(rating, level) for ratings in units for rating in ratings}
    return sorted(values, key=lambda value: (str(type(value)), value))


def _read(rating: str | float, level: Level) -> str | float:
    if level == "nominal":
        return rating
    try:
        number = float(rating)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise LongsumError(
            f"The rating {quote(rating)} is not a number; give numbers, or measure with the level "
            "nominal."
        )
    return number


def _alpha(counts: Array, weights: Array, values: list[str | float], level: Level) -> float | None:
    """Return alpha of weighted units, or None if all ratings are equal.

    The counts are `[units, values]`, the weights `[units]`; the values are in order.
    """
    shares = counts * (weights / (counts.sum(axis=1) - 1))[:, None]
    coincidences = counts.T @ shares - np.diag(shares.sum(axis=0))
    totals = np.add.reduce(coincidences)
    distances = _distances(totals, values, level)
    expected = float(totals @ distances @ totals)
    if not expected:
        return None
    observed = float((coincidences * distances).sum())
    return 1 - (float(totals.sum()) - 1) * observed / expected


def _distances(totals: Array, values: list[str | float], level: Level) -> Array:
    """Return the squared difference of every two values, `[values, values]`."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    # The number of ratings up to the middle of each value: between two middles are half of both
    # values' ratings, and all those in between.
    middles = (
        np.cumsum(totals) - totals / 2 if level == "ordinal" else np.array(values, dtype=float)
    )
    squared: Array = (middles[:, None] - middles[None, :]) ** 2
    return squared


def _interval(
    counts: Array, values: list[str | float], level: Level, samples: int, seed: int
) -> tuple[float | None, float | None]:
    rng = np.random.default_rng(seed)
    even = np.full(len(counts), 1 / len(counts))
    drawn = (rng.multinomial(len(counts), even).astype(np.float64) for _ in range(samples))
    alphas = [_alpha(counts, weights, values, level) for weights in drawn]
    defined = [alpha for alpha in alphas if alpha is not None]
    if len(defined) < _SHARE_DEFINED * samples:
        return None, None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


MOST_CHARACTERS = 10_000_000
"""Longer tables are rejected."""
_FEWEST_RATERS = 2


def parse_ratings(text: str, name: str) -> list[list[Rating]]:
    """Read ratings from CSV: a line for each unit, a column for each rater.

    The first line names the raters and the first column the units; an empty cell is no rating.

    `name` is what messages call the table.

    Returns:
        The ratings of each unit as written, `[units][raters]`.

    Raises:
        LongsumError: The text is too long or no CSV, there are fewer than two raters or no unit, or
            a line has more or fewer cells than the first one.
    """
    if len(text) > MOST_CHARACTERS:
        raise LongsumError(
            f"{quote(name)} has more than {MOST_CHARACTERS:,} characters; divide it into tables."
        )
    try:
        lines = [line for line in csv.reader(StringIO(text), strict=True) if any(line)]
    except csv.Error as error:
        raise LongsumError(f"{quote(name)} is not a CSV file ({error}); export it again.") from None
    if len(lines) < 2 or len(lines[0]) <= _FEWEST_RATERS:
        raise LongsumError(
            f"{quote(name)} has no ratings: it needs a first line that names a column of units and "
            "two raters or more, and a line for each unit."
        )
    head, *rows = lines
    for row in rows:
        if len(row) != len(head):
            raise LongsumError(
                f"The line of {quote(row[0])} in {quote(name)} has {counted(len(row), 'cell')} and "
                f"the first line {len(head)}; give each rater a cell, if an empty one."
            )
    return [[cell.strip() or None for cell in row[1:]] for row in rows]
