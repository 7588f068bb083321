"""The base of word-level models: settings, likelihood of targets, teacher forcing and search.

Likelihoods are averaged as in the code of See et al. 2017.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from transformers import PreTrainedConfig

from longsum.common.errors import LongsumError
from longsum.models.networks.base import LongsumModel
from longsum.models.networks.words.vocabulary import PAD, START, STOP, UNK

_SIZES = (
    "vocab_size",
    "embedding_size",
    "hidden_size",
    "max_source_tokens",
    "max_target_tokens",
    "beams",
)


class WordModelConfig(PreTrainedConfig):
    """Settings shared by all word-level models.

    Attributes:
        vocab_size: Words of the vocabulary, including the four special tokens.
        embedding_size: Features of a word (E).
        hidden_size: Features of a state (H).
        lower_case: Whether words are lower-cased.
        max_source_tokens: Maximum number of source words.
        max_target_tokens: Maximum number of target words.
        beams: Number of beams in beam search.

    Raises:
        LongsumError: A size is not positive.
    """

    vocab_size: int = 50_000
    embedding_size: int = 128
    hidden_size: int = 256
    lower_case: bool = True
    max_source_tokens: int = 400
    max_target_tokens: int = 100
    beams: int = 4
    pad_token_id: int | None = PAD
    bos_token_id: int | None = START
    eos_token_id: int | list[int] | None = STOP

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        for name in _SIZES:
            if getattr(self, name) < 1:
                raise LongsumError(f"A word-level model needs a positive '{name}'.")


IGNORED = -100
"""The label of padding, as elsewhere in `transformers`."""


def vocabulary_log_probability(
    states: Tensor, vocabulary: nn.Module, words: int, labels: Tensor
) -> Tensor:
    """Return the log-probability of each target word under the vocabulary distribution.

    The output layer is applied only where the vocabulary has the word, since it costs most.

    Args:
        states: Inputs of the output layer, `[b, t, H]`.
        vocabulary: The output layer, from a state to the scores of V words.
        words: V.
        labels: Extended ids of the targets, or `IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; −∞ where the word is not in the vocabulary.
    """
    known = (labels >= 0) & (labels < words)
    scores = vocabulary(states[known]).float()
    log_probabilities = -F.cross_entropy(scores, labels[known], reduction="none")
    impossible = torch.full(labels.shape, -torch.inf, device=labels.device)
    return impossible.masked_scatter(known, log_probabilities)


def mean_by_target(values: Tensor, counted: Tensor) -> Tensor:
    """Return the mean over targets of the mean over each one's words, as in the official code.

    The values are `[b, t]`; only those that are `counted`, at least one per target, are included.
    """
    sums = values.masked_fill(~counted, 0.0).sum(dim=1)
    return (sums / counted.sum(dim=1)).mean()


def target_log_probability(
    generated: Tensor, attention: Tensor, generate: Tensor, extended_ids: Tensor, labels: Tensor
) -> Tensor:
    """Return the log-probability of target words that are generated or copied.

    This is Eq. 9 of See et al. 2017, without computing the whole distribution.

    Args:
        generated: The result of `vocabulary_log_probability`, `[b, t]`.
        attention: a^t, `[b, t, n]`.
        generate: Logit of p_gen, `[b, t]`.
        extended_ids: Extended ids of the sources, `[b, n]`.
        labels: Extended ids of the targets, or `IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; undefined at ignored places.
    """
    matches = extended_ids[:, None] == labels[..., None]
    copied = (attention * matches).sum(dim=-1).clamp_min(torch.finfo(torch.float32).tiny).log()
    generate = generate.float()
    return torch.logaddexp(F.logsigmoid(generate) + generated, F.logsigmoid(-generate) + copied)


Tensors = TypeVar("Tensors", bound=NamedTuple)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text and its score.

    Attributes:
        tokens: The ids, without the start and the end.
        score: Mean log-probability of its tokens, including the end if it has been written.
        ended: Whether the end has been written.
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
    step: Callable[[Tensor, Tensors], tuple[Tensor, Tensors]],
    state: Tensors,
    *,
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
        beams: Number of hypotheses kept at each step.
        min_tokens: Minimum number of tokens, not counting the end.
        max_tokens: Maximum number of tokens, not counting the end.
    """
    live = [_Live((), 0.0, 0)]
    ended: list[Hypothesis] = []
    for length in range(max_tokens + 1):
        last = torch.tensor(
            [hypothesis.tokens[-1] if hypothesis.tokens else START for hypothesis in live]
        )
        log_probabilities, state = step(last, state)
        following: list[_Live] = []
        for candidate in _continued(live, log_probabilities, 2 * beams):
            if candidate.tokens[-1] == STOP:
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
        state = selected(state, torch.tensor([hypothesis.row for hypothesis in live]))
    # Both lists are in the order in which hypotheses were found, which breaks ties.
    unended = [
        Hypothesis(
            hypothesis.tokens, hypothesis.total / max(len(hypothesis.tokens), 1), ended=False
        )
        for hypothesis in live
    ]
    return max(ended or unended, key=lambda hypothesis: hypothesis.score)


def _continued(live: list[_Live], log_probabilities: Tensor, count: int) -> list[_Live]:
    """Return the continuations of all hypotheses, most probable first."""
    best = log_probabilities.topk(min(count, log_probabilities.shape[-1]), dim=-1)
    continuations = [
        _Live((*hypothesis.tokens, token), hypothesis.total + gain, row)
        for row, (hypothesis, gains, tokens) in enumerate(
            zip(live, best.values.tolist(), best.indices.tolist(), strict=True)
        )
        for gain, token in zip(gains, tokens, strict=True)
    ]
    return sorted(continuations, key=lambda candidate: -candidate.total)


class WordModel(LongsumModel, ABC):
    """An encoder–decoder over words of a vocabulary.

    A subclass encodes a source and runs `step`; both keep their tensors in named tuples.
    """

    config: WordModelConfig

    @abstractmethod
    def step(self, words: Tensor, state: Any, source: Any) -> tuple[Tensor, Any]:
        """Feed one word to each hypothesis.

        Args:
            words: The last word of each, `[k]`; extended ids if the model copies.
            state: State of the decoder before these words.
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
                beams=self.config.beams,
                min_tokens=min_tokens,
                max_tokens=max_tokens,
            )

    def known(self, ids: Tensor) -> Tensor:
        """Return extended ids as ids of the vocabulary, with `UNK` for words that it lacks."""
        return ids.masked_fill(ids >= self.config.vocab_size, UNK)

    def decoder_inputs(self, labels: Tensor) -> Tensor:
        """Return the words that the decoder reads to predict labels: `START` and all but the last.

        Args:
            labels: Extended ids of targets, or `IGNORED`, `[b, t]`.
        """
        shifted = F.pad(labels[:, :-1], (1, 0), value=START)
        return self.known(shifted).masked_fill(shifted == IGNORED, PAD)


def repeated(source: Tensors, times: int) -> Tensors:
    """Return one encoded source once for each of several hypotheses, without copying it."""
    return type(source)(*(part.expand(times, *part.shape[1:]) for part in source))


def selected(state: Tensors, rows: Tensor) -> Tensors:
    """Return the decoder states of some hypotheses."""
    return type(state)(*(part[rows] for part in state))
