"""What is asked of a tree of questions and summaries, and of whatever makes one (HIBRIDS, §4)."""

from dataclasses import dataclass
from typing import Protocol

from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.summaries import Budget
from longsum.summaries.question_summary import QuestionSummary


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """What is asked of a tree.

    Attributes:
        budget: The most that each node's summary may hold.
        depth: The most levels, the root's included; None for all.
        question: What the reader asks of the document; the root is then this question.

    Raises:
        LongsumError: The depth leaves nothing, or the question is empty.
    """

    budget: Budget
    depth: int | None = None
    question: str | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise LongsumError(
                f"A tree of depth {self.depth} holds nothing; give 1 for the document alone, "
                "2 for its sections too, or more."
            )
        if self.question is not None and not self.question.strip():
            raise LongsumError("The question is empty; ask something, or leave it out.")


class QuestionTreeMaker(Protocol):
    """Whatever makes a tree of questions and summaries of a document."""

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        """Make the tree.

        Raises:
            LongsumError: What is asked cannot be had of this maker.
        """
        ...
