"""Each question of a document is an example of its own."""

import pytest

from longsum.common.errors import LongsumError
from longsum.documents import DocumentBuilder
from longsum.documents.model import Source
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.question_sets import asked_questions


def _example(source: str, **extra: object) -> Example:
    builder = DocumentBuilder()
    builder.paragraph("The port closed in May. It was old.")
    document = builder.build(source=Source("port.txt", source))
    return Example("port", document, ("The whole.",), "validation", "CC0-1.0", extra)


def _node(question: str, answer: str, *children: dict) -> dict:
    return {"question": question, "answer": answer, "children": list(children)}


def test_a_question_of_several_trees_has_several_answers() -> None:
    trees = [
        _node("What?", "It closed.", _node("When?", "In May.")),
        _node("What?", "The port closed.", _node("Why?", "It was old.")),
    ]
    found = list(asked_questions([_example("squality_questions", questions=trees)]))
    assert [(item.id, item.question, item.references) for item in found] == [
        ("port#1", "What?", ("It closed.", "The port closed.")),
        ("port#2", "When?", ("In May.",)),
        ("port#3", "Why?", ("It was old.",)),
    ]
    assert {item.document.text for item in found} == {"The port closed in May. It was old."}


def test_a_set_without_questions_is_refused() -> None:
    with pytest.raises(LongsumError, match="no question trees"):
        list(asked_questions([_example("pmc_jats")]))
