"""Correspondences between the questions of two trees, and edit steps that turn one into the other.

HIBRIDS, §5.2, §6.1 and Appendix C.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.core.questions.question_tree import ROOT, QuestionTree
from longsum.evaluation.metrics.overlap import Counts, Ngram


@dataclass(frozen=True, slots=True)
class Match:
    """The pair that another is matched with.

    Attributes:
        place: Its position in the tree, depth first, from 0.
        score: ROUGE-1 F + ROUGE-2 F of the two summaries, in (0, 2].
    """

    place: int
    score: float


Matches = list[Match | None]


def match_pairs(left: QuestionTree, right: QuestionTree) -> tuple[Matches, Matches]:
    """Match each pair of either tree with the most similar pair of the other.

    Returns:
        For each pair of `left`, depth first, its match in `right`, and for each of `right` its
        match in `left`: the one with the highest ROUGE-1 F + ROUGE-2 F (stemmed) of the summaries,
        the earliest of equal ones. A pair whose summary shares no word with any other has no match;
        the paper only says "the highest score", but a score of 0 says nothing about where a pair
        belongs.
    """
    rows, columns = _tokens(left), _tokens(right)
    indexes = _Index(columns), _Index([list(pairwise(tokens)) for tokens in columns])
    in_right: Matches = []
    best = np.zeros(len(columns))
    places = np.zeros(len(columns), dtype=np.int64)
    for place, tokens in enumerate(rows):
        scores = indexes[0].f_measures(tokens) + indexes[1].f_measures(list(pairwise(tokens)))
        in_right.append(_match(int(scores.argmax()), scores) if len(scores) else None)
        better = scores > best
        best[better], places[better] = scores[better], place
    in_left = [
        Match(int(place), float(score)) if score else None
        for place, score in zip(places, best, strict=True)
    ]
    return in_right, in_left


def _match(place: int, scores: Array) -> Match | None:
    return Match(place, float(scores[place])) if scores[place] else None


def _tokens(tree: QuestionTree) -> list[list[str]]:
    return [rouge_tokens(pair.answer) for _, pair in tree.walk()]


class _Index:
    """An inverted index from n-grams to the texts that contain them, with counts."""

    def __init__(self, texts: Sequence[Sequence[Ngram]]) -> None:
        self._lengths: Counts = np.array([len(text) for text in texts], dtype=np.int64)
        postings: dict[Ngram, list[tuple[int, int]]] = defaultdict(list)
        for place, text in enumerate(texts):
            for ngram, count in Counter(text).items():
                postings[ngram].append((place, count))
        self._postings = {ngram: np.array(entries).T for ngram, entries in postings.items()}

    def f_measures(self, text: Sequence[Ngram]) -> Array:
        """Return the F-measure of a text's n-grams with each indexed text, `[texts]`.

        2PR / (P + R) in one division, so that equal fractions are equal numbers.
        """
        shared = np.zeros(len(self._lengths), dtype=np.int64)
        for ngram, count in Counter(text).items():
            if ngram in self._postings:
                places, counts = self._postings[ngram]
                shared[places] += np.minimum(counts, count)
        return 2 * shared / np.maximum(self._lengths + len(text), 1)


@dataclass(frozen=True, slots=True)
class TreeEdits:
    """The steps that turn a hierarchy into a reference.

    Attributes:
        moves: Steps of each generated pair, depth first; their sum is the paper's number of edits.
        additions: Steps of each pair of the reference, depth first, that the generated hierarchy
            lacks; 0 for the others.
    """

    moves: tuple[int, ...]
    additions: tuple[int, ...]

    @property
    def total(self) -> int:
        """All steps."""
        return sum(self.moves) + sum(self.additions)


def tree_edits(generated: QuestionTree, reference: QuestionTree) -> TreeEdits:
    """Count the steps that bring each generated pair under its parent, and add missing ones.

    The paper's judges only move existing pairs, so omissions would cost nothing, and an empty
    hierarchy would be best. Here, a missing pair of the reference is added below the dummy root,
    which is one step, and moved from there to its place: as many steps as its level. A pair is
    missing if no generated pair is matched with it (`match_pairs`), or as well matched with it as
    with another. Pairs without words cannot be matched and are not required.

    The wanted parent of a pair is any pair matched with the parent of its own match; if there is
    none, with the grandparent, and so on up to the dummy root. A pair without a match stays.

    The reference replaces the paper's human judges.
    """
    matches, reference_matches = match_pairs(generated, reference)
    moves = adjustment_steps(generated.parents(), _wanted(matches, reference.parents()))
    present = _present(matches, reference_matches)
    additions = (
        0 if place in present or not rouge_tokens(pair.answer) else level
        for place, (level, pair) in enumerate(reference.walk())
    )
    return TreeEdits(tuple(moves), tuple(additions))


def adjustment_steps(parents: Sequence[int], wanted: Sequence[Collection[int]]) -> list[int]:
    """Count the steps from each pair's parent to a wanted one, moving one pair after the other.

    Args:
        parents: Position of each pair's parent, depth first; `ROOT` for the dummy root.
        wanted: The acceptable parents of each pair, possibly `ROOT`; empty if it stays.

    Returns:
        The steps of each pair. A step attaches a pair to its grandparent or to a sibling, so their
        number is the length of the path from its parent to the wanted one, in the current tree
        without the pair's own subtree. The nearest wanted parent is taken, the earliest of equally
        near ones.

    Pairs move in order, each with its subtree (Figure 11). A pair that belongs below one of its own
    descendants waits until the others have moved.

    Raises:
        LongsumError: The wanted parents form a cycle.
    """
    current = list(parents)
    steps = [0] * len(current)
    waiting = [pair for pair, suitable in enumerate(wanted) if suitable]
    while waiting:
        blocked = []
        for pair in waiting:
            nearest = _nearest(pair, current, wanted[pair])
            if nearest is None:
                blocked.append(pair)
            else:
                steps[pair], current[pair] = nearest
        if len(blocked) == len(waiting):
            raise LongsumError(
                f"Question {blocked[0] + 1} would have to be below its own follow-up questions, in "
                "a cycle; give every question a parent that is not below it."
            )
        waiting = blocked
    return steps


def _present(matches: Matches, reference_matches: Matches) -> set[int]:
    """Return the pairs of the reference that a generated pair matches best, ties included."""
    present = {match.place for match in matches if match is not None}
    for place, match in enumerate(reference_matches):
        best = None if match is None else matches[match.place]
        if match is not None and best is not None and match.score == best.score:
            present.add(place)
    return present


def _wanted(matches: Matches, parents: list[int]) -> list[set[int]]:
    """Return the wanted parents of each generated pair, given the parents in the reference."""
    matched_with: dict[int, set[int]] = {ROOT: {ROOT}}
    for pair, match in enumerate(matches):
        if match is not None:
            matched_with.setdefault(match.place, set()).add(pair)
    # The nearest matched pair of the reference at or above each of its pairs.
    nearest = {ROOT: ROOT}
    for place, parent in enumerate(parents):
        nearest[place] = place if place in matched_with else nearest[parent]
    return [
        matched_with[nearest[parents[match.place]]] if match is not None else set()
        for match in matches
    ]


def _nearest(pair: int, parents: list[int], wanted: Collection[int]) -> tuple[int, int] | None:
    """Return the steps to the nearest wanted parent, and its position; None if all are below."""
    climbed = {place: steps for steps, place in enumerate(_upwards(parents[pair], parents))}
    reachable = []
    for place in wanted:
        for steps, above in enumerate(_upwards(place, parents)):
            if above == pair:
                break
            if above in climbed:
                reachable.append((climbed[above] + steps, place))
                break
    return min(reachable, default=None)


def _upwards(place: int, parents: list[int]) -> list[int]:
    path = [place]
    while path[-1] != ROOT:
        path.append(parents[path[-1]])
    return path
