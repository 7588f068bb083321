"""Weights at a byte each, for models that are kept in a repository or shipped.

A row of a matrix is stored as whole numbers from −127 to 127 and one scale, which moves no weight
by more than 1/254 of the largest of its row. Vectors stay in fp16. Memory and arithmetic are as
before: weights are restored when they are read.
"""

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

COMPACT_WEIGHTS = "compact.safetensors"
_SCALE = ".scale"


def save_compact(state: dict[str, Tensor], folder: Path) -> Path:
    """Write weights to `compact.safetensors`; of tensors that share memory, the first by name.

    Returns:
        The file.
    """
    stored: dict[str, Tensor] = {}
    seen: set[int] = set()
    for name, tensor in state.items():
        if tensor.data_ptr() in seen:
            continue
        seen.add(tensor.data_ptr())
        weights = tensor.detach().float().cpu()
        if weights.dim() < 2:
            stored[name] = weights.half()
            continue
        scale = weights.abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / 127
        stored[name] = (weights / scale).round().to(torch.int8).contiguous()
        stored[name + _SCALE] = scale
    path = folder / COMPACT_WEIGHTS
    save_file(stored, path)
    return path


def load_compact(path: Path) -> dict[str, Tensor]:
    """Return the weights of a file that `save_compact` wrote, in fp32."""
    stored = load_file(path)
    return {
        name: tensor.float() * stored.get(name + _SCALE, torch.ones(()))
        for name, tensor in stored.items()
        if not name.endswith(_SCALE)
    }
