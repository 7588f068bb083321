"""The options of trees of questions and summaries, and the makers' interface (HIBRIDS, §4)."""

from dataclasses import dataclass
from typing import Protocol

from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget
from longsum.core.summaries.question_summary import QuestionSummary
from longsum.documents.builder import clean
from longsum.documents.model import Document


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """Options of a tree.

    Attributes:
        budget: Maximum length of each node's summary.
        depth: Maximum number of levels, including the root; None for all.
        question: A question about the document, which becomes the root.

    Raises:
        LongsumError: The depth is below 1, or the question is empty.
    """

    budget: Budget
    depth: int | None = None
    question: str | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise LongsumError(
                f"A tree of depth {self.depth} is empty; give 1 for the document alone, "
                "2 for its sections too, or more."
            )
        if self.question is not None:
            object.__setattr__(self, "question", clean(self.question))
            if not self.question:
                raise LongsumError("The question is empty; ask something, or leave it out.")


class QuestionTreeMaker(Protocol):
    """Makes a tree of questions and summaries of a document."""

    @property
    def needs_question(self) -> bool:
        """Whether it makes a tree only for a given question."""
        ...

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        """Make the tree.

        Raises:
            LongsumError: The maker does not support these options.
        """
        ...
