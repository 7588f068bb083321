"""F1 of a question hierarchy against a reference (HIBRIDS, §5.2)."""

from dataclasses import dataclass
from typing import Literal

from longsum.core.questions import ROOT, QuestionTree
from longsum.evaluation.metrics.question_matching import Match, Matches, match_pairs

Form = Literal["paper", "released"]


@dataclass(frozen=True, slots=True)
class HierarchyScore:
    """Weighted precision, recall and F1 of edges, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def hierarchy_f1(
    generated: QuestionTree, reference: QuestionTree, form: Form = "paper"
) -> HierarchyScore:
    """Score the edges from parent to child of a generated hierarchy.

    Args:
        generated: The generated tree.
        reference: The reference tree.
        form: The variant; do not mix the two in one table.

            `paper`: an edge matches if the pairs that its ends are matched with (`match_pairs`) are
            parent and child, or ancestor and descendant. It earns a quarter of the sum of both
            ends' scores. Precision is the mean over the edges of the generated hierarchy. If a
            hierarchy has no edges, its side is 1 if the other has none either, else 0; not stated
            in the paper.

            `released`: as in the authors' script. An edge also matches if both ends are matched
            with the same pair. The mean is over all pairs except the first, so that further
            questions of the first level count but never earn. A side without such pairs is 1.

    Returns:
        Precision over the generated edges, recall likewise over the reference's, and their harmonic
        mean (0 if both are 0).

    Pairs are identified by position; the script identifies them by their summaries, so that equal
    texts collapse. There, a pair that shares no word with any is matched with the first; here with
    none. The script also reads the first generated summary as an empty text, which lowers the
    published numbers and is not reproduced.
    """
    towards, back = match_pairs(generated, reference)
    precision = _share(generated.parents(), reference.parents(), towards, form)
    recall = _share(reference.parents(), generated.parents(), back, form)
    total = precision + recall
    return HierarchyScore(precision, recall, 2 * precision * recall / total if total else 0.0)


def _share(parents: list[int], others: list[int], matches: Matches, form: Form) -> float:
    """Return the mean score of the edges of one hierarchy in another."""
    edges = [(child, parent) for child, parent in enumerate(parents) if parent != ROOT]
    counted = len(edges) if form == "paper" else len(parents) - 1
    if counted < 1:
        return 1.0 if form == "released" or set(others) <= {ROOT} else 0.0
    sizes = _subtree_sizes(others)
    earned = 0.0
    for ends in edges:
        child, head = (matches[end] for end in ends)
        if child is not None and head is not None and _below(child, head, sizes, form):
            earned += (child.score + head.score) / 4
    return earned / counted


def _below(child: Match, head: Match, sizes: list[int], form: Form) -> bool:
    first = head.place + (form == "paper")
    return first <= child.place < head.place + sizes[head.place]


def _subtree_sizes(parents: list[int]) -> list[int]:
    sizes = [1] * len(parents)
    for place in range(len(parents) - 1, -1, -1):
        if parents[place] != ROOT:
            sizes[parents[place]] += sizes[place]
    return sizes
