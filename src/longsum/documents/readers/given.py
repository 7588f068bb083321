"""Documents as callers give them: a `Document`, a text, a path or bytes."""

import os
import re
from io import IOBase
from pathlib import Path

from longsum.documents.model import Document
from longsum.documents.readers.reading import read, read_bytes
from longsum.errors import LongsumError
from longsum.names import is_there
from longsum.wording import quote

Given = Document | str | os.PathLike[str] | bytes
"""The types that `as_document` accepts."""

_LONGEST_NAME = 255
_ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*://\S+", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"\S[^\s/\\]*+[/\\]\S+|~\S*|.+\.(?:pdf|epub|txt|md|markdown|adoc|asciidoc|html?|xhtml|xml|jsonl?|tex|rst|docx?|odt|rtf)",
    re.IGNORECASE,
)


def as_document(given: Given) -> Document:
    """Return the document that a caller gives in one of several forms.

    A `str` is text, a `Path` a file, `bytes` the content of a file; formats are detected as in
    `read`. A one-line text that looks like a file name, or is the name of an existing file, is
    refused: some callers would mean the file, and others must not read files chosen by the author
    of a text. A text with a line break is always text.

    Raises:
        LongsumError: A file cannot be read, or a text is empty, is a file name, or has no
            sentences.
        TypeError: The value is of none of these types.
    """
    if isinstance(given, Document):
        return given
    if isinstance(given, str):
        _refuse_name(given)
        # Lone surrogates, as from `surrogateescape`, cannot be encoded.
        whole = given.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return read_bytes(whole.encode())
    if isinstance(given, os.PathLike):
        return read(Path(given))
    if isinstance(given, bytes | bytearray | memoryview):
        return read_bytes(bytes(given))
    raise TypeError(
        "a document is the result of longsum.read, a text, a pathlib.Path or the bytes of a file, "
        f"not {type(given).__name__}{_advice(given)}"
    )


def _refuse_name(text: str) -> None:
    """Refuse a text that may be meant as a file name or an address.

    Raises:
        LongsumError: The text is one of these.
    """
    if len(text) > _LONGEST_NAME or "\n" in text or not text.strip():
        return
    if _ADDRESS.fullmatch(text.strip()):
        raise LongsumError(
            f"{quote(text)} is an address, and longsum fetches nothing; save the page, and give "
            "its file as a pathlib.Path."
        )
    if _FILE_NAME.fullmatch(text.strip()) or is_there(text):
        raise LongsumError(
            f"{quote(text)} is the name of a file, and a str is taken as text; give a pathlib.Path "
            "to have the file read, or end the text with a line break if it is meant as text."
        )


def _advice(given: object) -> str:
    if isinstance(given, list | tuple | set | frozenset):
        return "; summarize each by itself, or join their texts"
    if isinstance(given, IOBase):
        return "; give what its read() returns"
    return ""
