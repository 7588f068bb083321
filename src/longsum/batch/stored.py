"""Files of a run as they are found again: whatever else wrote to them shows."""

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

# Nothing lies there, or no file does.
_NO_FILE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENODEV}
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
# Most bytes of an object, which has some hundreds.
_LARGEST = 1_000_000


def write_sealed(path: Path, value: dict[str, Any], *about: Any) -> None:
    """Write a JSON object with its seal, a hash of it and of what it is about.

    A seal keeps nobody out; it finds what was damaged, exchanged, or taken from elsewhere.
    """
    write_text(path, json.dumps({**value, "seal": _seal(value, about)}, indent=2) + "\n")


def read_sealed(path: Path, *about: Any) -> dict[str, Any]:
    """Return what `write_sealed` wrote.

    Raises:
        ValueError: It is missing, damaged, or about something else.
        LongsumError: It cannot be read, and may be whole all the same.
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
    """Open a file; a FIFO or a device, which may never end, is none.

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
