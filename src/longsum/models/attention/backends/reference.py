"""The definition: dense attention under a mask."""

from collections.abc import Sequence

import torch
from torch import Tensor

from longsum.models.attention.biases.bias import ScoreBias
from longsum.models.attention.patterns import Grid, Pattern, dense_grid
from longsum.models.attention.softmax import at_least_float32, masked_softmax, real_lengths


def dense_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    visible: Tensor,
    bias: Tensor | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """Attend where a mask allows; slow and obvious, the reference for every fast execution.

    Args:
        query: `[b, h, q, d]`.
        key: `[b, h, k, d]`.
        value: `[b, h, k, d]`.
        visible: Boolean, broadcasts to `[b, h, q, k]`; True where the query may see the key.
        bias: Added to the scaled scores; broadcasts to `[b, h, q, k]`.
        dropout: Share of the weights that is dropped.

    Returns:
        `[b, h, q, d]`. Softmax runs in fp32 or finer. A query that sees no key gets zeros.
    """
    scores = (query @ key.transpose(-1, -2)).to(at_least_float32(query.dtype))
    scores = scores * query.shape[-1] ** -0.5
    if bias is not None:
        scores = scores + bias
    weights = torch.nn.functional.dropout(masked_softmax(scores, visible), dropout)
    return weights.to(value.dtype) @ value


def reference_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    pattern: Pattern,
    real: Tensor | None = None,
    biases: Sequence[ScoreBias] = (),
    dropout: float = 0.0,
) -> Tensor:
    """Self-attention under a pattern, written out.

    Args:
        query: `[b, h, n, d]`.
        key: `[b, h, n, d]`.
        value: `[b, h, n, d]`.
        pattern: Which key each query may see.
        real: Boolean `[b, n]`, True for tokens, False for padding; by default all are real.
        biases: Biases that are added to the scores.
        dropout: Share of the weights that is dropped.

    Returns:
        `[b, h, n, d]`. Padded queries get what their pattern shows them; callers ignore it.
    """
    batch, heads, tokens, _ = query.shape
    lengths = real_lengths(real, batch, tokens, query.device)
    grid = dense_grid(tokens, heads, lengths)
    visible = pattern.visible(grid)
    if real is not None:
        visible = visible & real[:, None, None, :]
    return dense_attention(query, key, value, visible, dense_bias(biases, grid), dropout)


def dense_bias(biases: Sequence[ScoreBias], grid: Grid) -> Tensor | None:
    """Return the sum of biases for all pairs of a grid; None for no biases."""
    total: Tensor | None = None
    for bias in biases:
        values = bias.value(grid, bias.learned)
        total = values if total is None else total + values
    return total
