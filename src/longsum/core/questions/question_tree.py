"""A hierarchy of questions, each with a summary that answers it (HIBRIDS, §4)."""

from collections.abc import Iterator
from dataclasses import dataclass

ROOT = -1
"""The virtual parent of the questions on the first level."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its answer, and the questions that follow from the answer.

    Attributes:
        question: The question.
        answer: The summary that answers it.
        children: Questions about what the answer says.
    """

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
