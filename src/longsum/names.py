"""Names that users give, which may or may not be those of files."""

from pathlib import Path


def is_there(name: str | Path) -> bool:
    """Tell whether a name is that of a file or folder; one that could not be is not."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False
