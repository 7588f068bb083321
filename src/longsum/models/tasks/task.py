"""What a system learns from a document: pairs of a source to read and a text to generate."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from longsum.core.questions.linearisation import Mark
from longsum.documents.model import Document
from longsum.evaluation.datasets.info import Example
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True)
class Pair:
    """One training example.

    Attributes:
        document: The source to read.
        target: The text to generate.
        question: The text before the document: a question, or a question and its answer; empty for
            neither.
        pieces: The target as texts and marks, which become special tokens; empty if it is plain
            text.
    """

    document: Document
    target: str
    question: str = ""
    pieces: tuple[Mark | str, ...] = ()


class Task(Protocol):
    """Makes training examples from a document with its summaries."""

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield the training examples of a document, possibly none."""
        ...


@dataclass(frozen=True, slots=True)
class Summarization:
    """The whole document against its first reference summary."""

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield the document and its first reference."""
        yield Pair(example.document, example.references[0])


def words_in(document: Document, places: Iterable[int]) -> int:
    """Return the number of words of some sentences of a document."""
    return sum(count_words(document.sentences[place].text) for place in places)
