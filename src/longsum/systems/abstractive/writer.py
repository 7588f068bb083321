"""What reads documents and writes texts with a model."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.documents.model import Document
from longsum.models.folders import ModelFolder
from longsum.summaries import Budget
from longsum.summaries.importance import Importance
from longsum.systems.abstractive.budgeting import TokenRange
from longsum.systems.abstractive.importance import Weigher
from longsum.tasks.source import EncodedSource, SourceFormat


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as the model has read it.

    Attributes:
        ids: Source tokens, `[1, n]`.
        states: Encoder states, `[1, n, D]`.
        sentence_of: Sentence of each token, `[n]`, or `NOWHERE`.
        sentences_read: Sentences that were read whole, the first of the document.
        sections: What the model is told of sections: `section_of`, `[1, n]`, and
            `section_parents`, `[1, S]`, as in `EncodedSource`; empty where it is told nothing.
        importance: The importance of the document's parts, where the model is told that.
    """

    ids: torch.Tensor
    states: torch.Tensor
    sentence_of: NDArray[np.int32]
    sentences_read: int
    sections: Mapping[str, torch.Tensor] = field(default_factory=dict)
    importance: Importance | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """What the model wrote.

    Attributes:
        sequence: Token ids `[t + 1]`, the token that starts the text included.
        sentences: Its sentences, on one line each.
        tokens: Of each sentence the place of its first token among the t, and the place after its
            last.
        unfinished: Whether the last sentence was broken off.
    """

    sequence: torch.Tensor
    sentences: tuple[str, ...]
    tokens: tuple[tuple[int, int], ...]
    unfinished: bool


class Writer(ABC):
    """Reads a document and writes a text; one document at a time.

    Attributes:
        name: What the model is called.
        folder: Where it was loaded from; the settings tell the hash of its weights.
        model: The model, in evaluation mode.
        form: How a source is laid out.
        limit: The most tokens of a text; None where the model states no limit.
        prefix: Text before the source.
        weigher: What tells the model how important its tokens are, where it is told that.
        own_length: A length that no text of the model exceeds, of one that writes the length it was
            trained to write, whatever is asked for.
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
        """The settings of generation, lengths aside."""

    @abstractmethod
    def count(self, text: str) -> int:
        """Return how many tokens a text takes."""

    @abstractmethod
    def encode(self, document: Document, question: str = "") -> EncodedSource:
        """Lay out a document as tokens, and what is asked about it."""

    @abstractmethod
    def read(self, document: Document, question: str = "") -> Reading:
        """Encode a document, and what is asked about it."""

    @abstractmethod
    def write(self, reading: Reading, length: TokenRange, seed: int) -> Writing:
        """Write a text; the same seed gives the same text."""

    @abstractmethod
    def mass(self, reading: Reading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return the attention that each sentence drew from each token, `[t, sentences + 1]`.

        The last column is the attention to what is no sentence. None where the model gives none.
        """
