"""What a caller gives as a document: itself, its text, its file, or the bytes of that."""

import os
import re
from io import IOBase
from pathlib import Path

from longsum.documents.model import Document
from longsum.documents.readers.detect import read, read_bytes
from longsum.errors import LongsumError
from longsum.names import is_there
from longsum.wording import quote

Given = Document | str | os.PathLike[str] | bytes
"""What `as_document` takes."""

_LONGEST_NAME = 255
_ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*://\S+", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"\S+[/\\]\S+|~\S*|.+\.(?:pdf|epub|txt|md|markdown|html?|xhtml|xml|jsonl?|tex|rst|docx?|odt|rtf)",
    re.IGNORECASE,
)


def as_document(given: Given) -> Document:
    """Return a document, made from whatever holds it.

    A `str` is text, a `Path` a file, `bytes` the content of a file; formats are found by content,
    as `read` finds them. A text of one line that is the name of a file, by its looks or because
    there is one, is refused, since some would have meant the file, and others must not have files
    read at the word of whoever wrote the text. What holds a line break is always text.

    Raises:
        LongsumError: A file cannot be read, a text is empty or the name of a file, or there is no
            sentence in it.
        TypeError: It is nothing that holds a document.
    """
    if isinstance(given, Document):
        return given
    if isinstance(given, str):
        _refuse_name(given)
        # Halves of characters, as of a file opened with `surrogateescape`, cannot be written.
        whole = given.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return read_bytes(whole.encode())
    if isinstance(given, os.PathLike):
        return read(Path(given))
    if isinstance(given, bytes | bytearray | memoryview):
        return read_bytes(bytes(given))
    raise TypeError(
        "a document is what longsum.read returns, a text, a pathlib.Path or the bytes of a file, "
        f"not {type(given).__name__}{_advice(given)}"
    )


def _refuse_name(text: str) -> None:
    """Refuse what may be meant as the name of a file, or as an address.

    Raises:
        LongsumError: It may.
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
