"""Models that read documents and write texts, and what all texts of a document share."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.core.grounding.given_text import Grounding
from longsum.core.model_files.folders import ModelFolder
from longsum.core.summaries import Budget, Notice
from longsum.core.summaries.summary import Importance
from longsum.documents.model import Document
from longsum.language.characters import clean
from longsum.language.sentences import split_sentences
from longsum.models.tasks.source import EncodedSource, SourceFormat
from longsum.models.writing.budgeting import Pace, TokenRange, pace
from longsum.models.writing.importance import Weigher


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A document as encoded by a model.

    Attributes:
        ids: Source tokens, `[1, n]`.
        states: Encoder states, `[1, n, D]`.
        sentence_of: Sentence of each token, `[n]`, or `NOWHERE`.
        sentences_read: Number of sentences that were read completely, from the first.
        sections: Section inputs of the model: `section_of`, `[1, n]`, and `section_parents`,
            `[1, S]`, as in `EncodedSource`; empty for a model without them.
        importance: The importance of the document's parts, for a model that is conditioned on it.
    """

    ids: torch.Tensor
    states: torch.Tensor
    sentence_of: NDArray[np.int32]
    sentences_read: int
    sections: Mapping[str, torch.Tensor] = field(default_factory=dict)
    importance: Importance | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """A generated text.

    Attributes:
        sequence: Token ids `[t + 1]`, including the start token.
        sentences: Its sentences, on one line each.
        tokens: For each sentence, the index of its first token among the t, and the index after its
            last.
        unfinished: Whether the last sentence is incomplete.
    """

    sequence: torch.Tensor
    sentences: tuple[str, ...]
    tokens: tuple[tuple[int, int], ...]
    unfinished: bool


ReadingT = TypeVar("ReadingT", bound=ReadSource)


class Writer(ABC, Generic[ReadingT]):
    """Reads a document and writes a text; one document at a time.

    Attributes:
        name: Name of the model.
        folder: Where it was loaded from; the settings include the hash of its weights.
        model: The model, in evaluation mode.
        form: Format of a source.
        limit: Maximum number of tokens of a text; None if the model states no limit.
        prefix: Text before the source.
        weigher: Computes token importance, for a model that is conditioned on it.
        own_length: Maximum length of the texts of a model that writes the length it was trained on
            regardless of the budget; None if it follows the budget.
    """

    name: str = "model"
    folder: ModelFolder | None = None
    model: Any
    form: SourceFormat
    limit: int | None
    prefix: str = ""
    weigher: Weigher | None = None
    own_length: Budget | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The model, what it reads, and how it generates."""
        folder = self.folder
        identity = {"model": folder.name, "weights_sha256": folder.weights_sha256} if folder else {}
        return {
            **identity,
            "dtype": str(self.model.dtype).removeprefix("torch."),
            "source_tokens": self.form.tokens,
            "marks": self.form.marks,
            **({"prefix": self.prefix} if self.prefix else {}),
            **({"weights": self.weigher.settings} if self.weigher else {}),
            "generation": self.generation,
        }

    @property
    @abstractmethod
    def generation(self) -> dict[str, Any]:
        """The settings of generation, except lengths."""

    @abstractmethod
    def count(self, text: str) -> int:
        """Return the number of tokens in a text."""

    @abstractmethod
    def encode(self, document: Document, question: str = "") -> EncodedSource:
        """Tokenize a document, after a question if there is one."""

    @abstractmethod
    def read(self, document: Document, question: str = "") -> ReadingT:
        """Encode a document with the model, after a question if there is one."""

    @abstractmethod
    def write(self, reading: ReadingT, length: TokenRange, seed: int) -> Writing:
        """Write a text; the same seed gives the same text."""

    @abstractmethod
    def mass(self, reading: ReadingT, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return the attention from each token to each source sentence, `[t, sentences + 1]`.

        The last column is the attention to tokens outside any sentence. None if the model returns
        no attention.
        """


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text's sentences, without those that contain nothing readable."""
    return [(start, end) for start, end in split_sentences(text) if clean(text[start:end])]


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document with its encoding by a model.

    Attributes:
        document: The document.
        reading: The model's encoding.
        pace: Its average token counts.
        grounding: Finds the sources of written sentences among those read, and checks them.
        seconds: Time taken to prepare all of this.
    """

    document: Document
    reading: ReadSource
    pace: Pace
    grounding: Grounding
    seconds: float

    @classmethod
    def by(cls, writer: Writer[Any], document: Document, question: str = "") -> "ReadDocument":
        """Read a document with a writer, after a question if there is one."""
        began = perf_counter()
        reading = writer.read(document, question)
        reached = int(reading.sentence_of.max(initial=-1)) + 1
        return cls(
            document,
            reading,
            pace_of(document, reading.sentence_of),
            Grounding(document, reached),
            perf_counter() - began,
        )

    def unread(self, limit: int) -> Iterator[Notice]:
        """Yield a notice if the document exceeds the model's limit, in tokens."""
        total, read = len(self.document.sentences), self.reading.sentences_read
        if read < total:
            yield Notice(
                "reading",
                f"The model can read at most {limit:,} tokens, here the first {read:,} of "
                f"{total:,} sentences; the rest was not read.",
            )


def pace_of(document: Document, sentence_of: NDArray[np.int32]) -> Pace:
    """Return the average token counts over the encoded part of a document.

    `sentence_of` is the sentence of each token, `[n]`, or `NOWHERE`.
    """
    known = sentence_of[sentence_of >= 0]
    last = int(known.max(initial=0))
    # The last sentence may be truncated, so it is left out unless it is the only one.
    whole = known[known < last] if last else known
    texts = [sentence.text for sentence in document.sentences[: max(last, 1)]]
    return pace(texts, max(len(whole), 1))
