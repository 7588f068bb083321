"""The weights for reports of tables that ship with longsum, and what they learned from."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Literal

from longsum.common.errors import LongsumError

Shipped = Literal["table-stepwise", "table-ranker", "relations"]
"""Planners of the reports of games, and an extractor of the relations that such reports state."""

_RECORD = "documents.json"


def shipped_weights(name: Shipped) -> Path:
    """Return the folder of bundled weights.

    Raises:
        LongsumError: This installation lacks them.
    """
    folder = Path(str(files("longsum").joinpath("weights", name)))
    if not folder.is_dir():
        raise LongsumError(
            f"This installation contains no weights of {name}; give the folder of a model that "
            "'longsum train' wrote."
        )
    return folder


def learned_from(folder: Path) -> dict[str, int]:
    """Return how many documents of each data set a model in a folder learned from.

    Raises:
        LongsumError: The folder has no record of that.
    """
    try:
        parts = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        learned = [part for part in parts if part["split"] == "train"]
        return {
            name: sum(int(part["documents"]) for part in learned if part["name"] == name)
            for name in dict.fromkeys(part["name"] for part in learned)
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LongsumError(
            f"'{folder}' has no readable {_RECORD}, which tells what a model learned from; give a "
            "folder that 'longsum train' wrote."
        ) from error
