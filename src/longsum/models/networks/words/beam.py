"""Beam search as in the code of See et al. 2017, over any step function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

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
