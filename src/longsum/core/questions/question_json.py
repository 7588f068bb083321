"""Question trees as JSON values, in data sets and files."""

from collections.abc import Mapping
from typing import Any

from longsum.common.errors import LongsumError
from longsum.core.questions.question_tree import Question, QuestionTree

DEEPEST_LEVEL = 32
"""Questions may not nest deeper, so that hostile input cannot recurse deeply."""

_FIELDS = {"question", "answer", "children", "paragraphs", "sections"}


def tree_to_json(tree: QuestionTree) -> list[dict[str, Any]]:
    """Return the questions of the first level, each with its answer and its children."""
    return [_to_json(question) for question in tree.questions]


def tree_from_json(value: Any) -> QuestionTree:
    """Read a tree of questions.

    Args:
        value: The output of `tree_to_json`, or one of its entries for a tree with a single root.
            `children` may be absent. References to the document in `paragraphs` or `sections` are
            ignored.

    Raises:
        LongsumError: The value has another form.
    """
    questions = [value] if isinstance(value, Mapping) else _list(value, "a tree")
    return QuestionTree(tuple(_from_json(each, 1) for each in questions))


def _to_json(question: Question) -> dict[str, Any]:
    return {
        "question": question.question,
        "answer": question.answer,
        "children": [_to_json(child) for child in question.children],
    }


def _from_json(value: Any, level: int) -> Question:
    if not isinstance(value, Mapping):
        raise _wrong("a question is not an object")
    if unknown := sorted(map(str, value.keys() - _FIELDS)):
        raise _wrong(f"a question has the unknown field '{unknown[0]}'")
    if level > DEEPEST_LEVEL:
        raise _wrong(f"questions nest deeper than {DEEPEST_LEVEL} levels")
    children = _list(value.get("children", []), "'children'")
    return Question(
        question=_text(value, "question"),
        answer=_text(value, "answer"),
        children=tuple(_from_json(child, level + 1) for child in children),
    )


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise _wrong(f"'{name}' is missing or not text")
    return text


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise _wrong(f"{what} is not a list")
    return value


def _wrong(why: str) -> LongsumError:
    return LongsumError(
        f"This tree of questions cannot be read: {why}; a question is an object with 'question', "
        "'answer' and 'children'."
    )
