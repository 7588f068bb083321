"""Where longsum keeps what is the user's (the XDG base directories)."""

import os
from pathlib import Path
from typing import Literal

_UNDER = {"config": "~/.config", "cache": "~/.cache", "state": "~/.local/state"}


def user_folder(kind: Literal["config", "cache", "state"]) -> Path:
    """Return the folder, which may not be there, for settings, for what is kept, or for jobs."""
    # Where nobody knows the home of the user, `~` stays; `Path.expanduser` ends the program.
    home = os.environ.get(f"XDG_{kind.upper()}_HOME") or os.path.expanduser(_UNDER[kind])  # noqa: PTH111
    return Path(home) / "longsum"
