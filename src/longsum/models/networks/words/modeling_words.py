"""What word-level models share as Hugging Face models: teacher forcing and search."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from longsum.models.networks.base import LongsumModel
from longsum.models.networks.words.configuration_words import WordModelConfig
from longsum.models.networks.words.vocabulary import PAD, START, STOP, UNK
from longsum.models.networks.words.word_loss import IGNORED

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text and its score.

    Attributes:
        tokens: Its ids, without the start and the end.
        score: Mean log-probability of its tokens, including the end if it has been written.
        ended: Whether it has.
    """

    tokens: tuple[int, ...]
    score: float
    ended: bool


@dataclass(frozen=True, slots=True)
class _Live:
    tokens: tuple[int, ...]
    total: float
    row: int


def beam_search(
    step: Callable[[Tensor, State], tuple[Tensor, State]],
    state: State,
    select: Callable[[State, Tensor], State],
    *,
    start: int,
    stop: int,
    beams: int,
    min_tokens: int,
    max_tokens: int,
) -> Hypothesis:
    """Return the best text found by beam search.

    Each hypothesis is extended by its 2 × `beams` best tokens, and the best `beams` of all
    unfinished ones are kept. One that ends before it has `min_tokens` is discarded. The search
    stops once as many hypotheses have ended as there are beams, or at `max_tokens`; the best mean
    log-probability wins, and an unfinished hypothesis counts only if none has ended. The mean is
    over the tokens written; the official code counts the start among them.

    Args:
        step: Maps the last tokens, `[k]`, and the state to log-probabilities, `[k, V]`, and the
            next state.
        state: The first state, a batch of one.
        select: Returns the state of some rows, `[k]`.
        start: The token that starts a text.
        stop: The token that ends it.
        beams: Number of hypotheses kept at each step.
        min_tokens: Minimum number of tokens, not counting the end.
        max_tokens: Maximum number of tokens, not counting the end.
    """
    live = [_Live((), 0.0, 0)]
    ended: list[Hypothesis] = []
    for length in range(max_tokens + 1):
        last = torch.tensor([found.tokens[-1] if found.tokens else start for found in live])
        log_probabilities, state = step(last, state)
        following: list[_Live] = []
        for candidate in _continued(live, log_probabilities, 2 * beams):
            if candidate.tokens[-1] == stop:
                if length >= min_tokens:
                    score = candidate.total / len(candidate.tokens)
                    ended.append(Hypothesis(candidate.tokens[:-1], score, ended=True))
            elif length < max_tokens:
                following.append(candidate)
            if len(following) == beams or len(ended) == beams:
                break
        if not following or len(ended) == beams:
            break
        live = following
        state = select(state, torch.tensor([found.row for found in live]))
    # Both lists are in the order in which hypotheses were found, which breaks ties.
    unended = [
        Hypothesis(found.tokens, found.total / max(len(found.tokens), 1), ended=False)
        for found in live
    ]
    return max(ended or unended, key=lambda found: found.score)


def _continued(live: list[_Live], log_probabilities: Tensor, count: int) -> list[_Live]:
    """Return the continuations of all hypotheses, most probable first."""
    best = log_probabilities.topk(min(count, log_probabilities.shape[-1]), dim=-1)
    found = [
        _Live((*hypothesis.tokens, token), hypothesis.total + gain, row)
        for row, (hypothesis, gains, tokens) in enumerate(
            zip(live, best.values.tolist(), best.indices.tolist(), strict=True)
        )
        for gain, token in zip(gains, tokens, strict=True)
    ]
    return sorted(found, key=lambda candidate: -candidate.total)


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
