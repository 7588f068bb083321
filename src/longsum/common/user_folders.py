"""The user's folders for longsum (the XDG base directories)."""

import os
from pathlib import Path
from typing import Literal

_UNDER = {"config": "~/.config", "cache": "~/.cache", "state": "~/.local/state"}


def user_folder(kind: Literal["config", "cache", "state"]) -> Path:
    """Return the folder, which may not exist, for settings, caches or jobs."""
    # If the home folder is unknown, `~` stays, whereas `Path.expanduser` would raise an error.
    home = os.environ.get(f"XDG_{kind.upper()}_HOME") or os.path.expanduser(_UNDER[kind])  # noqa: PTH111
    return Path(home) / "longsum"
