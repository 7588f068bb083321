"""Published checksums of the files that public data sets are downloaded as: `downloads.yaml`."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, read_kept, write_kept
from longsum.common.structured_text import parse_yaml
from longsum.common.user_folders import user_folder

_CHUNK = 2**20


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

    A file is read once, and again when its size or its time of change is another.

    Raises:
        LongsumError: One is not as it was published.
    """
    for file, (_, checksum) in downloads()[name].files.items() if name in downloads() else ():
        for path in (root / file, *root.glob(f"*/{file}")):
            if path.is_file():
                _check(path, checksum)


def _check(path: Path, checksum: str) -> None:
    state = path.stat()
    told = f"{path.resolve()} {state.st_size} {state.st_mtime_ns} {checksum}".encode()
    kept = user_folder("cache") / "downloads" / hashlib.sha256(told).hexdigest()
    try:
        read_kept(kept, 0)
    except OSError:
        found = _checksum(path, checksum.partition(":")[0])
        if found != checksum:
            raise LongsumError(
                f"{path} is not the file that was published: its checksum is {found}, not "
                f"{checksum}; download it again."
            ) from None
        make_folder(kept.parent)
        write_kept(kept, b"")


def _checksum(path: Path, kind: str) -> str:
    """Return the SHA-256 of a file, or the id that git gives it."""
    made = hashlib.sha256() if kind == "sha256" else hashlib.sha1(usedforsecurity=False)
    if kind == "git":
        made.update(f"blob {path.stat().st_size}\0".encode())
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            made.update(chunk)
    return f"{kind}:{made.hexdigest()}"
