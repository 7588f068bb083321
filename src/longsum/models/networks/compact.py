"""Weights at a byte each, for models that are kept in a repository or shipped.

A row of a matrix is stored as whole numbers from −127 to 127 and one scale, which moves no weight
by more than 1/254 of the largest of its row. Vectors stay in fp16. Memory and arithmetic are as
before: weights are restored when they are read.
"""

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.common.files import filled_folder
from longsum.core.model_files.weight_files import compact_names, is_compact

_SCALE = ".scale"


def save_compact(state: dict[str, Tensor], folder: Path, limit: int | None = None) -> list[Path]:
    """Write weights to `compact.safetensors`; of tensors that share memory, the first by name.

    Args:
        state: The weights.
        folder: Where to; compact files that it holds are replaced.
        limit: Maximum size of a file in bytes; larger models are spread over several, which are
            named like `compact-00001-of-00002.safetensors`. None for one file.

    Returns:
        The files.

    Raises:
        LongsumError: A single weight is larger than the limit.
    """
    files: list[dict[str, Tensor]] = [{}]
    filled = 0
    for name, parts in _compacted(state).items():
        size = sum(part.nbytes for part in parts.values())
        if limit is not None and size > limit:
            raise LongsumError(
                f"{name} alone takes {size:,} bytes, more than the limit of {limit:,}; "
                "give a higher limit."
            )
        if limit is not None and filled + size > limit:
            files.append({})
            filled = 0
        files[-1] |= parts
        filled += size
    paths = [folder / name for name in compact_names(len(files))]
    with filled_folder(folder) as made:
        for path, stored in zip(paths, files, strict=True):
            save_file(stored, made / path.name)
    for other in filter(is_compact, folder.iterdir()):
        if other not in paths:
            other.unlink()
    return paths


def load_compact(*paths: Path) -> dict[str, Tensor]:
    """Return the weights of files that `save_compact` wrote, in fp32.

    Raises:
        LongsumError: A scale is not that of its weight.
    """
    stored: dict[str, Tensor] = {}
    for path in paths:
        stored |= load_file(path)
    for name, tensor in stored.items():
        scale = stored.get(name + _SCALE)
        if scale is not None and scale.shape != (*tensor.shape[:-1], 1):
            raise LongsumError(
                f"The weights hold a scale of {name} of another size; fetch the model again."
            )
    return {
        name: tensor.float() * stored.get(name + _SCALE, torch.ones(()))
        for name, tensor in stored.items()
        if not name.endswith(_SCALE)
    }


def _compacted(state: dict[str, Tensor]) -> dict[str, dict[str, Tensor]]:
    """Return what is stored of each weight, under the names in the file."""
    found: dict[str, dict[str, Tensor]] = {}
    seen: set[int] = set()
    for name, tensor in state.items():
        if tensor.data_ptr() in seen:
            continue
        seen.add(tensor.data_ptr())
        weights = tensor.detach().float().cpu()
        if weights.dim() < 2:
            found[name] = {name: weights.half()}
            continue
        scale = weights.abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / 127
        whole = (weights / scale).round().to(torch.int8).contiguous()
        found[name] = {name: whole, name + _SCALE: scale}
    return found
