"""The convolutional encoder–decoder as a writer with length control, baseline A3 of MLS (§3)."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.models.networks.convolutional import LongsumConvolutional
from longsum.models.writing.budgeting import MIN_SHARE, TokenRange
from longsum.models.writing.words import WordReading, WordWriter, by_sentence
from longsum.models.writing.writer import Writing


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
