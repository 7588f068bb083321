"""Divides a text without headings into topics by lexical cohesion (TextTiling, Hearst 1997)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log, sqrt

import numpy as np

from longsum.common.arrays import Array
from longsum.language.words import content_terms

BLOCK_TERMS = 100
"""Number of content terms compared on either side of a gap; Hearst uses 200 tokens, half of which
are stop words."""
SHORTEST = 3
"""Minimum number of sentences of a topic."""
LEAST_DEPTH = 0.1
"""Minimum depth of a boundary, in [0, 2]: below this, the vocabulary hardly changes."""


def topic_segments(sentences: Sequence[str], most: int) -> list[range]:
    """Divide a text where its vocabulary changes most, into at most `most` segments.

    Returns:
        The segments in order, which together cover all sentences. Their number depends on the text:
        boundaries are the lowest gaps of valleys whose depth is neither below the mean minus half a
        standard deviation (Hearst 1997, §5.3) nor below `LEAST_DEPTH`.

    A gap's score is the cosine of the term counts of the `BLOCK_TERMS` before and after it; its
    depth is its distance below the nearest peaks on either side. Time is linear in the length of
    the text, since counts are updated in a sliding window.
    """
    counts = [Counter(content_terms(text)) for text in sentences]
    depths = _valley_depths(_gap_scores(counts))
    if not depths.any() or most < 2:
        return [range(len(sentences))] if sentences else []
    valleys = depths[depths > 0]
    threshold = max(float(valleys.mean() - valleys.std() / 2), LEAST_DEPTH)
    least = max(SHORTEST, len(sentences) // (4 * most))
    ends: list[int] = []
    for gap in np.argsort(-depths, kind="stable").tolist():
        place = gap + 1
        deep = depths[gap] >= threshold and len(ends) < most - 1
        if deep and all(abs(place - other) >= least for other in (0, *ends, len(sentences))):
            ends.append(place)
    bounds = [0, *sorted(ends), len(sentences)]
    return [range(start, stop) for start, stop in pairwise(bounds)]


def key_terms(segments: Sequence[Sequence[str]], count: int) -> list[tuple[str, ...]]:
    """Return at most `count` terms that distinguish each segment from the others, best first.

    Returns:
        The terms with the highest frequency times log (N / n), where n of the N segments have the
        term; ties go to the more frequent one, then to the earlier one.
    """
    by_segment = [
        Counter(term for text in texts for term in content_terms(text)) for texts in segments
    ]
    segments_with = Counter(term for counts in by_segment for term in counts)
    selected = []
    for counts in by_segment:
        # As pairs, so that terms that all segments have come last, by frequency.
        weights = {
            term: (times * log(len(by_segment) / segments_with[term]), times)
            for term, times in counts.items()
        }
        selected.append(tuple(sorted(weights, key=weights.__getitem__, reverse=True)[:count]))
    return selected


@dataclass(slots=True)
class _Block:
    """The terms of neighbouring sentences, and their squared norm."""

    terms: Counter[str] = field(default_factory=Counter)
    size: int = 0
    square: int = 0

    def add(self, counts: Counter[str], sign: int = 1) -> None:
        """Add the terms of a sentence; with −1, remove them."""
        for term, times in counts.items():
            before = self.terms[term]
            self.terms[term] = before + sign * times
            self.square += (before + sign * times) ** 2 - before**2
            self.size += sign * times
            if not self.terms[term]:
                del self.terms[term]


def _gap_scores(counts: Sequence[Counter[str]]) -> Array:
    """Return the similarity of the blocks around each gap between sentences, `[n − 1]`."""
    before, after = _Block(), _Block()
    first, last = 0, 0  # before holds first … gap − 1, after holds gap … last − 1
    scores = np.zeros(max(len(counts) - 1, 0))
    for gap in range(1, len(counts)):
        before.add(counts[gap - 1])
        if last >= gap:
            after.add(counts[gap - 1], -1)
        last = max(last, gap)
        while before.size - counts[first].total() >= BLOCK_TERMS and first < gap - 1:
            before.add(counts[first], -1)
            first += 1
        while after.size < BLOCK_TERMS and last < len(counts):
            after.add(counts[last])
            last += 1
        shared = sum(times * after.terms[term] for term, times in before.terms.items())
        norm = sqrt(before.square * after.square)
        scores[gap - 1] = shared / norm if norm else 1.0
    return scores


def _valley_depths(scores: Array) -> Array:
    """Return each score's distance below the nearest peaks before and after it, if both exist.

    It is 0 if a neighbour is lower, and for all but the first of equal neighbours.
    """
    depths = np.zeros(len(scores))
    falls = [_falls(scores), _falls(scores[::-1])[::-1]]
    lowest = np.ones(len(scores), dtype=bool)
    lowest[1:] &= scores[1:] < scores[:-1]
    lowest[:-1] &= scores[:-1] <= scores[1:]
    both = lowest & (falls[0] > 0) & (falls[1] > 0)
    depths[both] = falls[0][both] + falls[1][both]
    return depths


def _falls(scores: Array) -> Array:
    """Return each score's distance below the top of the slope that leads down to it."""
    falls = np.zeros(len(scores))
    for place in range(1, len(scores)):
        fall = scores[place - 1] - scores[place]
        falls[place] = falls[place - 1] + fall if fall >= 0 else 0.0
    return falls
