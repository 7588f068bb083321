"""Published checksums of the downloads of public data sets: `downloads.yaml`."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import shipped_yaml


@cache
def downloads() -> Mapping[str, Any]:
    """Return the files with published checksums, by data set; the file describes its format."""
    held: Mapping[str, Any] = shipped_yaml("longsum.evaluation.datasets", "downloads.yaml")
    return held


def told_downloads(name: str) -> str:
    """Return the downloads of a data set with their published checksums."""
    if name not in downloads():
        return "no published hash"
    held = downloads()[name]
    told = (
        f"{file} ({f'{size:,} bytes, ' if size else ''}{checksum})"
        for file, (size, checksum) in held["files"].items()
    )
    return f"{', '.join(told)}, published in {held['published']}"


def check_downloads(name: str, root: Path) -> None:
    """Reject files of a data set, in a folder or below, that differ from the published ones."""
    for file, (_, checksum) in downloads().get(name, {"files": {}})["files"].items():
        for path in filter(Path.is_file, (root / file, *root.glob(f"*/{file}"))):
            if (found := _checksum(path, checksum.partition(":")[0])) != checksum:
                raise LongsumError(
                    f"{path} is not the file that was published: its checksum is {found}, not "
                    f"{checksum}; download it again."
                )


def _checksum(path: Path, kind: str) -> str:
    """Return the SHA-256 of a file, or its git object id."""
    start = b"blob %d\0" % path.stat().st_size if kind == "git" else b""
    made = hashlib.new("sha1" if kind == "git" else kind, start, usedforsecurity=False)
    with path.open("rb") as file:
        hashlib.file_digest(file, lambda: made)
    return f"{kind}:{made.hexdigest()}"
