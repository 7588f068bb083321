"""All scores of a hierarchy of questions and summaries (HIBRIDS, §5.2, §6.1)."""

from longsum.core.questions import QuestionTree
from longsum.evaluation.metrics.question_bleu import bleu4
from longsum.evaluation.metrics.question_hierarchy import hierarchy_f1
from longsum.evaluation.metrics.rouge import METRICS, rouge
from longsum.evaluation.metrics.tree_edits import tree_edits


def score_hierarchy(
    generated: QuestionTree, reference: QuestionTree, first_question: bool = True
) -> dict[str, float]:
    """Score a generated hierarchy against a reference.

    Args:
        generated: The generated tree.
        reference: The reference tree.
        first_question: Whether the model wrote the first question itself. If it was given, as in
            QSGen-Hier, it is left out of BLEU.

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
