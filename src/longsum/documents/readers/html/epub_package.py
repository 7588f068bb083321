"""The package of an EPUB: its archive, title, parts in reading order and table of contents."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from longsum.documents.readers.html.elements import EPUB_TYPE
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.zip_archive import ZipArchive, resolve
from longsum.language.characters import clean

_MIMETYPE = b"mimetypeapplication/epub+zip"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# Fonts are often obfuscated, which does not hide text.
_OBFUSCATED_FONTS = frozenset(
    {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
)
_TEXT = frozenset({"application/xhtml+xml", "text/html"})
_NCX = "application/x-dtbncx+xml"


def is_epub(data: bytes, names: frozenset[str]) -> bool:
    """Return whether a zip file is an EPUB, by its first entry or by its container file."""
    return data.startswith(_MIMETYPE, 30) or _CONTAINER in names


class Archive(ZipArchive):
    """The parts of an EPUB by name, unpacked in memory one at a time."""

    def __init__(self, data: bytes, name: str, limits: ReadLimits) -> None:
        """Open the archive.

        Raises:
            LongsumError: As `ZipArchive`.
        """
        super().__init__(data, name, limits, "EPUB")
        self._encrypted: frozenset[str] = frozenset()
        if _ENCRYPTION in self:
            self._encrypted = self._read_encryption()

    def package(self) -> str:
        """Return the name of the package file, which lists the book's parts.

        Raises:
            LongsumError: There is none.
        """
        for element in self.xml(_CONTAINER).iter("rootfile"):
            if path := element.get("full-path"):
                return resolve("", path)
        raise self.damaged()

    def content(self, part: str) -> bytes:
        """Return the bytes of a part; see `ZipArchive.content`."""
        if part in self._encrypted:
            raise self.encrypted()
        return super().content(part)

    def _read_encryption(self) -> frozenset[str]:
        """Return the names of the parts that are encrypted."""
        found = set()
        for data in self.xml(_ENCRYPTION).iter("EncryptedData"):
            method = data.find("EncryptionMethod")
            algorithm = None if method is None else method.get("Algorithm")
            if algorithm not in _OBFUSCATED_FONTS:
                found |= {resolve("", ref.get("URI", "")) for ref in data.iter("CipherReference")}
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the table of contents.

    Attributes:
        rank: Depth in the table, from 1.
        title: Its text.
        part: The part that it points to.
        anchor: The anchor in that part; empty for its beginning.
    """

    rank: int
    title: str
    part: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Package:
    """The description of an EPUB in its package file.

    Attributes:
        title: Title of the book, or an empty string.
        parts: Names of the text parts, in reading order.
        contents: The table of contents, in its own order.
        language: Its declared language, or an empty string.
        apart: Number of parts listed outside the main text (`linear="no"`).
        missing: Number of listed parts that are missing or not text.
    """

    title: str
    parts: tuple[str, ...]
    contents: tuple[Entry, ...]
    language: str
    apart: int
    missing: int


@dataclass(frozen=True, slots=True)
class _Item:
    part: str
    kind: str
    properties: frozenset[str]


def read_package(archive: Archive) -> Package:
    """Read the package file and the table of contents that it names.

    An EPUB 3 has a navigation document, an EPUB 2 an NCX file; the first that has an entry is used.

    Raises:
        LongsumError: The archive is damaged.
    """
    path = archive.package()
    root = archive.xml(path)
    items = {
        item.get("id", ""): _Item(
            resolve(path, item.get("href", "")),
            item.get("media-type", ""),
            frozenset(item.get("properties", "").split()),
        )
        for item in root.iter("item")
    }
    parts: dict[str, None] = {}
    apart = missing = 0
    for reference in root.iter("itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None or item.kind not in _TEXT or item.part not in archive:
            missing += 1
        elif reference.get("linear") == "no":
            apart += 1
        elif "nav" not in item.properties:
            parts[item.part] = None
    title, language = (
        next(filter(None, (clean(_text(found)) for found in root.iter(name))), "")
        for name in ("title", "language")
    )
    contents = tuple(_contents(archive, items))
    return Package(title, tuple(parts), contents, language, apart, missing)


def _contents(archive: Archive, items: dict[str, _Item]) -> list[Entry]:
    held = [item for item in items.values() if item.part in archive]
    for item in held:
        if "nav" in item.properties and (found := _from_nav(archive, item.part)):
            return found
    for item in held:
        if item.kind == _NCX and (found := list(_from_ncx(archive, item.part))):
            return found
    return []


def _from_nav(archive: Archive, part: str) -> list[Entry]:
    navs = list(archive.xml(part).iter("nav"))
    nav = next((nav for nav in navs if "toc" in nav.get(EPUB_TYPE, "").split()), None)
    if nav is None:
        return []
    rows = []
    for item in nav.iter("li"):
        label = next((child for child in item if child.tag in ("a", "span")), None)
        rank = 1 + sum(1 for above in item.iterancestors("li"))
        if label is not None:
            rows.append((rank, clean(_text(label)), label.get("href", "")))
    return list(_entries(part, rows))


def _from_ncx(archive: Archive, part: str) -> Iterator[Entry]:
    rows = []
    for point in archive.xml(part).iter("navPoint"):
        label, content = point.find("navLabel"), point.find("content")
        rank = 1 + sum(1 for above in point.iterancestors("navPoint"))
        title = "" if label is None else clean(_text(label))
        rows.append((rank, title, "" if content is None else content.get("src", "")))
    return _entries(part, rows)


def _entries(part: str, rows: list[tuple[int, str, str]]) -> Iterator[Entry]:
    """Yield the entries of a table; one without a target takes that of the next."""
    waiting: list[tuple[int, str]] = []
    for rank, title, reference in rows:
        if not reference:
            waiting.append((rank, title))
            continue
        for row in (*waiting, (rank, title)):
            if row[1]:
                anchor = unquote(reference.partition("#")[2])
                yield Entry(*row, resolve(part, reference), anchor)
        waiting.clear()


def _text(element: Any) -> str:
    return "".join(element.itertext())
