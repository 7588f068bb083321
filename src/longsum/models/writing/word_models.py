"""Word-level models as writers: the pointer-generator network (MLS, §2.1), and convolutions."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.core.summaries import Budget
from longsum.models.networks.convolutional import LongsumConvolutional
from longsum.models.networks.pointer import LongsumPointerGenerator
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.writing.budgeting import MIN_SHARE, TokenRange
from longsum.models.writing.words import WordReading, WordWriter, by_sentence
from longsum.models.writing.writer import Writing


class PointerWriter(WordWriter):
    """Reads and writes with a pointer-generator network and its vocabulary.

    Its texts have the length that it was trained to write; a shorter budget truncates them after a
    sentence, and `LengthControlled` brings them to any length. The sources of a sentence are found
    by its words and by where the network copied them from.
    """

    model_class = LongsumPointerGenerator

    def __init__(self, model: Any, vocabulary: Vocabulary) -> None:
        super().__init__(model, vocabulary)
        self.own_length = Budget(model.config.max_target_tokens)

    @property
    def generation(self) -> dict[str, Any]:
        """The settings of the search, and whether attention coverage is used."""
        config = self.model.config
        own = {name: getattr(config, name) for name in ("min_target_tokens", "coverage")}
        return {**super().generation, **own}

    def encoded(self, ids: torch.Tensor, extended: torch.Tensor) -> tuple[torch.Tensor, Any, Any]:
        """Encode a source; the decoder starts from the encoder's final state."""
        encoded, state = self.model.read(ids, extended)
        return encoded.states, encoded, state

    def write(self, reading: WordReading, length: TokenRange, seed: int) -> Writing:  # noqa: ARG002
        """Write a text of the network's own length, truncated to the maximum; deterministic."""
        config = self.model.config
        maximum = min(length.maximum, config.max_target_tokens)
        best = self.model.search(
            reading.encoded,
            reading.state,
            min_tokens=min(config.min_target_tokens, maximum),
            max_tokens=maximum,
        )
        return self.writing(best.tokens, reading.source, ended=best.ended)

    def mass(self, reading: WordReading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return how much of each word was copied from each sentence, `[t, sentences + 1]`.

        It is (1 − p_gen) a^t, summed by sentence.
        """
        labels = sequence[None, 1:].to(self.model.device)
        with torch.inference_mode():
            steps = self.model.steps(reading.encoded, reading.state, labels)
        copied = steps.attention[0] * (1 - steps.generate[0].float().sigmoid())[:, None]
        return by_sentence(copied, reading.sentence_of)


class ConvolutionalWriter(WordWriter):
    """Reads and writes with a convolutional encoder–decoder and its vocabulary.

    The network is conditioned on the budget's length and ends its texts itself; longer texts are
    truncated after a sentence. It writes no word outside its vocabulary.
    """

    model_class = LongsumConvolutional

    def encoded(
        self,
        ids: torch.Tensor,
        extended: torch.Tensor,  # noqa: ARG002
    ) -> tuple[torch.Tensor, Any, Any]:
        """Encode a source; the decoder's initial state depends on the length alone."""
        encoded = self.model.encoder(ids)
        return encoded.values, encoded, None

    def write(self, reading: WordReading, length: TokenRange, seed: int) -> Writing:  # noqa: ARG002
        """Write a text of about the requested length, recovered from the range; deterministic."""
        maximum = min(length.maximum, self.model.config.max_target_tokens)
        target = min(max(round(length.minimum / MIN_SHARE), 1), maximum)
        best = self.model.search(
            reading.encoded,
            self._start(target),
            min_tokens=min(length.minimum, maximum),
            max_tokens=maximum,
        )
        return self.writing(best.tokens, reading.source, ended=best.ended)

    def mass(self, reading: WordReading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return the attention from each word to each source sentence, over all layers.

        It is recomputed for the actual length of `sequence`, not for the length requested of it.
        """
        labels = sequence[None, 1:].to(self.model.device)
        state = self._start(labels.shape[1])
        with torch.inference_mode():
            _, attention = self.model.steps(reading.encoded, state, labels)
        return by_sentence(attention[0], reading.sentence_of)

    def _start(self, length: int) -> Any:
        return self.model.decoder.start(torch.tensor([length], device=self.model.device))
