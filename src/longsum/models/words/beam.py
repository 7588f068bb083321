"""Beam search as in the code of See et al. 2017, over any step function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from longsum.models.words.vocabulary import PAD, START, STOP, UNK

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text and how probable it is.

    Attributes:
        tokens: Its ids, without the start and the end.
        score: Mean log-probability of its tokens, the end included if it has come to it.
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
    least: int,
    most: int,
) -> Hypothesis:
    """Return the best text that is found.

    Each hypothesis is continued by its 2 × `beams` best tokens, and the best `beams` of all that
    have not ended go on. One that ends before it has `least` tokens is thrown away. The search ends
    when as many have ended as there are beams, or with `most` tokens; the best mean log-probability
    wins, and one that has not ended counts only if none has. The mean is over the tokens that were
    written; the official code counts the start among them.

    Args:
        step: From the last tokens, `[k]`, and the state to log-probabilities, `[k, V]`, and the
            next state.
        state: The first state, of one row.
        select: Returns the state of some rows, `[k]`.
        start: The token that starts a text.
        stop: The token that ends it.
        beams: Hypotheses that go on.
        least: Fewest tokens of a text, the end not counted.
        most: Most tokens of a text, the end not counted.
    """
    live = [_Live((), 0.0, 0)]
    ended: list[Hypothesis] = []
    for length in range(most + 1):
        last = torch.tensor([found.tokens[-1] if found.tokens else start for found in live])
        log_probabilities, state = step(last, state)
        following: list[_Live] = []
        for candidate in _continued(live, log_probabilities, 2 * beams):
            if candidate.tokens[-1] == stop:
                if length >= least:
                    score = candidate.total / len(candidate.tokens)
                    ended.append(Hypothesis(candidate.tokens[:-1], score, ended=True))
            elif length < most:
                following.append(candidate)
            if len(following) == beams or len(ended) == beams:
                break
        if not following or len(ended) == beams:
            break
        live = following
        state = select(state, torch.tensor([found.row for found in live]))
    # Both lists stand in the order in which they were found, which decides between equals.
    unended = [
        Hypothesis(found.tokens, found.total / max(len(found.tokens), 1), ended=False)
        for found in live
    ]
    return max(ended or unended, key=lambda found: found.score)


def write_words(
    step: Callable[[Tensor, State], tuple[Tensor, State]],
    state: State,
    select: Callable[[State, Tensor], State],
    *,
    beams: int,
    least: int,
    most: int,
) -> Hypothesis:
    """Write a text with a model of words; see `beam_search`.

    Padding, start and unknown words are never written: they say nothing to a reader. The official
    code of See et al. writes them.
    """

    def readable(words: Tensor, state: State) -> tuple[Tensor, State]:
        scores, state = step(words, state)
        scores[:, [PAD, UNK, START]] = -torch.inf
        return scores, state

    with torch.inference_mode():
        return beam_search(
            readable, state, select, start=START, stop=STOP, beams=beams, least=least, most=most
        )


def _continued(live: list[_Live], log_probabilities: Tensor, count: int) -> list[_Live]:
    """Return all continuations, the most probable first."""
    best = log_probabilities.topk(min(count, log_probabilities.shape[-1]), dim=-1)
    found = [
        _Live((*hypothesis.tokens, token), hypothesis.total + gain, row)
        for row, (hypothesis, gains, tokens) in enumerate(
            zip(live, best.values.tolist(), best.indices.tolist(), strict=True)
        )
        for gain, token in zip(gains, tokens, strict=True)
    ]
    return sorted(found, key=lambda candidate: -candidate.total)
