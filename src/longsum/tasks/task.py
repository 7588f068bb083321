"""What a system learns from an example: pairs of a document to read and a text to write."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from longsum.datasets.example import Example
from longsum.documents.model import Document


@dataclass(frozen=True, slots=True)
class Pair:
    """One lesson.

    Attributes:
        document: What is read.
        target: What is to be written.
    """

    document: Document
    target: str


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
