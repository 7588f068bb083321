"""Tells whether a name refers to a model or to a saved system."""

from pathlib import Path

from longsum.models.folders import HUB_ID
from longsum.models.settings_file import CONFIG
from longsum.names import is_file, is_there

SAVED = "system.yaml"
"""The file that `save_system` writes."""


def is_model(name: str | Path) -> bool:
    """Return whether a name refers to a model: a folder that contains one, or `owner/name`."""
    folder = Path(name)
    if is_there(folder):
        return is_file(folder / CONFIG)
    called = isinstance(name, str) and HUB_ID.fullmatch(name)
    return bool(called) and folder.suffix not in (".yaml", ".yml")


def is_saved(folder: Path) -> bool:
    """Return whether `save_system` wrote a folder."""
    return is_file(folder / SAVED)
