"""Names that users give, which may or may not be those of files, and numbers."""

from pathlib import Path

MOST_SEED = 2**32 - 1
"""The greatest seed that every library takes."""


def is_there(name: str | Path) -> bool:
    """Return whether a name is that of a file or folder; one that could not be is not."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def is_file(name: str | Path) -> bool:
    """Return whether a name is that of a file; one that could not be is not."""
    return is_there(name) and Path(name).is_file()
