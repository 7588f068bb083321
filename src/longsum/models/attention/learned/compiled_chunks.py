"""Attention to sorted chunks as operators of a compiled graph; see `backends.compiled`."""

from typing import Any

import torch
from torch import Tensor

from longsum.models.attention.learned.sorted_chunks import Sorting, attend_sorted, learn_sorted
from longsum.models.attention.softmax import at_least_float32


def compiled_in_chunks(shared: Tensor, value: Tensor, sorting: Sorting) -> Tensor:
    """Do what `attend_in_chunks` does, without biases and dropout, within a compiled graph."""
    parts = (sorting.order, sorting.bucket, sorting.buckets, sorting.chunk)
    output: Tensor = _attend(shared, value, *parts)[0]
    return output


@torch.library.custom_op("longsum::sorted_attention", mutates_args=())
def _attend(
    shared: Tensor, value: Tensor, order: Tensor, bucket: Tensor, buckets: int, chunk: int
) -> tuple[Tensor, Tensor]:
    sorting = Sorting(order, bucket, buckets, chunk)
    return attend_sorted(shared, value, shared[..., :0], order[0], sorting)


@torch.library.custom_op("longsum::sorted_attention_backward", mutates_args=())
def _learn(
    grad: Tensor,
    shared: Tensor,
    value: Tensor,
    output: Tensor,
    log_sum: Tensor,
    order: Tensor,
    bucket: Tensor,
    buckets: int,
    chunk: int,
) -> tuple[Tensor, Tensor]:
    sorting = Sorting(order, bucket, buckets, chunk)
    inputs = (shared, value, shared[..., :0], order[0])
    return learn_sorted(grad, *inputs, output, log_sum, sorting)[:2]


@_attend.register_fake
def _(_shared: Tensor, value: Tensor, *_: object) -> tuple[Tensor, Tensor]:
    sums = value.new_empty(value.shape[:2], dtype=at_least_float32(value.dtype))
    return torch.empty_like(value, memory_format=torch.contiguous_format), sums


@_learn.register_fake
def _(_grad: Tensor, shared: Tensor, value: Tensor, *_: object) -> tuple[Tensor, Tensor]:
    return torch.empty_like(shared), torch.empty_like(value)


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    shared, value, order, bucket, ctx.buckets, ctx.chunk = inputs
    ctx.save_for_backward(shared, value, *output, order, bucket)


def _back(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
    grads = _learn(grad, *ctx.saved_tensors, ctx.buckets, ctx.chunk)
    return *grads, None, None, None, None


_attend.register_autograd(_back, setup_context=_save)
