"""Scores of trees of questions: the fast computation equals the definition."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from effort import examples
from longsum.core.questions.question_tree import ROOT, Question, QuestionTree
from longsum.evaluation.metrics.question_hierarchy import Form, hierarchy_f1, score_hierarchy
from longsum.evaluation.metrics.reference_scores import bleu4, rouge

answer = st.lists(st.sampled_from(["cats", "cat", "ran", "the", "Dogs."]), max_size=5).map(" ".join)
question = st.recursive(
    st.builds(Question, st.just("?"), answer),
    lambda below: st.builds(Question, st.just("?"), answer, st.lists(below, max_size=2).map(tuple)),
    max_leaves=5,
)
tree = st.builds(QuestionTree, st.lists(question, max_size=3).map(tuple))
SCORER = RougeScorer(["rouge1", "rouge2"], use_stemmer=True)


def tell(answer: str, *children: Question) -> Question:
    return Question("?", answer, children)


def trees(*questions: Question) -> QuestionTree:
    return QuestionTree(questions)


def similarity(prediction: str, target: str) -> float:
    found = SCORER.score(target, prediction)
    return float(found["rouge1"].fmeasure + found["rouge2"].fmeasure)


def answers(tree: QuestionTree) -> list[str]:
    return [pair.answer for _, pair in tree.walk()]


def share_by_definition(own: QuestionTree, other: QuestionTree, form: Form) -> float:
    """Compute precision pair by pair and edge by edge, with the package's ROUGE."""
    table = [[similarity(text, target) for target in answers(other)] for text in answers(own)]
    parents = other.parents()

    def ancestors(place: int) -> set[int]:
        above = set() if form == "paper" else {place}
        while (place := parents[place]) != ROOT:
            above.add(place)
        return above

    earned, edges = 0.0, 0
    for child, head in enumerate(own.parents()):
        if head == ROOT:
            continue
        edges += 1
        tops = [max(table[end], default=0.0) for end in (child, head)]
        if not all(tops):
            continue
        # Equal fractions may differ in their last digit in the package.
        below, above = (
            next(place for place, value in enumerate(table[end]) if value >= top - 1e-9)
            for end, top in zip((child, head), tops, strict=True)
        )
        earned += sum(tops) / 4 * (above in ancestors(below))
    counted = edges if form == "paper" else len(own) - 1
    if counted >= 1:
        return earned / counted
    return float(form == "released" or other.depth < 2)


@settings(max_examples=examples(100))
@given(tree, tree, st.sampled_from(["paper", "released"]))
def test_equal_to_the_definition(left: QuestionTree, right: QuestionTree, form: Form) -> None:
    score = hierarchy_f1(left, right, form)
    precision = share_by_definition(left, right, form)
    recall = share_by_definition(right, left, form)
    assert score.precision == pytest.approx(precision)
    assert score.recall == pytest.approx(recall)
    total = precision + recall
    assert score.f1 == pytest.approx(2 * precision * recall / total if total else 0.0)
    other_way = hierarchy_f1(right, left, form)
    assert (other_way.precision, other_way.recall) == (score.recall, score.precision)


def test_no_hierarchy_is_too_deep() -> None:
    deep = tell("the end")
    for number in range(1500):
        deep = tell(f"level {number}", deep)
    assert hierarchy_f1(trees(deep), trees(deep)).f1 == 1.0


FUNDED = ("What did the bill fund?", "The bill funded housing programs.")
GAVE = "It gave $13.7 billion to housing."
REFERENCE = trees(Question(*FUNDED, (Question("How much was it?", GAVE),)))
FLAT = trees(Question(*FUNDED), Question("How much did it give?", GAVE))


def test_a_hierarchy_scores_itself() -> None:
    scores = score_hierarchy(REFERENCE, REFERENCE)
    counts = {"edits": 0, "pairs": 2, "depth": 2}
    assert scores == {name: pytest.approx(counts.get(name, 1.0)) for name in scores}
    assert set(scores) == {
        *("hierarchy_precision", "hierarchy_recall", "hierarchy_f1", "hierarchy_f1_released"),
        *("question_bleu4", "rouge1", "rouge2", "rougeL", "rougeLsum", *counts),
    }


def test_each_score_equals_that_of_its_function() -> None:
    scores = score_hierarchy(FLAT, REFERENCE, first_question=False)
    assert scores["hierarchy_precision"] == scores["hierarchy_f1"] == 0.0
    assert scores["question_bleu4"] == bleu4("How much did it give?", "How much was it?")
    assert scores["edits"] == scores["depth"] == 1.0
    text = "The bill funded housing programs. It gave $13.7 billion to housing."
    assert scores["rougeLsum"] == rouge(text, [text])["rougeLsum"].fmeasure
    assert score_hierarchy(FLAT, REFERENCE)["question_bleu4"] > scores["question_bleu4"]
    # What was written is all in a longer reference, and not the other way round.
    children = (
        Question("How much was it?", GAVE),
        Question("Who sells fish?", "Sailors sell trout."),
    )
    longer = score_hierarchy(REFERENCE, trees(Question(*FUNDED, children)))
    assert longer["hierarchy_precision"] == 1 > longer["hierarchy_recall"]
    # A pair that is below itself counts in the released form alone.
    twice = score_hierarchy(trees(Question(*FUNDED, (Question(*FUNDED),))), REFERENCE)
    assert twice["hierarchy_f1_released"] > twice["hierarchy_f1"] == 0.0
