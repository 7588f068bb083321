"""What a system learns from an example: pairs of a document to read and a text to write."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from longsum.datasets.example import Example
from longsum.documents.model import Document
from longsum.questions.linearisation import Mark


@dataclass(frozen=True, slots=True)
class Pair:
    """One lesson.

    Attributes:
        document: What is read.
        target: What is to be written.
        question: What stands before the document: a question, or a question and its answer; empty
            for neither.
        pieces: The target as texts and marks, which become special tokens; empty where it is text
            alone.
    """

    document: Document
    target: str
    question: str = ""
    pieces: tuple[Mark | str, ...] = ()


class Task(Protocol):
    """Makes lessons of an example."""

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield the lessons of an example; there may be none."""
        ...


@dataclass(frozen=True, slots=True)
class Summarization:
    """The whole document against its first reference summary."""

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield the one lesson of an example."""
        yield Pair(example.document, example.references[0])
