"""Which questions of two trees correspond."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from longsum.common.arrays import Array, Places
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.core.questions import QuestionTree
from longsum.evaluation.metrics.overlap import Counts, Ngram


def cheapest_pairing(costs: Array) -> Places:
    """Return the column that each row is paired with, so that the sum of costs is smallest.

    Rows are added one by one, each along the cheapest path of exchanges, by prices that keep every
    cost left over at 0 or above (the Hungarian method with Dijkstra's search: Edmonds and Karp
    1972, Tomizawa 1971), in O(n³).

    Args:
        costs: `[n, n]`, finite.
    """
    count = len(costs)
    row_prices, column_prices = np.zeros(count), np.zeros(count)
    row_of = np.full(count, -1)
    column_of = np.full(count, -1)
    for row in range(count):
        distances = np.full(count, np.inf)
        before = np.full(count, -1)
        reached = np.zeros(count, dtype=bool)
        current, distance, column = row, 0.0, -1
        while current >= 0:
            through = distance + costs[current] - row_prices[current] - column_prices
            nearer = ~reached & (through < distances)
            distances[nearer], before[nearer] = through[nearer], current
            column = int(np.where(reached, np.inf, distances).argmin())
            distance = distances[column]
            reached[column] = True
            current = int(row_of[column])
        row_prices[row] += distance
        paired = reached & (row_of >= 0)
        row_prices[row_of[paired]] += distance - distances[paired]
        column_prices[reached] -= distance - distances[reached]
        while column >= 0:
            exchanged = before[column]
            row_of[column] = exchanged
            column_of[exchanged], column = column, int(column_of[exchanged])
    return column_of


@dataclass(frozen=True, slots=True)
class Match:
    """The pair that another is matched with.

    Attributes:
        place: Its position in its tree, depth first, from 0.
        score: ROUGE-1 F + ROUGE-2 F of the two summaries, in (0, 2].
    """

    place: int
    score: float


Matches = list[Match | None]


def match_pairs(left: QuestionTree, right: QuestionTree) -> tuple[Matches, Matches]:
    """Match each pair of either tree with the most similar pair of the other.

    Args:
        left: One tree.
        right: The other.

    Returns:
        For each pair of `left`, depth first, its match in `right`, and for each of `right` its
        match in `left`: the highest ROUGE-1 F + ROUGE-2 F (stemmed) of the summaries, the earliest
        of equal ones. A pair whose summary shares no word with any has no match; the paper only
        says "the highest score", but a score of 0 says nothing about where a pair belongs.
    """
    rows, columns = _tokens(left), _tokens(right)
    indexes = _Index(columns), _Index([list(pairwise(tokens)) for tokens in columns])
    towards: Matches = []
    best = np.zeros(len(columns))
    places = np.zeros(len(columns), dtype=np.int64)
    for place, tokens in enumerate(rows):
        scores = indexes[0].f_measures(tokens) + indexes[1].f_measures(list(pairwise(tokens)))
        towards.append(_match(int(scores.argmax()), scores) if len(scores) else None)
        better = scores > best
        best[better], places[better] = scores[better], place
    back = [
        Match(int(place), float(score)) if score else None
        for place, score in zip(places, best, strict=True)
    ]
    return towards, back


def _match(place: int, scores: Array) -> Match | None:
    return Match(place, float(scores[place])) if scores[place] else None


def _tokens(tree: QuestionTree) -> list[list[str]]:
    return [rouge_tokens(pair.answer) for _, pair in tree.walk()]


class _Index:
    """An inverted index from n-grams to the texts that contain them, with counts."""

    def __init__(self, texts: Sequence[Sequence[Ngram]]) -> None:
        self._lengths: Counts = np.array([len(text) for text in texts], dtype=np.int64)
        holders: dict[Ngram, list[tuple[int, int]]] = defaultdict(list)
        for place, text in enumerate(texts):
            for ngram, count in Counter(text).items():
                holders[ngram].append((place, count))
        self._holders = {ngram: np.array(held).T for ngram, held in holders.items()}

    def f_measures(self, text: Sequence[Ngram]) -> Array:
        """Return F of the n-grams of a text with those of each indexed text, `[texts]`.

        2PR / (P + R) in one division, so that equal fractions are equal numbers.
        """
        shared = np.zeros(len(self._lengths), dtype=np.int64)
        for ngram, count in Counter(text).items():
            if ngram in self._holders:
                places, counts = self._holders[ngram]
                shared[places] += np.minimum(counts, count)
        return 2 * shared / np.maximum(self._lengths + len(text), 1)
