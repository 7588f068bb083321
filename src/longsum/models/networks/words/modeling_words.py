"""What word-level models share as Hugging Face models: teacher forcing and search."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from longsum.models.networks.base import LongsumModel
from longsum.models.networks.words.beam import Hypothesis, beam_search
from longsum.models.networks.words.configuration_words import WordModelConfig
from longsum.models.networks.words.vocabulary import PAD, START, STOP, UNK
from longsum.models.networks.words.word_loss import IGNORED

Tensors = TypeVar("Tensors", bound=NamedTuple)


class WordModel(LongsumModel, ABC):
    """An encoder–decoder over words of a vocabulary.

    A subclass encodes a source and runs `step`; both keep their tensors in named tuples.
    """

    config: WordModelConfig

    @abstractmethod
    def step(self, words: Tensor, state: Any, source: Any) -> tuple[Tensor, Any]:
        """Feed one word to each hypothesis.

        Args:
            words: The last word of each, `[k]`; extended ids where the model copies.
            state: State of the decoder after the words before them.
            source: The encoded source, once for each hypothesis.

        Returns:
            Log-probabilities of the next word, `[k, V]` or `[k, V + O]`, and the next state.
        """

    def search(self, source: Any, state: Any, *, min_tokens: int, max_tokens: int) -> Hypothesis:
        """Write a text for one source by beam search.

        Padding, start and unknown words are never written, since they tell a reader nothing. The
        official code of See et al. writes them.

        Args:
            source: The encoded source, a batch of one.
            state: The first state of the decoder.
            min_tokens: Minimum number of words.
            max_tokens: Maximum number of words.
        """

        def step(words: Tensor, state: Any) -> tuple[Tensor, Any]:
            scores, state = self.step(words.to(self.device), state, repeated(source, len(words)))
            scores[:, [PAD, UNK, START]] = -torch.inf
            return scores, state

        with torch.inference_mode():
            return beam_search(
                step,
                state,
                selected,
                start=START,
                stop=STOP,
                beams=self.config.beams,
                min_tokens=min_tokens,
                max_tokens=max_tokens,
            )

    def known(self, ids: Tensor) -> Tensor:
        """Return extended ids as ids of the vocabulary, with `UNK` for words that it lacks."""
        return ids.masked_fill(ids >= self.config.vocab_size, UNK)

    def decoder_inputs(self, labels: Tensor) -> Tensor:
        """Return what the decoder reads to predict labels: `START`, then all but the last.

        Args:
            labels: Extended ids of targets, or `IGNORED`, `[b, t]`.

        Returns:
            Ids of the vocabulary, padded with `PAD`, `[b, t]`.
        """
        shifted = F.pad(labels[:, :-1], (1, 0), value=START)
        return self.known(shifted).masked_fill(shifted == IGNORED, PAD)


def repeated(source: Tensors, times: int) -> Tensors:
    """Return one encoded source once for each of several hypotheses, without copying it."""
    return type(source)(*(part.expand(times, *part.shape[1:]) for part in source))


def selected(state: Tensors, rows: Tensor) -> Tensors:
    """Return the decoder states of some hypotheses."""
    return type(state)(*(part[rows] for part in state))
