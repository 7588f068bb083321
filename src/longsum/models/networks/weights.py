"""The weights of a model in a folder, and whether they fit the model."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.weight_files import is_compact, read_shapes, weight_files
from longsum.models.networks.compact import load_compact


def load_weights(source: Path | ModelFolder) -> dict[str, Tensor]:
    """Return the weights of the model in a folder; compact ones are restored to fp32.

    Raises:
        LongsumError: As `read_shapes`, or a file is damaged.
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
    """Give a model its own copy of the weights that PyTorch reads from their file as they are used.

    Whatever is done to the file later, by whoever shares it, would change the model or end the
    program.
    """
    for tensor in chain(model.parameters(), model.buffers()):
        if tensor.device.type == "cpu":
            tensor.data = tensor.data.clone()


def _copied(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights as `copy_from_files` has them."""
    return {name: tensor.clone() for name, tensor in state.items()}


def check_weights(
    state: Mapping[str, Tensor], wanted: Mapping[str, Tensor], optional: tuple[str, ...] = ()
) -> None:
    """Refuse weights that do not fit a model.

    Args:
        state: The weights at hand.
        wanted: The model's.
        optional: Parts of names of which the model may keep its own.

    Raises:
        LongsumError: Weights are missing, unknown or of another size.
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
