"""What a name stands for: a model, or a system that was saved."""

from pathlib import Path

from longsum.models.folders import HUB_ID
from longsum.models.settings_file import CONFIG
from longsum.names import is_file, is_there

SAVED = "system.yaml"
"""What `save_system` writes."""


def is_model(name: str | Path) -> bool:
    """Tell whether a name is that of a model: a folder that holds one, or a str `owner/name`."""
    folder = Path(name)
    if is_there(folder):
        return is_file(folder / CONFIG)
    called = isinstance(name, str) and HUB_ID.fullmatch(name)
    return bool(called) and folder.suffix not in (".yaml", ".yml")


def is_saved(folder: Path) -> bool:
    """Tell whether a folder is one that `save_system` wrote."""
    return is_file(folder / SAVED)
