"""What networks share that must load without `transformers`: the layout of heads."""

from torch import Tensor


def split_heads(states: Tensor, heads: int) -> Tensor:
    """Lay out `[b, n, h · d]` as `[b, h, n, d]`."""
    return states.view(*states.shape[:-1], heads, -1).transpose(1, 2)


def merge_heads(states: Tensor) -> Tensor:
    """Lay out `[b, h, n, d]` as `[b, n, h · d]`."""
    return states.transpose(1, 2).flatten(2)
