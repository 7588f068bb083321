"""The bytes of a file or of standard input, within a limit."""

import sys
from pathlib import Path
from typing import BinaryIO

from longsum.documents.builder import clean
from longsum.documents.readers.limits import ReadLimits
from longsum.errors import LongsumError
from longsum.wording import quote

_BLOCK = 2**20
# Characters of a path that a message quotes.
_SHOWN = 300


def load(path: str | Path, limits: ReadLimits) -> tuple[bytes, str]:
    """Return the content of a file, or of standard input where `path` is `-`, and its name.

    Raises:
        LongsumError: The file does not exist, cannot be read, or exceeds the limit on its size.
    """
    if str(path) == "-":
        return _at_most(sys.stdin.buffer, "standard input", limits), "standard input"
    if not str(path):
        raise LongsumError("The file name is empty; give one, or - for standard input.")
    file = Path(path)
    try:
        with file.open("rb") as stream:
            return _at_most(stream, clean(file.name), limits), file.name
    except FileNotFoundError:
        raise LongsumError(f"There is no file {quote(path, _SHOWN)}; check the path.") from None
    except IsADirectoryError:
        raise LongsumError(
            f"{quote(path, _SHOWN)} is a folder; give one file, or run longsum batch on it."
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LongsumError(
            f"{quote(path, _SHOWN)} cannot be read ({reason}); check the path."
        ) from None


def _at_most(stream: BinaryIO, name: str, limits: ReadLimits) -> bytes:
    """Read a stream to its end, or until it proves too large."""
    blocks: list[bytes] = []
    left = limits.size
    while block := stream.read(_BLOCK):
        left -= len(block)
        if left < 0:
            raise limits.refusal(name, "size")
        blocks.append(block)
    return b"".join(blocks)
