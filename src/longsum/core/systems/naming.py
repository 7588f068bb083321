"""Tells whether a name refers to a model."""

from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.names import is_file, is_there
from longsum.core.model_files.folders import HUB_ID, ModelFolder
from longsum.core.model_files.settings_file import CONFIG

EXTRACTOR = "longsum_extractor"
"""The type of an extractive model, as its settings state it."""


def is_model(name: str | Path) -> bool:
    """Return whether a name refers to a model: a folder that contains one, or `owner/name`."""
    folder = Path(name)
    if is_there(folder):
        return is_file(folder / CONFIG)
    called = isinstance(name, str) and HUB_ID.fullmatch(name)
    return bool(called) and folder.suffix not in (".yaml", ".yml")


def is_hugging_face(name: str | Path) -> bool:
    """Return whether a name refers to a model that `transformers` loads.

    Extractors are plain PyTorch; a folder whose settings cannot be read is none, until it is
    refused.
    """
    if not is_model(name):
        return False
    try:
        return not is_there(name) or ModelFolder.of(Path(name)).model_type != EXTRACTOR
    except LongsumError:
        return False
