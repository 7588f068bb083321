"""Tamper-evident files of a run."""

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.files import write_text
from longsum.common.structured_text import parse_json

# There is nothing, or not a file.
_NO_FILE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENODEV}
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
# Maximum bytes of an object; usually there are a few hundred.
_LARGEST = 1_000_000


def write_sealed(path: Path, value: dict[str, Any], *about: Any) -> None:
    """Write a JSON object with its seal, a hash of it and of its subject.

    A seal is no protection; it detects files that were damaged, swapped, or taken from elsewhere.
    """
    write_text(path, json.dumps({**value, "seal": _seal(value, about)}, indent=2) + "\n")


def read_sealed(path: Path, *about: Any) -> dict[str, Any]:
    """Return the value that `write_sealed` wrote.

    Raises:
        ValueError: It is missing, damaged, or about something else.
        LongsumError: It cannot be read, but may be intact.
    """
    with opened(path) as file:
        text = file.read(_LARGEST)
    try:
        value: dict[str, Any] = parse_json(text)
        if value.pop("seal") == _seal(value, about):
            return value
    except (AttributeError, KeyError, TypeError):
        pass
    raise ValueError("another seal")


def _seal(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def hash_of(path: Path) -> str:
    """Return the hash of a file; raises as `opened` does."""
    with opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def opened(path: Path) -> Iterator[BufferedReader]:
    """Open a file; a FIFO or device, which may never end, does not count as one.

    Raises:
        ValueError: There is none.
        LongsumError: It cannot be read.
    """
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _AT_ONCE)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError("no file")
            yield file
    except OSError as error:
        if error.errno in _NO_FILE:
            raise ValueError("no file") from None
        raise LongsumError(
            f"'{path}' cannot be read ({error.strerror}); make it readable, or move it away."
        ) from None
