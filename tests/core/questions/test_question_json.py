import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.core.questions.question_tree import (
    DEEPEST_LEVEL,
    Question,
    QuestionTree,
    tree_from_json,
    tree_to_json,
)

texts = st.text(max_size=8)
questions = st.recursive(
    st.builds(Question, texts, texts),
    lambda children: st.builds(Question, texts, texts, st.lists(children, max_size=3).map(tuple)),
    max_leaves=8,
)


@given(st.lists(questions, max_size=3))
def test_every_tree_comes_back(tops: list[Question]) -> None:
    tree = QuestionTree(tuple(tops))
    assert tree_from_json(json.loads(json.dumps(tree_to_json(tree)))) == tree


def test_optional_fields() -> None:
    lone = {"question": "Why?", "answer": "So.", "paragraphs": [[0, 2]], "sections": [1]}
    assert tree_from_json(lone) == tree_from_json([lone])
    assert tree_from_json(lone) == QuestionTree((Question("Why?", "So."),))


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("Why?", "a tree is not a list"),
        (["Why?"], "a question is not an object"),
        ([{"question": "Why?"}], "'answer' is missing"),
        ([{"question": 3, "answer": ""}], "'question' is missing or not text"),
        ([{"question": "", "answer": "", "children": {}}], "'children' is not a list"),
        ([{"question": "", "answer": "", "child_questions": []}], "unknown field 'child_questions"),
    ],
)
def test_invalid_json_is_refused(value, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        tree_from_json(value)


def test_endless_nesting_is_refused() -> None:
    value = {"question": "", "answer": ""}
    for _ in range(DEEPEST_LEVEL - 1):
        value = {"question": "", "answer": "", "children": [value]}
    assert tree_from_json(value).depth == DEEPEST_LEVEL
    with pytest.raises(LongsumError, match="deeper than 32 levels"):
        tree_from_json({"question": "", "answer": "", "children": [value]})
