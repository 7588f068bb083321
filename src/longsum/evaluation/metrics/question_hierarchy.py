"""Scores of trees of questions."""

from dataclasses import dataclass
from typing import Literal

from longsum.core.questions.question_tree import ROOT, QuestionTree
from longsum.evaluation.metrics.reference_scores import METRICS, bleu4, rouge
from longsum.evaluation.metrics.tree_edits import Match, Matches, match_pairs, tree_edits

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

    With `paper`, an edge matches if the pairs that its ends are matched with (`match_pairs`) are
    parent and child, or ancestor and descendant. It earns a quarter of the sum of both ends'
    scores. Precision is the mean over the edges of the generated hierarchy. For a hierarchy without
    edges, which the paper does not mention, it is 1 if the other has none either, else 0.

    `released` is as in the authors' script. An edge also matches if both ends are matched with the
    same pair. The mean is over all pairs except the first, so that further questions of the first
    level count but never earn. Without such pairs, it is 1.

    Do not mix the two forms in one table.

    Returns:
        Precision over the generated edges, recall likewise over the reference's, and their harmonic
        mean (0 if both are 0).

    Pairs are identified by position; the script identifies them by their summaries, so that equal
    texts collapse. A pair that shares no word with any other is matched with the first there, and
    with none here. The script also reads the first generated summary as an empty text, which lowers
    the published numbers and is not reproduced.
    """
    in_reference, in_generated = match_pairs(generated, reference)
    precision = _share(generated.parents(), reference.parents(), in_reference, form)
    recall = _share(reference.parents(), generated.parents(), in_generated, form)
    total = precision + recall
    return HierarchyScore(precision, recall, 2 * precision * recall / total if total else 0.0)


def _share(parents: list[int], others: list[int], matches: Matches, form: Form) -> float:
    """Return the mean score of the edges of one hierarchy, given their matches in another."""
    edges = [(child, parent) for child, parent in enumerate(parents) if parent != ROOT]
    counted = len(edges) if form == "paper" else len(parents) - 1
    if counted < 1:
        return 1.0 if form == "released" or set(others) <= {ROOT} else 0.0
    sizes = _subtree_sizes(others)
    earned = 0.0
    for ends in edges:
        child, parent = (matches[end] for end in ends)
        if child is not None and parent is not None and _below(child, parent, sizes, form):
            earned += (child.score + parent.score) / 4
    return earned / counted


def _below(child: Match, parent: Match, sizes: list[int], form: Form) -> bool:
    first = parent.place + (form == "paper")
    return first <= child.place < parent.place + sizes[parent.place]


def _subtree_sizes(parents: list[int]) -> list[int]:
    sizes = [1] * len(parents)
    for place in range(len(parents) - 1, -1, -1):
        if parents[place] != ROOT:
            sizes[parents[place]] += sizes[place]
    return sizes


def score_hierarchy(
    generated: QuestionTree, reference: QuestionTree, first_question: bool = True
) -> dict[str, float]:
    """Score a generated hierarchy against a reference.

    A first question that was given rather than written, as in QSGen-Hier, is left out of BLEU.

    Returns:
        `hierarchy_precision`, `hierarchy_recall` and `hierarchy_f1` in the paper's form, and
        `hierarchy_f1_released` (see `hierarchy_f1`); `question_bleu4` of all questions joined;
        `rouge1` to `rougeLsum`, F of all summaries joined; all in [0, 1]. Also `edits`, the total
        of `tree_edits`, and `pairs` and `depth` of the generated hierarchy.
    """
    edges = hierarchy_f1(generated, reference)
    summaries = rouge(_answers(generated), [_answers(reference)])
    return {
        "hierarchy_precision": edges.precision,
        "hierarchy_recall": edges.recall,
        "hierarchy_f1": edges.f1,
        "hierarchy_f1_released": hierarchy_f1(generated, reference, "released").f1,
        "question_bleu4": bleu4(
            _questions(generated, first_question), _questions(reference, first_question)
        ),
        **{name: summaries[name].fmeasure for name in METRICS},
        "edits": float(tree_edits(generated, reference).total),
        "pairs": float(len(generated)),
        "depth": float(generated.depth),
    }


def _answers(tree: QuestionTree) -> str:
    return " ".join(pair.answer for _, pair in tree.walk())


def _questions(tree: QuestionTree, first: bool) -> str:
    return " ".join(pair.question for place, (_, pair) in enumerate(tree.walk()) if place or first)
