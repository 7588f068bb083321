"""User input: file names, which may not exist or block forever, and seeds."""

import errno
import os
import re
import select
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from time import monotonic

MAX_SEED = 2**32 - 1
"""The largest seed that every library accepts."""


def path_exists(name: str | Path) -> bool:
    """Return whether a file or folder of this name exists; False for impossible names."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def is_file(name: str | Path) -> bool:
    """Return whether a file of this name exists; False for impossible names."""
    return path_exists(name) and Path(name).is_file()


_BLOCK = 2**20
_PATIENCE = 10.0
"""Total seconds to wait for a file."""
# A file passed by a shell, such as `<(command)`, ends when the command does.
_HANDED_OVER = re.compile(r"/dev/stdin|(?:/dev|/proc/self)/fd/\d+")


def blocks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file.

    Raises:
        OSError: It cannot be read, or nothing comes from it, as from a pipe that nobody writes to.
    """
    if _HANDED_OVER.fullmatch(str(path)):
        with path.open("rb") as stream:
            yield from iter(lambda: stream.read(_BLOCK), b"")
        return
    left = _PATIENCE
    with FileIO(path, opener=_open_at_once) as file:
        while True:
            began = monotonic()
            block = file.read(_BLOCK) if _is_ready(file, left) else None
            left -= monotonic() - began
            if block is None:
                problem = f"nothing came from it for {_PATIENCE:g} seconds"
                raise TimeoutError(errno.ETIMEDOUT, problem)
            if not block:
                return
            yield block


def _open_at_once(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _is_ready(file: FileIO, seconds: float) -> bool:
    """Wait up to a number of seconds; return whether there is data to read, or the end."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(max(seconds, 0) * 1000))
