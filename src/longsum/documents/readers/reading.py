"""Reads files, or standard input; what can harm its reader is read in a separate process."""

import os
import re
import sys
from collections.abc import Collection, Iterable
from dataclasses import replace
from io import IOBase
from pathlib import Path
from typing import TYPE_CHECKING

from longsum.common.errors import LongsumError
from longsum.common.names import blocks, path_exists
from longsum.common.wording import quote
from longsum.documents.conservation import count_omissions, unread_files
from longsum.documents.model import Document
from longsum.documents.readers.detect import parse_plain
from longsum.documents.readers.limits import ReadLimits
from longsum.language.characters import clean
from longsum.language.identify import identify_language

if TYPE_CHECKING:
    from longsum.documents.readers.cache import DocumentCache

_SMALL = 1_000_000
"""Most bytes of a plain text that is read in this process: its reader is pure Python, and linear in
time and memory: 2 s for prose, and 20 s and 400 MB for as many paragraphs of a letter."""
DocumentInput = Document | str | os.PathLike[str] | bytes
"""The types that `as_document` accepts."""
_LONGEST_NAME = 255
_ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*://\S+", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"\S[^\s/\\]*+[/\\]\S+|~\S*|.+\.(?:pdf|epub|txt|md|markdown|adoc|asciidoc|html?|xhtml|xml|jsonl?|tex|rst|docx?|odt|rtf)",
    re.IGNORECASE,
)


def read(
    path: str | Path,
    *,
    limits: ReadLimits = ReadLimits(),  # noqa: B008
    cache: "DocumentCache | str | os.PathLike[str] | None" = None,
    keep: Collection[str] = (),
    isolated: bool = False,
) -> Document:
    """Read a document from a file, or from standard input where `path` is `-`.

    Reads plain text, Markdown, AsciiDoc, reStructuredText, HTML, PDF, EPUB, Word (DOCX),
    OpenDocument (ODT), RTF, LaTeX, the XML of journals (JATS) and editions (TEI), the JSON of
    Docling, of Unstructured and of the data sets, and the document file that `longsum read` writes.
    The format is detected by content first and by name second.

    Args:
        path: The file, or `-`.
        limits: Limits on size, memory and time; see `ReadLimits`.
        cache: A folder in which documents are kept, so that the same file is read once; it takes a
            gigabyte at most, or as much as a `DocumentCache` says.
        keep: What to keep in the text that would otherwise be left out: `tables`, `code`,
            `footnotes` and so on, as named in the document's warning, or `all`.
        isolated: Read it in a separate process whatever it is, and refuse it if the system cannot
            isolate such a process (docs/limits.md).

    Raises:
        LongsumError: The file does not exist, exceeds a limit, or has no readable text; or its
            reader cannot be isolated.

    Example:
        >>> import longsum
        >>> document = longsum.read("examples/crypto-mining.md")
        >>> len(document.sections)
        6
    """
    data, name = load(path, limits)
    return read_bytes(data, name, limits=limits, cache=cache, keep=keep, isolated=isolated)


def read_bytes(
    data: bytes,
    name: str = "",
    *,
    limits: ReadLimits = ReadLimits(),  # noqa: B008
    cache: "DocumentCache | str | os.PathLike[str] | None" = None,
    keep: Collection[str] = (),
    isolated: bool = False,
) -> Document:
    """Read a document from the content of a file; `name` helps where the content is ambiguous.

    Text, Markdown, AsciiDoc, reStructuredText and JSON of at most a megabyte are read in this
    process, everything else in a separate process, within its limits and without a network
    (`longsum.documents.readers.isolation`).
    `cache`, `keep` and `isolated` are as for `read`.

    Raises:
        LongsumError: The content is empty, binary, encrypted, damaged, without text or exceeds a
            limit.
    """
    name = clean(name)
    if len(data) > limits.size:
        raise limits.refusal(name, "size")
    if cache is None:
        document = _read(data, name, limits, isolated)
    else:
        from longsum.documents.readers.cache import DocumentCache

        kept = cache if isinstance(cache, DocumentCache) else DocumentCache(Path(cache))
        found = kept.find(data, name, limits)
        document = found or kept.keep(data, name, limits, _read(data, name, limits, isolated))
    if keep:
        from longsum.documents import subset

        document = subset.keep(document, keep)
    if not document.sentences:
        listed = count_omissions(document)
        advice = f"; --keep keeps what was left out ({listed})" if listed else ""
        if cure := unread_files(document):
            advice = f"; it includes other files, and {cure}"
        raise LongsumError(
            f"{name or 'The input'} has no sentences, so there is nothing to summarize{advice}."
        )
    return document


def _read(data: bytes, name: str, limits: ReadLimits, isolated: bool) -> Document:
    document = None
    if not isolated and len(data) <= _SMALL:
        document = parse_plain(data, name, limits)
    if document is None:
        from longsum.documents.readers.isolation import reading_process

        document = reading_process.read_apart(data, name, limits, isolated=isolated)
    # The language detector is large, and loaded once for all documents.
    return replace(document, language=identify_language(document.text, document.language))


def as_document(given: DocumentInput) -> Document:
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
    """Refuse a text that may be meant as a file name or an address."""
    if len(text) > _LONGEST_NAME or "\n" in text or not text.strip():
        return
    if _ADDRESS.fullmatch(text.strip()):
        raise LongsumError(
            f"{quote(text)} is an address, and longsum fetches nothing; save the page, and give "
            "its file as a pathlib.Path."
        )
    if _FILE_NAME.fullmatch(text.strip()) or path_exists(text):
        raise LongsumError(
            f"{quote(text)} is the name of a file, and a str is taken as text; give a pathlib.Path "
            "to have the file read, or end the text with a line break if it is meant as text."
        )


def _advice(given: object) -> str:
    if isinstance(given, list | tuple | set | frozenset):
        return "; summarize_together takes several as one, summarize_all each by itself"
    if isinstance(given, IOBase):
        return "; give what its read() returns"
    return ""


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
