"""The convolutional encoder–decoder as a writer, baseline A3 of MLS (§3): it is told a length."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.documents.model import Document
from longsum.models.convolutional import LongsumConvolutional
from longsum.models.convolutional.convolutional_layers import EncodedSource
from longsum.systems.abstractive.budgeting import LEAST, TokenRange
from longsum.systems.abstractive.words import (
    WordReading,
    WordWriter,
    by_sentence,
)
from longsum.systems.abstractive.writer import Reading, Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvolutionalReading(WordReading):
    """A document as the network has read it.

    Attributes:
        encoded: What the decoder attends to.
    """

    encoded: EncodedSource


class ConvolutionalWriter(WordWriter):
    """Reads and writes with a convolutional encoder–decoder and its vocabulary.

    It is told the budget's length and ends its texts itself; what is longer is cut after a
    sentence. It writes no word that its vocabulary lacks.
    """

    model_class = LongsumConvolutional

    def read(self, document: Document, question: str = "") -> Reading:  # noqa: ARG002
        """Encode a document."""
        read = self.beginning(document)
        source = self.vocabulary.source(read.tokens)
        ids = self.row(source.ids)
        with torch.inference_mode():
            encoded = self.model.encoder(ids)
        return ConvolutionalReading(
            ids,
            encoded.values,
            np.array(read.sentence_of, dtype=np.int32),
            read.whole,
            source=source,
            encoded=encoded,
        )

    def write(self, reading: Reading, length: TokenRange, seed: int) -> Writing:  # noqa: ARG002
        """Write a text of about the length asked for.

        Nothing is random. A range of lengths lies around the budget as `token_range` says.
        """
        found = _convolutional(reading)
        most = min(length.most, self.model.config.max_target_tokens)
        asked = min(max(round(length.least / LEAST), 1), most)
        best = self.model.search(
            found.encoded, self._start(asked), min_tokens=min(length.least, most), max_tokens=most
        )
        return self.told(best.tokens, found.source, ended=best.ended)

    def mass(self, reading: Reading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return the attention that each source sentence drew from each word, over all layers.

        It is computed anew, for a text of the length that `sequence` has and not that it was
        asked to have.
        """
        labels = sequence[None, 1:].to(self.model.device)
        state = self._start(labels.shape[1])
        with torch.inference_mode():
            _, attention = self.model.steps(_convolutional(reading).encoded, state, labels)
        return by_sentence(attention[0], reading.sentence_of)

    def _start(self, length: int) -> Any:
        return self.model.decoder.start(torch.tensor([length], device=self.model.device))


def _convolutional(reading: Reading) -> ConvolutionalReading:
    assert isinstance(reading, ConvolutionalReading)
    return reading
