"""Tiled attention as one operator of a compiled graph.

A compiler would unroll the tiles for one length, and could not trace their use of masks. As an
operator the attention is one node of the graph, which runs as it does without a compiler.
"""

from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch import Tensor

from longsum.models.attention.backends.tiled import (
    Plan,
    attend_in_tiles,
    learn_in_tiles,
    planned,
)
from longsum.models.attention.biases.bias import ScoreBias, brought
from longsum.models.attention.patterns import Pattern
from longsum.models.attention.softmax import at_least_float32


class LearnedPattern(Protocol):
    """A pattern and biases that depend on learned values, or on the length."""

    def of(self, learned: Tensor | None, tokens: int) -> tuple[Pattern, tuple[ScoreBias, ...]]:
        """Return both, for these values and a number of tokens.

        The biases' parameters are the parts of the given values, in order.
        """


PatternMaker = tuple[Callable[[Pattern, int], LearnedPattern], int]

_PATTERNS: list[Pattern | LearnedPattern] = []
"""The patterns of the compiled graphs of this process, as operators take no objects."""


def compiled_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    pattern: Pattern | LearnedPattern,
    real: Tensor | None,
    learned: Tensor | None = None,
    maker: PatternMaker | None = None,
) -> Tensor:
    """Do what `tiled_attention` does, without other biases and dropout, within a compiled graph.

    Args:
        query: As there, like the next two.
        key: As there.
        value: As there.
        pattern: A fixed one, or one that depends on learned values.
        real: As there.
        learned: The biases' parameters, concatenated along the first dimension.
        maker: A function that turns a fixed pattern into a dependent one, and its setting. A
            compiler does not see objects that are created while it traces the code.
    """
    learning = torch.is_grad_enabled() and any(
        tensor is not None and tensor.requires_grad for tensor in (query, key, value, learned)
    )
    number = _number(pattern, maker)
    output: Tensor = _attend(query, key, value, real, learned, number, learning)[0]
    return output


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]
def _number(pattern: Pattern | LearnedPattern, maker: PatternMaker | None) -> int:
    if maker is not None:
        assert isinstance(pattern, Pattern)
        make, setting = maker
        pattern = make(pattern, setting)
    if pattern not in _PATTERNS:
        _PATTERNS.append(pattern)
    return _PATTERNS.index(pattern)


def _planned(number: int, query: Tensor, real: Tensor | None, learned: Tensor | None) -> Plan:
    pattern = _PATTERNS[number]
    if isinstance(pattern, Pattern):
        return planned(query, pattern, real, brought(pattern, query.device))
    shown, biases = pattern.of(learned, query.shape[2])
    return planned(query, shown, real, biases)


def _numbers(plan: Plan) -> tuple[Tensor, ...]:
    """Return the parameters of a plan's biases, or the constants of those without any."""
    return tuple(bias.learned for bias in plan.biases)


@torch.library.custom_op("longsum::tiled_attention", mutates_args=())
def _attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    real: Tensor | None,
    learned: Tensor | None,
    pattern: int,
    learning: bool,
) -> tuple[Tensor, Tensor]:
    query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
    plan = _planned(pattern, query, real, learned)
    return attend_in_tiles(query, key, value, plan, _numbers(plan), learning=learning)


@torch.library.custom_op("longsum::tiled_attention_backward", mutates_args=())
def _learn(
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    log_sum: Tensor,
    real: Tensor | None,
    learned: Tensor | None,
    pattern: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
    plan = _planned(pattern, query, real, learned)
    inputs = grad.contiguous(), query, key, value, output, log_sum
    states, biases = learn_in_tiles(*inputs, plan, _numbers(plan))
    return *states, query.new_empty(0) if learned is None else torch.cat(biases)


@_attend.register_fake
def _(query: Tensor, _key: Tensor, value: Tensor, *_: object) -> tuple[Tensor, Tensor]:
    sums = query.new_empty(query.shape[:3], dtype=at_least_float32(query.dtype))
    return _like(value), sums


@_learn.register_fake
def _(
    _grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    _output: Tensor,
    _log_sum: Tensor,
    _real: Tensor | None,
    learned: Tensor | None,
    _pattern: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    none = query.new_empty(0) if learned is None else _like(learned)
    return _like(query), _like(key), _like(value), none


def _like(states: Tensor) -> Tensor:
    return torch.empty_like(states, memory_format=torch.contiguous_format)


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    query, key, value, real, learned, ctx.pattern, _ = inputs
    ctx.save_for_backward(query, key, value, *output, real, learned)


def _back(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
    *states, learned = _learn(grad, *ctx.saved_tensors, ctx.pattern)
    return *states, None, None if ctx.saved_tensors[-1] is None else learned, None, None


_attend.register_autograd(_back, setup_context=_save)
