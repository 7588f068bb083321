"""Zip archives of documents, read defensively: nothing is unpacked to disk or beyond the limits.

An EPUB, a Word or an OpenDocument file is an untrusted zip file. It is refused by its directory if
that shows a problem; the directory may lie about sizes, so bytes are counted while they are
unpacked. Names are only looked up, never joined to a path of this machine, and an archive within
the archive is never opened.
"""

import io
import posixpath
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from longsum.common.errors import LongsumError
from longsum.documents.readers.decode import decode
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.xml.xml_tree import parse_xml

MAX_ENTRIES = 10_000
LARGEST_PART = 64 * 2**20
"""Most bytes of one text part; a long novel has one or two million."""
MAX_GROWTH = 100
"""Most times that a part of over a megabyte may grow; text compresses three- to fivefold."""

_ENTRY = b"PK\x01\x02"
_DIRECTORY_END = b"PK\x05\x06"
_LONGEST_COMMENT = 2**16
_TEXT_SUFFIXES = (".xml", ".xhtml", ".html", ".htm", ".rels", ".opf", ".ncx", ".svg", ".txt")
_BLOCK = 2**20
# Contents of archives that no reader knows, with their names and advice.
_OTHERS = (
    (b"xl/workbook", "a spreadsheet", "save it as CSV, which 'longsum table' reports"),
    (b"ppt/presentation", "a presentation", "save it as PDF"),
    (_DIRECTORY_END, "a zip archive that is not a document", "unpack it first"),
    (b"", "a damaged zip archive", "save or download it again"),
)
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


def refuse_too_many(data: bytes, name: str) -> None:
    """Refuse more than `MAX_ENTRIES` files, before `zipfile` makes an object of each."""
    # The size that the end of the directory states is the one that `zipfile` reads by.
    end = data.rfind(_DIRECTORY_END, max(len(data) - _LONGEST_COMMENT - 22, 0))
    if end < 0:
        return
    size = int.from_bytes(data[end + 12 : end + 16], "little")
    # A ZIP64 archive states its size elsewhere.
    start = 0 if size == 0xFFFFFFFF else max(end - size, 0)
    if data.count(_ENTRY, start, end) > MAX_ENTRIES:
        raise LongsumError(
            f"{name} contains more than {MAX_ENTRIES:,} files, which no document does; "
            "check where it came from."
        )


def refusal_of(data: bytes, name: str) -> LongsumError:
    """Return the error for an archive that no reader knows, which says what it is."""
    kind, cure = next((kind, cure) for sign, kind, cure in _OTHERS if sign in data)
    return LongsumError(f"{name} is {kind}; {cure}.")


def entry_names(data: bytes) -> frozenset[str]:
    """Return the names in a zip archive; none if it is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return frozenset(archive.NameToInfo)
    except _DAMAGED:
        return frozenset()


class ZipArchive:
    """The parts of a zipped document by name, unpacked in memory one at a time."""

    def __init__(self, data: bytes, name: str, limits: ReadLimits, form: str) -> None:
        """Open the archive.

        Args:
            data: The bytes of the file.
            name: How messages call it.
            limits: The limits of the reader.
            form: What the file is: `EPUB`, `Word file`.

        Raises:
            LongsumError: It is damaged, or its directory lists too many parts, a part twice, or a
                text part that unpacks to too much.
        """
        self._name = name
        self._limits = limits
        self._form = form
        refuse_too_many(data, name)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGED as error:
            raise self.damaged() from error
        self._left = limits.unpacked
        self._check_directory()

    def __contains__(self, part: str) -> bool:
        return part in self._archive.NameToInfo

    def __iter__(self) -> Iterator[str]:
        return iter(self._archive.NameToInfo)

    def damaged(self) -> LongsumError:
        """Return the error for an archive that cannot be read."""
        return LongsumError(f"{self._name} is a damaged {self._form}; get the file again.")

    def encrypted(self) -> LongsumError:
        """Return the error for an archive with encrypted parts."""
        return LongsumError(
            f"{self._name} is encrypted (DRM or a password), so it cannot be read; "
            "use a copy without protection."
        )

    def text(self, part: str, warnings: list[str]) -> str:
        """Return a part as text; guesses about its encoding are added to the warnings.

        Raises:
            LongsumError: The part is missing, encrypted, damaged, too large, or not text.
        """
        text, found = decode(self.content(part), f"'{part}' in {self._name}")
        warnings.extend(warning for warning in found if warning not in warnings)
        return text

    def xml(self, part: str) -> Any:
        """Return a part as XML, tags without namespaces.

        Raises:
            LongsumError: As `text`; or the part is not well-formed XML, or nested too deeply.
        """
        root = parse_xml(self.text(part, []), self._limits)
        if root is None:
            raise LongsumError(
                f"{self._name} is a damaged {self._form} or is nested too deeply; "
                "get the file again."
            )
        return root

    def content(self, part: str) -> bytes:
        """Return the bytes of a part.

        Raises:
            LongsumError: The part is missing, encrypted, damaged or too large.
        """
        info = self._archive.NameToInfo.get(part)
        if info is None:
            raise self.damaged()
        if info.flag_bits & 1:
            raise self.encrypted()
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.damaged()
        limit = _most(info)
        blocks: list[bytes] = []
        read = 0
        try:
            with self._archive.open(info) as file:
                while block := file.read(_BLOCK):
                    read += len(block)
                    if read > self._left:
                        raise self._limits.refusal(self._name, "unpacked")
                    if read > limit:
                        raise self._bomb(part)
                    blocks.append(block)
        except (*_DAMAGED, RuntimeError) as error:
            raise self.damaged() from error
        self._left -= read
        return b"".join(blocks)

    def _check_directory(self) -> None:
        entries = self._archive.infolist()
        twice = [name for name, count in Counter(e.filename for e in entries).items() if count > 1]
        if twice:
            raise LongsumError(
                f"{self._name} contains '{twice[0]}' twice, which no proper file does; "
                "check where it came from."
            )
        texts = [entry for entry in entries if entry.filename.lower().endswith(_TEXT_SUFFIXES)]
        for entry in texts:
            if entry.file_size > _most(entry):
                raise self._bomb(entry.filename)
        if sum(entry.file_size for entry in texts) > self._left:
            raise self._limits.refusal(self._name, "unpacked")

    def _bomb(self, part: str) -> LongsumError:
        return LongsumError(
            f"'{part}' in {self._name} unpacks to more text than a document can have; "
            "check where it came from."
        )


def resolve(base: str, reference: str) -> str:
    """Resolve a reference in the part `base` to the name of a part, without fragment.

    A reference out of the archive, or to a server, names no part.
    """
    path = unquote(reference.partition("#")[0])
    if not path:
        return base
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path))


def _most(entry: zipfile.ZipInfo) -> int:
    """Return the most bytes that a text part may unpack to."""
    return min(LARGEST_PART, max(_BLOCK, MAX_GROWTH * entry.compress_size))
