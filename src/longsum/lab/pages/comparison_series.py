"""What charts of a comparison draw: the spread of scores, and scores against length."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BINS = 24
MOST_GROUPS = 5
_FEWEST_IN_GROUP = 4
_STEPS = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Group:
    """The mean score of documents of about the same length, and their median words."""

    words: float
    mean: float


def bounds(rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the lowest and the highest value, which differ; nan is passed over.

    Raises:
        ValueError: There is no value.
    """
    found = [value for row in rows for value in row if not math.isnan(value)]
    low, high = min(found), max(found)
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return the round numbers between two, at most so many: multiples of 1, 2 or 5 times 10ⁿ."""
    power = 10 ** math.floor(math.log10((high - low) / most))
    for step in (power * each for each in _STEPS):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            break
    return [round(place * step, 12) for place in range(first, last + 1)]


def histogram(values: Sequence[float], low: float, high: float) -> list[int]:
    """Return how many values lie in each of `BINS` equal parts of a range; nan is passed over."""
    found = [value for value in values if not math.isnan(value)]
    counts: list[int] = np.histogram(found, bins=BINS, range=(low, high))[0].tolist()
    return counts


def by_length(values: Sequence[float], lengths: Sequence[int]) -> list[Group]:
    """Return the means of up to `MOST_GROUPS` equally large groups of documents, shortest first.

    Args:
        values: A score per document; those without one (nan) do not count.
        lengths: The words of each document.

    Returns:
        The groups; none where the documents are too few, or all of one length.
    """
    known = np.flatnonzero(~np.isnan(np.asarray(values, dtype=np.float64)))
    ordered = sorted(known.tolist(), key=lambda place: lengths[place])
    count = min(MOST_GROUPS, len(ordered) // _FEWEST_IN_GROUP)
    if count < 2 or lengths[ordered[0]] == lengths[ordered[-1]]:
        return []
    return [
        Group(
            float(np.median([lengths[place] for place in group])),
            float(np.mean([values[place] for place in group])),
        )
        for group in np.array_split(ordered, count)
    ]
