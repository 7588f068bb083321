"""A lesson that begins with a question, or whose target is more than text."""

from dataclasses import dataclass

from longsum.questions.linear import Mark
from longsum.tasks.task import Pair


@dataclass(frozen=True, slots=True)
class QuestionPair(Pair):
    """A lesson with a question.

    Attributes:
        question: What stands before the document: a question, or a question and its answer; empty
            for neither.
        pieces: The target as texts and marks, which become special tokens; empty where it is text
            alone.
    """

    question: str = ""
    pieces: tuple[Mark | str, ...] = ()
