"""Where the real tokens of padded rows are."""

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
