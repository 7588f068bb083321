"""All scores of a hierarchy in one table, and their means."""

import pytest

from longsum.core.questions import Question, QuestionTree
from longsum.evaluation.metrics import rouge
from longsum.evaluation.metrics.bleu import bleu4
from longsum.evaluation.metrics.question_hierarchy import score_hierarchy

REFERENCE = QuestionTree(
    (
        Question(
            "What did the bill fund?",
            "The bill funded housing programs.",
            (Question("How much was it?", "It gave $13.7 billion to housing."),),
        ),
    )
)
FLAT = QuestionTree(
    (
        Question("What did the bill fund?", "The bill funded housing programs."),
        Question("How much did it give?", "It gave $13.7 billion to housing."),
    )
)


def test_a_hierarchy_scores_itself() -> None:
    scores = score_hierarchy(REFERENCE, REFERENCE)
    counts = {"edits": 0, "pairs": 2, "depth": 2}
    assert scores == {name: pytest.approx(counts.get(name, 1.0)) for name in scores}
    assert len(scores) == 12


def test_each_score_is_what_its_function_gives() -> None:
    scores = score_hierarchy(FLAT, REFERENCE, first_question=False)
    assert scores["hierarchy_precision"] == scores["hierarchy_f1"] == 0.0
    assert scores["question_bleu4"] == bleu4("How much did it give?", "How much was it?")
    assert scores["edits"] == scores["depth"] == 1.0
    text = "The bill funded housing programs. It gave $13.7 billion to housing."
    assert scores["rougeLsum"] == rouge(text, [text])["rougeLsum"].fmeasure
    given = score_hierarchy(FLAT, REFERENCE)["question_bleu4"]
    assert given > scores["question_bleu4"]


def test_writing_nothing_takes_the_most_edits() -> None:
    nothing = score_hierarchy(QuestionTree(()), REFERENCE)["edits"]
    assert nothing == 3.0 > score_hierarchy(FLAT, REFERENCE)["edits"]
