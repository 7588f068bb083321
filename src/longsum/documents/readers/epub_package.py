"""The package of an EPUB: title, parts in reading order, table of contents."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from longsum.documents.builder import clean
from longsum.documents.readers.elements import EPUB_TYPE
from longsum.documents.readers.epub_archive import Archive
from longsum.documents.readers.zip_archive import resolve

_TEXT = frozenset({"application/xhtml+xml", "text/html"})
_NCX = "application/x-dtbncx+xml"


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

    An EPUB 3 has a navigation document, an EPUB 2 an NCX file; of both, the first that has an entry
    is used.

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
