"""Readers of other packages, registered by the ending of the files that they read."""

from collections.abc import Callable
from pathlib import PurePath

from longsum.common.registry import find
from longsum.documents.model import Document, Source
from longsum.documents.readers.limits import ReadLimits

Reader = Callable[[bytes, Source, ReadLimits], Document]
"""Makes a document of the bytes of a file; it raises `LongsumError` for what it cannot read."""

# Endings of formats that longsum reads itself, most of all: no other package is looked through.
_OURS = frozenset(
    {
        *(".adoc", ".asc", ".asciidoc", ".csv", ".docx", ".eml", ".epub", ".fodt", ".htm", ".html"),
        *(".json", ".jsonl", ".log", ".ltx", ".markdown", ".mbox", ".md", ".odt", ".pdf", ".rst"),
        *(".rtf", ".srt", ".tei", ".tex", ".text", ".txt", ".vtt", ".xht", ".xhtml", ".xml"),
    }
)


def registered_reader(name: str) -> Reader | None:
    """Return the reader of another package for a file's name; None if longsum is to read it."""
    suffix = PurePath(name).suffix.lower()
    if not suffix or suffix in _OURS:
        return None
    reader: Reader | None = find("readers", suffix.removeprefix("."))
    return reader
