"""HIBRIDS §5.1, on the hierarchy of its Figure 1."""

from dataclasses import replace

import pytest

from longsum.common.errors import LongsumError
from longsum.core.questions.question_tree import tree_from_json
from longsum.documents.model import Source
from longsum.evaluation.datasets import Example
from longsum.models.tasks.question_generation import QSGenChildren, QSGenHierarchy, follow_up_tree


def node(number: str, *children: dict, answer: str | None = None) -> dict:
    said = f"A{number}" if answer is None else answer
    return {"question": f"Q{number}?", "answer": said, "children": list(children)}


FIGURE_1 = node("1", node("1.1"), node("1.2", node("1.2.1")))


@pytest.fixture
def make(small):
    def example(*questions: dict) -> Example:
        document = replace(small, source=Source("valley", "govreport_qs"))
        extra = {"questions": list(questions)}
        return Example("valley", document, ("A summary.",), "train", "", extra)

    return example


def test_a_hierarchy_in_one_line(make) -> None:
    (lesson,) = QSGenHierarchy().pairs(make(FIGURE_1))
    assert lesson.question == "Q1?"
    assert lesson.target == (
        "A1 <down> Q1.1? <question> A1.1 <hold> Q1.2? <question> A1.2 "
        "<down> Q1.2.1? <question> A1.2.1"
    )
    (written,) = QSGenHierarchy(question_given=False).pairs(make(FIGURE_1))
    assert (written.question, written.target) == ("", f"Q1? <question> {lesson.target}")


def test_children_of_each_question(make) -> None:
    first, second = QSGenChildren().pairs(make(FIGURE_1))
    assert (first.question, first.target) == ("Q1? A1", "Q1.1? <hold> Q1.2?")
    assert (second.question, second.target) == ("Q1.2? A1.2", "Q1.2.1?")
    assert not list(QSGenChildren().pairs(make(node("1", node("1.1"), answer=""))))


def test_only_the_aligned_sections_are_read(make, small) -> None:
    tree = node("1", answer=small.sentences[4].text)
    (whole,) = QSGenHierarchy().pairs(make(tree))
    assert whole.document.text == small.text
    for task in (QSGenHierarchy(aligned=True), QSGenChildren(aligned=True)):
        (lesson,) = task.pairs(make({**tree, "children": [node("2", answer="")]}))
        assert [section.title for section in lesson.document.walk()] == ["Rivers", "Floods"]
        assert lesson.document.sentences[0].text == small.sentences[4].text
    (nothing,) = QSGenHierarchy(aligned=True).pairs(make(node("1", answer="Xylophones!")))
    assert nothing.document.text == small.text


def test_examples_without_questions(make, small) -> None:
    assert not list(QSGenHierarchy().pairs(make()))
    with pytest.raises(LongsumError, match="no question trees"):
        list(QSGenHierarchy().pairs(Example("", small, ("",), "train", "", {})))


def test_follow_up_questions_are_below_the_question_they_follow(make) -> None:
    first, second = QSGenChildren().pairs(make(FIGURE_1))
    found = follow_up_tree(first.question, first.pieces)
    assert found == tree_from_json([node("1", node("1.1", answer=""), node("1.2", answer=""))])
    assert follow_up_tree("No mark", ()) == tree_from_json(
        [{"question": "No mark", "answer": "", "children": []}]
    )
    assert follow_up_tree(second.question, second.pieces).depth == 2
