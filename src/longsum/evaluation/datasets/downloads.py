"""Published checksums of the files that public data sets are downloaded as: `downloads.yaml`."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_yaml


class Downloads(NamedTuple):
    """The files of a data set.

    Attributes:
        published: Where their checksums were published.
        files: The size in bytes, None where it is not, and the checksum of each: `sha256:…`, or
            `git:…`, the id of a file in a repository.
    """

    published: str
    files: Mapping[str, tuple[int | None, str]]


@cache
def downloads() -> Mapping[str, Downloads]:
    """Return the files that have a published checksum, by data set."""
    text = files("longsum.evaluation.datasets").joinpath("downloads.yaml").read_text("utf-8")
    return {name: Downloads(**held) for name, held in parse_yaml(text).items()}


def told_downloads(name: str) -> str:
    """Return what a data set is downloaded as, with the checksums that were published."""
    if name not in downloads():
        return "no published hash"
    published, held = downloads()[name]
    sizes = {file: f"{size:,} bytes, " if size else "" for file, (size, _) in held.items()}
    told = [f"{file} ({sizes[file]}{checksum})" for file, (_, checksum) in held.items()]
    return f"{', '.join(told)}, published in {published}"


def check_downloads(name: str, root: Path) -> None:
    """Check the files of a data set that lie in a folder, or one below it.

    Raises:
        LongsumError: One is not as it was published.
    """
    held = downloads()[name].files if name in downloads() else {}
    for file, (_, checksum) in held.items():
        for path in filter(Path.is_file, (root / file, *root.glob(f"*/{file}"))):
            if (found := _checksum(path, checksum.partition(":")[0])) != checksum:
                raise LongsumError(
                    f"{path} is not the file that was published: its checksum is {found}, not "
                    f"{checksum}; download it again."
                )


def _checksum(path: Path, kind: str) -> str:
    """Return the SHA-256 of a file, or the id that git gives it."""

    def of_git() -> Any:
        return hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)

    with path.open("rb") as file:
        made = hashlib.file_digest(file, of_git if kind == "git" else kind)
    return f"{kind}:{made.hexdigest()}"
