"""Loads and checks the weights of a model in a folder, and stores weights in a byte each."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from longsum.common.errors import LongsumError
from longsum.common.files import filled_folder
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.weight_files import (
    compact_names,
    is_compact,
    read_shapes,
    weight_files,
)


def load_weights(source: Path | ModelFolder) -> dict[str, Tensor]:
    """Return the weights of the model in a folder; compact ones are restored to fp32.

    Raises:
        LongsumError: As for `read_shapes`, or a file is damaged.
    """
    known = ModelFolder.of(source)
    known.check_same_weights()
    folder = known.path
    read_shapes(folder)
    state: dict[str, Tensor] = {}
    for path in weight_files(folder):
        try:
            state |= load_compact(path) if is_compact(path) else _copied(load_file(path))
        except (SafetensorError, OSError) as error:
            raise LongsumError(f"'{path}' is damaged ({error}); fetch the model again.") from None
    known.check_same_weights()
    return state


def copy_from_files(model: nn.Module) -> None:
    """Give a model its own copy of weights that PyTorch has mapped from their file.

    Otherwise a later change of the file, by anyone who shares it, would change the model or crash
    the program.
    """
    for tensor in chain(model.parameters(), model.buffers()):
        if tensor.device.type == "cpu":
            tensor.data = tensor.data.clone()


def _copied(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return copies of weights, for the reason of `copy_from_files`."""
    return {name: tensor.clone() for name, tensor in state.items()}


def check_weights(
    state: Mapping[str, Tensor], wanted: Mapping[str, Tensor], optional: tuple[str, ...] = ()
) -> None:
    """Refuse weights that do not fit a model: they are missing, unknown or of another size.

    Weights whose name contains a part in `optional` may be missing.
    """
    missing = [
        name for name in wanted if name not in state and not any(part in name for part in optional)
    ]
    unknown = [name for name in state if name not in wanted]
    misfits = [name for name in wanted if name in state and state[name].shape != wanted[name].shape]
    for names, problem in (
        (missing, "lacks"),
        (unknown, "has no place in the model for"),
        (misfits, "has another size of"),
    ):
        if names:
            raise LongsumError(
                f"The checkpoint {problem} {names[0]} ({len(names)} such weights); give one whose "
                "weights match its configuration."
            )


_SCALE = ".scale"


def save_compact(state: dict[str, Tensor], folder: Path, limit: int | None = None) -> list[Path]:
    """Write weights to `compact.safetensors`; of tensors that share memory, only the first.

    A row of a matrix is stored as whole numbers from −127 to 127 and a scale, which changes no
    weight by more than 1/254 of the largest in its row. Vectors are stored in fp16. Memory and
    arithmetic do not change: weights are restored when they are loaded.

    Returns the files.

    Args:
        state: The weights.
        folder: The folder; compact files in it are replaced.
        limit: Maximum size of a file in bytes; larger models are spread over several, which are
            named like `compact-00001-of-00002.safetensors`. None for one file.

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
    with filled_folder(folder) as unfinished:
        for path, stored in zip(paths, files, strict=True):
            save_file(stored, unfinished / path.name)
    for other in filter(is_compact, folder.iterdir()):
        if other not in paths:
            other.unlink()
    return paths


def load_compact(*paths: Path) -> dict[str, Tensor]:
    """Return the weights of files that `save_compact` wrote, in fp32.

    Raises:
        LongsumError: A scale does not fit its weight.
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
    """Return the tensors that store each weight, under their names in the file."""
    stored: dict[str, dict[str, Tensor]] = {}
    seen: set[int] = set()
    for name, tensor in state.items():
        if tensor.data_ptr() in seen:
            continue
        seen.add(tensor.data_ptr())
        weights = tensor.detach().float().cpu()
        if weights.dim() < 2:
            stored[name] = {name: weights.half()}
            continue
        scale = weights.abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / 127
        whole = (weights / scale).round().to(torch.int8).contiguous()
        stored[name] = {name: whole, name + _SCALE: scale}
    return stored
