"""Arguments that users give: names that may be those of files, and seeds."""

from pathlib import Path

MAX_SEED = 2**32 - 1
"""The largest seed that every library accepts."""


def is_there(name: str | Path) -> bool:
    """Return whether a file or folder of this name exists; False for impossible names."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def is_file(name: str | Path) -> bool:
    """Return whether a file of this name exists; False for impossible names."""
    return is_there(name) and Path(name).is_file()
