"""Generating questions about a document, and summaries that answer them (HIBRIDS, §5.1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from longsum.core.questions.linearisation import Mark, linearise, pieces
from longsum.core.questions.question_tree import Question, QuestionTree
from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.evaluation.datasets.info import Example
from longsum.evaluation.datasets.question_sets import question_trees
from longsum.models.tasks.section_alignment import aligned_sentences
from longsum.models.tasks.task import Pair

QUESTION_KINDS = ("question_hierarchy", "child_questions")
"""The kinds of task whose targets are questions, not summaries."""


@dataclass(frozen=True, slots=True)
class QSGenHierarchy:
    """A tree of questions and answers in one line, given its first question (QSGen-Hier).

    The target is "A1 <down> Q1.1 <question> A1.1 <hold> Q1.2 …": the answer to the first question
    and everything after it, including other first-level questions, as in the released code.

    Attributes:
        aligned: Whether only the sections that the answers are based on are read, under the titles
            of those above them (§4.2), and not the whole document.
        question_given: Whether the first question precedes the document; otherwise it is generated
            like the others.
    """

    aligned: bool = False
    question_given: bool = True

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield a training example for each tree of a document.

        Raises:
            LongsumError: The example's data set has no questions.
        """
        for tree in question_trees(example):
            if tree.questions:
                generated = not self.question_given
                yield Pair(
                    document=_read(tree, example.document, aligned=self.aligned),
                    target=linearise(tree, generated),
                    question="" if generated else tree.questions[0].question,
                    pieces=tuple(pieces(tree, generated)),
                )


@dataclass(frozen=True, slots=True)
class QSGenChildren:
    """The questions that directly follow up on a question and its answer (QSGen-ChildQ).

    The target is "Q1.1 <hold> Q1.2"; the mark between them is not in the paper.

    Attributes:
        aligned: As in `QSGenHierarchy`; the sections are those of the whole tree.
    """

    aligned: bool = False

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield a training example for each answered question with follow-up questions.

        Raises:
            LongsumError: The example's data set has no questions.
        """
        for tree in question_trees(example):
            document: Document | None = None
            for _, parent in tree.walk():
                children = [child.question for child in parent.children if child.question]
                if children and parent.question and parent.answer:
                    document = document or _read(tree, example.document, aligned=self.aligned)
                    mark = Mark.SAME_LEVEL
                    marked = [piece for child in children for piece in (mark, child)]
                    yield Pair(
                        document=document,
                        target=f" {mark.value} ".join(children),
                        question=f"{parent.question} {parent.answer}",
                        pieces=tuple(marked[1:]),
                    )


def follow_up_tree(above: str, pieces: Iterable[Mark | str]) -> QuestionTree:
    """Return the target of `QSGenChildren` as a tree, under the question that it follows up on.

    Args:
        above: A question and its answer, which begins after the first question mark.
        pieces: The follow-up questions, and the marks between them.
    """
    question, end, answer = above.partition("?")
    children = tuple(Question(piece, "") for piece in pieces if isinstance(piece, str))
    return QuestionTree((Question(question + end, answer.strip(), children),))


def _read(tree: QuestionTree, document: Document, *, aligned: bool) -> Document:
    """Return the part of a document to read; all of it if the answers align with no section."""
    if not aligned:
        return document
    answers = " ".join(question.answer for _, question in tree.walk())
    places = aligned_sentences(answers, document)
    return subset(document, places) if places else document
