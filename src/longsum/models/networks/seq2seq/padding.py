"""Masks of padded rows, brought into the one form that the attentions expect."""

import torch
from torch import Tensor

from longsum.common.errors import LongsumError


def real_tokens(mask: Tensor | None) -> Tensor | None:
    """Return a mask as booleans, or None where it hides nothing.

    Args:
        mask: `[b, n]`, non-zero for tokens, zero for padding on either side.

    Raises:
        LongsumError: The tokens of a row are no single stretch.
    """
    if mask is None:
        return None
    real = mask.bool()
    if bool(real.all()):
        return None
    edges = (real[:, 1:] & ~real[:, :-1]).sum(dim=1) + real[:, 0]
    if bool((edges > 1).any()):
        raise LongsumError(
            "An attention mask hides tokens between others; give masks that hide padding at the "
            "start or the end of a row alone."
        )
    return real


def first_real(real: Tensor) -> Tensor:
    """Return the position of each row's first real token, `[b]`."""
    return real.int().argmax(dim=1)


def rotate(rows: Tensor, shift: Tensor) -> Tensor:
    """Move each row to the left by its own number of places, around the end.

    Args:
        rows: `[b, n]` or `[b, n, D]`.
        shift: `[b]`.
    """
    tokens = rows.shape[1]
    index = (torch.arange(tokens, device=rows.device) + shift[:, None]) % tokens
    if rows.dim() == 3:
        index = index[:, :, None].expand_as(rows)
    return rows.gather(1, index)
