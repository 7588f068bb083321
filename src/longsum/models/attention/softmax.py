"""The softmax of attentions, and the number format that it runs in."""

import torch
from torch import Tensor


def at_least_float32(dtype: torch.dtype) -> torch.dtype:
    """Return the type in which softmax runs: fp32, or the inputs' own where that is finer."""
    return torch.promote_types(dtype, torch.float32)


def masked_softmax(scores: Tensor, visible: Tensor | None) -> Tensor:
    """Return the softmax of what is seen, in fp32 or finer; a query that sees nothing gets zeros.

    Args:
        scores: `[…, q, k]`.
        visible: Boolean, broadcasts to `[…, q, k]`; True where the query may see the key; None
            where all is seen.
    """
    precise = at_least_float32(scores.dtype)
    if visible is None:
        return torch.softmax(scores, dim=-1, dtype=precise)
    blind = ~visible.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~visible, -torch.inf).masked_fill(blind, 0.0)
    return torch.softmax(scores, dim=-1, dtype=precise).masked_fill(blind, 0.0)
