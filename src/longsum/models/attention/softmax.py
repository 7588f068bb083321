"""Masks, and a softmax that handles rows without a key."""

import torch
from torch import Tensor


def real_lengths(real: Tensor | None, batch: int, tokens: int, device: torch.device) -> Tensor:
    """Return the position after the last real token of each row, `[b]`."""
    if real is None:
        return torch.full((batch,), tokens, device=device)
    places = torch.arange(1, tokens + 1, device=device)
    return (real * places).amax(dim=1)


def real_extent(
    real: Tensor | None, batch: int, tokens: int, device: torch.device | None
) -> tuple[Tensor, Tensor]:
    """Return the first real position and the number of real positions of each row, `[b]` each."""
    if real is None:
        first = torch.zeros(batch, dtype=torch.long, device=device)
        return first, torch.full((batch,), tokens, device=device)
    return real.int().argmax(dim=1), real.sum(dim=1)


def at_least_float32(dtype: torch.dtype) -> torch.dtype:
    """Return the type in which softmax runs: fp32, or the inputs' own if that is finer."""
    return torch.promote_types(dtype, torch.float32)


def masked_softmax(scores: Tensor, visible: Tensor | None) -> Tensor:
    """Return the softmax over visible keys, in fp32 or finer; a query that sees nothing gets zeros.

    Args:
        scores: `[…, q, k]`.
        visible: Boolean, broadcasts to `[…, q, k]`; True where the query may see the key; None if
            all are seen.
    """
    precise = at_least_float32(scores.dtype)
    if visible is None:
        return torch.softmax(scores, dim=-1, dtype=precise)
    blind = ~visible.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~visible, -torch.inf).masked_fill(blind, 0.0)
    return torch.softmax(scores, dim=-1, dtype=precise).masked_fill(blind, 0.0)
