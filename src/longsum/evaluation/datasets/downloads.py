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
    by_name: Mapping[str, Any] = shipped_yaml("longsum.evaluation.datasets", "downloads.yaml")
    return by_name


def describe_downloads(name: str) -> str:
    """Return a phrase with the downloads of a data set and their published checksums."""
    if name not in downloads():
        return "no published hash"
    entry = downloads()[name]
    files = (
        f"{file} ({f'{size:,} bytes, ' if size else ''}{checksum})"
        for file, (size, checksum) in entry["files"].items()
    )
    return f"{', '.join(files)}, published in {entry['published']}"


def check_downloads(name: str, root: Path) -> None:
    """Reject files of a data set, in a folder or below, that differ from the published ones."""
    for file, (_, checksum) in downloads().get(name, {"files": {}})["files"].items():
        for path in filter(Path.is_file, (root / file, *root.glob(f"*/{file}"))):
            if (actual := _checksum(path, checksum.partition(":")[0])) != checksum:
                raise LongsumError(
                    f"{path} is not the file that was published: its checksum is {actual}, not "
                    f"{checksum}; download it again."
                )


def _checksum(path: Path, kind: str) -> str:
    """Return the SHA-256 of a file, or its git object id."""
    prefix = b"blob %d\0" % path.stat().st_size if kind == "git" else b""
    digest = hashlib.new("sha1" if kind == "git" else kind, prefix, usedforsecurity=False)
    with path.open("rb") as file:
        hashlib.file_digest(file, lambda: digest)
    return f"{kind}:{digest.hexdigest()}"
