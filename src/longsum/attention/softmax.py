"""The number format that softmax runs in, whatever that of the states is."""

import torch


def at_least_float32(dtype: torch.dtype) -> torch.dtype:
    """Return the type in which softmax runs: fp32, or the inputs' own where that is finer."""
    return torch.promote_types(dtype, torch.float32)
