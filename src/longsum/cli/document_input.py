"""Reading the document that a command is given."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from longsum.cli.streams import progress

if TYPE_CHECKING:
    from longsum.documents import Document


def read_input(
    source: str,
    limits: Sequence[str] | None,
    cache: Path | None = None,
    keep: str = "",
    *,
    isolated: bool = False,
) -> "Document":
    """Read a document, and show that it is being read.

    Args:
        source: A file, or `-` for standard input.
        limits: What `--read-limit` was given.
        cache: What `--cache` was given.
        keep: What `--keep` was given.
        isolated: Whether `--isolation` requires it.

    Raises:
        LongsumError: A limit is unknown or impossible, or the document cannot be read.
    """
    from longsum.documents.readers import ReadLimits, read
    from longsum.documents.readers.isolation.reading_process import stand_by

    parsed = ReadLimits.parse(limits or ())
    # Before what shows the progress starts a thread.
    stand_by()
    with progress("Reading"):
        kept = [name for name in keep.split(",") if name.strip()]
        return read(source, limits=parsed, cache=cache, keep=kept, isolated=isolated)
