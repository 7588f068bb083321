"""Extractive models by name, saved and loaded without `transformers`, but in its format.

A folder holds `config.json` and the weights, which are named as `LongsumExtractor` names them.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch.overrides import TorchFunctionMode

from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, unfinished, write_text
from longsum.core.encoder.extractor_settings import (
    MODEL_TYPE,
    PREFIX,
    folder_settings,
    known_architecture,
    write_settings,
)
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.settings_file import CONFIG
from longsum.core.model_files.weight_files import INDEX, WEIGHTS, is_compact
from longsum.models.networks.extractive.etc import EtcSum
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import ExtractiveModel
from longsum.models.networks.weights import check_weights, load_weights, save_compact

ARCHITECTURES: Mapping[str, Callable[[Any], ExtractiveModel]] = {
    "hibert": Hibert,
    "etc": EtcSum,
    "flat": FlatSum,
}
"""The class of each architecture, made from its settings alone (`extractor_settings.SETTINGS`)."""


def architecture_of(model: ExtractiveModel) -> str:
    """Return the name of a model's architecture.

    Raises:
        LongsumError: It has none.
    """
    for name, kind in ARCHITECTURES.items():
        if type(model) is kind:
            return name
    raise LongsumError(
        f"{type(model).__name__} cannot be saved; take one of {', '.join(ARCHITECTURES)}."
    )


def build(architecture: str, settings: Any) -> ExtractiveModel:
    """Make a model with new weights.

    Args:
        architecture: A key of `ARCHITECTURES`.
        settings: A value of `extractor_settings.SETTINGS[architecture]`.

    Raises:
        LongsumError: There is no such architecture.
    """
    return ARCHITECTURES[known_architecture(architecture)](settings)


def save_extractor(
    model: ExtractiveModel, folder: Path, *, compact: bool = False, limit: int | None = None
) -> None:
    """Write a model to a folder, which is created if it does not exist.

    Args:
        model: The model.
        folder: The folder; weights in it are replaced.
        compact: Whether a weight takes a byte; see `longsum.models.networks.weights`.
        limit: Maximum size of a file of compact weights, in bytes.

    Raises:
        LongsumError: The model cannot be loaded again, or as for `save_compact`.
    """
    config = {
        "model_type": MODEL_TYPE,
        "architecture": architecture_of(model),
        "settings": write_settings(model.config),
    }
    make_folder(folder)
    state = {PREFIX + name: weight.contiguous() for name, weight in model.state_dict().items()}
    if compact:
        written = save_compact(state, folder, limit)
    else:
        written = [folder / WEIGHTS]
        with unfinished(folder / WEIGHTS) as path:
            save_file(state, path, {"format": "pt"})
    for other in folder.iterdir():
        if other not in written and (other.name in (WEIGHTS, INDEX) or is_compact(other)):
            other.unlink()
    write_text(folder / CONFIG, json.dumps(config, indent=2) + "\n")


def load_extractor(source: Path | ModelFolder) -> ExtractiveModel:
    """Load what `save_extractor` or `LongsumExtractor.save_pretrained` wrote.

    Returns:
        The model, in fp32 and in evaluation mode.

    Raises:
        LongsumError: Files are missing or damaged, or do not fit each other.
    """
    folder = ModelFolder.of(source)
    settings = folder_settings(folder)
    with torch.device("meta"), _Unfilled():
        model = build(str(folder.settings["architecture"]), settings)
    weights = load_weights(folder)
    state = {name.removeprefix(PREFIX): weight.float() for name, weight in weights.items()}
    check_weights(state, model.state_dict())
    model.load_state_dict(state, assign=True)
    return model.eval()


class _Unfilled(TorchFunctionMode):
    """Skips the initialisation of weights that are about to be replaced.

    On the meta device nothing is written, but to find that out, PyTorch imports its compiler.
    """

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        named = kwargs or {}
        if getattr(func, "__module__", None) == torch.nn.init.__name__:
            return named["tensor"] if "tensor" in named else args[0]
        return func(*args, **named)
