"""The pointer-generator network as a writer, of the prototype of MLS (§2.1)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.documents.model import Document
from longsum.models.pointer import LongsumPointerGenerator
from longsum.models.pointer.pointer_layers import DecoderState, EncodedSource
from longsum.models.words.vocabulary import Vocabulary
from longsum.summaries import Budget
from longsum.systems.abstractive.budgeting import TokenRange
from longsum.systems.abstractive.words import (
    WordReading,
    WordWriter,
    by_sentence,
)
from longsum.systems.abstractive.writer import Reading, Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerReading(WordReading):
    """A document as the network has read it.

    Attributes:
        encoded: What the decoder attends to.
        state: What the decoder starts from.
    """

    encoded: EncodedSource
    state: DecoderState


class PointerWriter(WordWriter):
    """Reads and writes with a pointer-generator network and its vocabulary.

    Its texts are as long as it was trained to write them; a shorter budget cuts them after a
    sentence, and `LengthControlled` makes any length of them. The sources of a sentence are found
    by its words and by where the network copied them from.
    """

    model_class = LongsumPointerGenerator

    def __init__(self, model: Any, vocabulary: Vocabulary) -> None:
        super().__init__(model, vocabulary)
        self.own_length = Budget(model.config.max_target_tokens)

    @property
    def generation(self) -> dict[str, Any]:
        """The settings of the search, and whether attention is covered."""
        config = self.model.config
        own = {name: getattr(config, name) for name in ("min_target_tokens", "coverage")}
        return {**super().generation, **own}

    def read(self, document: Document, question: str = "") -> Reading:  # noqa: ARG002
        """Encode a document."""
        read = self.beginning(document)
        source = self.vocabulary.source(read.tokens)
        ids, extended = self.row(source.ids), self.row(source.extended)
        with torch.inference_mode():
            encoded, state = self.model.read(ids, extended)
        return PointerReading(
            ids,
            encoded.states,
            np.array(read.sentence_of, dtype=np.int32),
            read.whole,
            source=source,
            encoded=encoded,
            state=state,
        )

    def write(self, reading: Reading, length: TokenRange, seed: int) -> Writing:  # noqa: ARG002
        """Write a text of the network's own length, at most as long as asked for.

        Nothing is random.
        """
        config = self.model.config
        found = _pointer(reading)
        most = min(length.most, config.max_target_tokens)
        best = self.model.search(
            found.encoded,
            found.state,
            min_tokens=min(config.min_target_tokens, most),
            max_tokens=most,
        )
        return self.told(best.tokens, found.source, ended=best.ended)

    def mass(self, reading: Reading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return how much of each word was copied from each sentence, `[t, sentences + 1]`.

        It is (1 − p_gen) a^t, added up by sentence.
        """
        found = _pointer(reading)
        labels = sequence[None, 1:].to(self.model.device)
        with torch.inference_mode():
            steps = self.model.steps(found.encoded, found.state, labels)
        copied = steps.attention[0] * (1 - steps.generate[0].float().sigmoid())[:, None]
        return by_sentence(copied, reading.sentence_of)


def _pointer(reading: Reading) -> PointerReading:
    assert isinstance(reading, PointerReading)
    return reading
