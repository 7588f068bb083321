"""Tiled attention as one operator of a compiled graph.

A compiler would unroll the tiles of one length, and could not follow what they ask of masks. As an
operator the attention is one node of the graph, which runs as it does without a compiler.
"""

from typing import Any

import torch
from torch import Tensor

from longsum.models.attention.backends.tiled import (
    attend_in_tiles,
    learn_in_tiles,
    planned,
)
from longsum.models.attention.patterns import Pattern
from longsum.models.attention.softmax import at_least_float32

_PATTERNS: list[Pattern] = []
"""The patterns of the compiled graphs of this process: operators take no objects."""


def compiled_attention(
    query: Tensor, key: Tensor, value: Tensor, pattern: Pattern, real: Tensor | None
) -> Tensor:
    """Do what `tiled_attention` does, without biases and dropout, within a compiled graph."""
    learning = torch.is_grad_enabled() and (
        query.requires_grad or key.requires_grad or value.requires_grad
    )
    found: Tensor = _attend(query, key, value, real, _number(pattern), learning)[0]
    return found


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]
def _number(pattern: Pattern) -> int:
    if pattern not in _PATTERNS:
        _PATTERNS.append(pattern)
    return _PATTERNS.index(pattern)


@torch.library.custom_op("longsum::tiled_attention", mutates_args=())
def _attend(
    query: Tensor, key: Tensor, value: Tensor, real: Tensor | None, pattern: int, learning: bool
) -> tuple[Tensor, Tensor]:
    query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
    plan = planned(query, _PATTERNS[pattern], real)
    return attend_in_tiles(query, key, value, plan, learning=learning)


@torch.library.custom_op("longsum::tiled_attention_backward", mutates_args=())
def _learn(
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    log_sum: Tensor,
    real: Tensor | None,
    pattern: int,
) -> tuple[Tensor, Tensor, Tensor]:
    query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
    plan = planned(query, _PATTERNS[pattern], real)
    return learn_in_tiles(grad.contiguous(), query, key, value, output, log_sum, plan)[0]


@_attend.register_fake
def _(
    query: Tensor, _key: Tensor, value: Tensor, _real: Tensor | None, _pattern: int, _learning: bool
) -> tuple[Tensor, Tensor]:
    sums = query.new_empty(query.shape[:3], dtype=at_least_float32(query.dtype))
    return _like(value), sums


@_learn.register_fake
def _(
    _grad: Tensor, query: Tensor, key: Tensor, value: Tensor, *_: object
) -> tuple[Tensor, Tensor, Tensor]:
    return _like(query), _like(key), _like(value)


def _like(states: Tensor) -> Tensor:
    return torch.empty_like(states, memory_format=torch.contiguous_format)


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    query, key, value, real, ctx.pattern, _ = inputs
    ctx.save_for_backward(query, key, value, *output, real)


def _back(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
    return *_learn(grad, *ctx.saved_tensors, ctx.pattern), None, None, None


_attend.register_autograd(_back, setup_context=_save)
