"""The bytes of a file or of standard input, within a limit."""

import sys
from collections.abc import Iterable
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.names import blocks
from longsum.common.wording import quote
from longsum.documents.builder import clean
from longsum.documents.readers.limits import ReadLimits

_BLOCK = 2**20
# Characters of a path that a message quotes.
_SHOWN = 300


def load(path: str | Path, limits: ReadLimits) -> tuple[bytes, str]:
    """Return the content of a file, or of standard input where `path` is `-`, and its name.

    Raises:
        LongsumError: The file does not exist, cannot be read, or exceeds the limit on its size.
    """
    if str(path) == "-":
        return _standard_input(limits), "standard input"
    if not str(path):
        raise LongsumError("The file name is empty; give one, or - for standard input.")
    file = Path(path)
    try:
        return _at_most(blocks(file), clean(file.name), limits), file.name
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


def _standard_input(limits: ReadLimits) -> bytes:
    if sys.stdin is None:
        raise LongsumError("Standard input is closed; give a file, or pipe the document to -.")
    stream = sys.stdin.buffer
    try:
        return _at_most(iter(lambda: stream.read(_BLOCK), b""), "standard input", limits)
    except OSError as error:
        raise LongsumError(
            f"Standard input cannot be read ({error.strerror or error}); give a file."
        ) from None


def _at_most(blocks: Iterable[bytes], name: str, limits: ReadLimits) -> bytes:
    """Join blocks, or refuse them once they prove too large."""
    kept: list[bytes] = []
    left = limits.size
    for block in blocks:
        left -= len(block)
        if left < 0:
            raise limits.refusal(name, "size")
        kept.append(block)
    return b"".join(kept)
