"""Trees of questions, and their JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from longsum.common.errors import LongsumError

ROOT = -1
"""The virtual parent of the questions on the first level."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its answer, and the questions that follow from the answer."""

    question: str
    answer: str
    children: tuple["Question", ...] = ()

    def walk(self, level: int = 1) -> Iterator[tuple[int, "Question"]]:
        """Yield this question and its descendants, depth first, each with its level."""
        pending = [(level, self)]
        while pending:
            depth, question = pending.pop()
            yield depth, question
            pending.extend((depth + 1, child) for child in reversed(question.children))


@dataclass(frozen=True, slots=True)
class QuestionTree:
    """Questions of the first level, and all that follow from them."""

    questions: tuple[Question, ...]

    def walk(self) -> Iterator[tuple[int, Question]]:
        """Yield all questions depth first, each with its level, from 1."""
        for question in self.questions:
            yield from question.walk()

    def parents(self) -> list[int]:
        """Return the position of each question's parent in `walk`; `ROOT` on the first level.

        Positions distinguish questions with the same text.
        """
        found: list[int] = []
        path: list[int] = []
        for place, (level, _) in enumerate(self.walk()):
            del path[level - 1 :]
            found.append(path[-1] if path else ROOT)
            path.append(place)
        return found

    def __len__(self) -> int:
        return sum(1 for _ in self.walk())

    @property
    def depth(self) -> int:
        """The deepest level; 0 without questions."""
        return max((level for level, _ in self.walk()), default=0)


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
