"""Reader of EPUB, versions 2 and 3."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from longsum.documents.builder import DocumentBuilder, clean
from longsum.documents.model import Document, Source
from longsum.documents.readers.epub_archive import Archive, parse_xml
from longsum.documents.readers.epub_package import TYPE, Entry, read_package
from longsum.documents.readers.html import HtmlWalk, parse_html
from longsum.documents.readers.limits import ReadLimits

_PICTURES = frozenset({"img", "svg", "image"})
_NOTE = frozenset({"footnote", "endnote", "rearnote", "note", "doc-footnote", "doc-endnote"})
_NOTES = frozenset({"footnotes", "endnotes", "rearnotes", "doc-endnotes"})
_NOTE_CLASSES = frozenset({"footnote", "footnotes", "endnote", "endnotes"})
_MARKS = frozenset({"noteref", "doc-noteref", "pagebreak", "doc-pagebreak"})
_NOTE_MARK = re.compile(r"\[?\s*(?:\d{1,4}|[a-z]|[*†‡§]{1,3})\s*\]?")
_WORDS = re.compile(r"\w+")

_INNER_RANK = 1000
"""Headings of the text hang under the lines of the table of contents, which rank by their depth."""


def read_epub(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read an EPUB: the table of contents makes the sections, headings within them subsections.

    A heading that only repeats the line of the table above it is left out. Where there is no table,
    headings alone make sections. Pictures, scripts, code, tables and notes are left out, and
    warnings count what held something. Nothing is fetched, unpacked to disk or executed.

    Raises:
        LongsumError: The file is damaged, encrypted, or unpacks to more than the limits allow
            or a book can be.
    """
    name = source.name or "The input"
    archive = Archive(data, name, limits)
    package = read_package(archive)
    walk = _BookWalk()
    contents: dict[str, list[Entry]] = defaultdict(list)
    for entry in package.contents:
        contents[entry.part].append(entry)
    warnings: list[str] = []
    left = limits.characters
    for part in package.parts:
        text = archive.text(part, warnings)
        left -= len(text)
        if left < 0:
            raise limits.refusal(name, "characters")
        root = _parse_part(text, f"'{part}' in {name}")
        walk.read_part(root, contents[part])
    builder = walk.builder
    builder.warnings.extend([*warnings, *walk.omitted.warnings(), *walk.notes_left_out()])
    if package.apart:
        builder.warnings.append(
            f"Left out, as the book keeps them beside its text: {package.apart} of its files."
        )
    if package.missing:
        builder.warnings.append(
            f"Files that the book lists as its text and that hold none: {package.missing}."
        )
    return builder.build(package.title or None, source)


def _parse_part(text: str, name: str) -> Any:
    """Parse a part as XML, which it should be, or else as HTML, which takes anything."""
    text = text.replace("\x00", "\ufffd")
    root = parse_xml(text)
    # An empty part, which HTML may not be, is no reason to refuse a book.
    return parse_html(f"{text}<p/>", name) if root is None else root


class _BookBuilder(DocumentBuilder):
    """Knows which headings of the text only repeat the line of the table that was put before."""

    def __init__(self) -> None:
        super().__init__()
        self._announced: list[str] = []

    def chapter(self, entry: Entry) -> None:
        """Start the section of a line of the table of contents."""
        self._announced.append(_plain(entry.title))
        super().heading(entry.rank, entry.title)

    def heading(self, rank: int, title: str) -> None:
        plain = _plain(title)
        if any(f" {plain} " in f" {line} " for line in self._announced):
            return
        self._announced.clear()
        super().heading(_INNER_RANK + rank, title)

    def paragraph(self, text: str, page: int | None = None) -> None:
        self._announced.clear()
        super().paragraph(text, page)


class _BookWalk(HtmlWalk):
    """Goes through part after part; the lines of the table of contents become headings."""

    def __init__(self) -> None:
        super().__init__()
        self.builder: _BookBuilder = _BookBuilder()
        self._notes = 0
        self._waiting: dict[str, list[Entry]] = {}
        self._ahead: Iterator[Any] = iter(())

    def read_part(self, root: Any, entries: list[Entry]) -> None:
        """Read one part of the book, to which these lines of the table of contents lead."""
        anchors = {anchor for element in root.iter("*") for anchor in _anchors(element)}
        self._waiting = defaultdict(list)
        for entry in entries:
            # An anchor that is not there means the part all the same.
            if entry.anchor in anchors:
                self._waiting[entry.anchor].append(entry)
            else:
                self.builder.chapter(entry)
        self._ahead = root.iter("*")
        self.read(root)
        self._pass(None)

    def notes_left_out(self) -> Iterator[str]:
        """Yield the warning that notes were left out, if any were."""
        if self._notes:
            yield f"Left out, as they are no running text: {self._notes} footnotes or endnotes."

    def _start(self, walker: Any, element: Any, tag: str) -> None:
        self._pass(element)
        kinds = _kinds(element)
        if kinds & _MARKS or _is_note_mark(element, tag):
            walker.skip_subtree()
        elif kinds & (_NOTE | _NOTES):
            self._flush()
            items = sum(1 for _ in element.iter("li")) if kinds & _NOTES else 1
            self._notes += max(items, 1)
            walker.skip_subtree()
        else:
            if tag in _PICTURES:
                self.omitted.count("picture")
            elif tag == "script":
                self.omitted.count("script")
            super()._start(walker, element, tag)

    def _pass(self, reached: Any) -> None:
        """Start the sections that lead to an element, or into what was left out before it."""
        for element in self._ahead:
            for anchor in _anchors(element):
                for entry in self._waiting.pop(anchor, ()):
                    if self._heading is None:
                        self._flush()
                    self.builder.chapter(entry)
            if element is reached:
                break


def _anchors(element: Any) -> Iterator[str]:
    for anchor in {element.get("id"), element.get("name") if element.tag == "a" else None}:
        if anchor:
            yield anchor


def _kinds(element: Any) -> frozenset[str]:
    """Return what an element says that it is: its type, role, and class where that means a note."""
    stated = (element.get(TYPE), element.get("epub:type"), element.get("role"))
    kinds = {word for words in stated if words for word in words.split()}
    if element.tag not in ("a", "sup", "span"):
        kinds |= _NOTE_CLASSES.intersection((element.get("class") or "").split())
    return frozenset(kinds)


def _is_note_mark(element: Any, tag: str) -> bool:
    """Tell whether an element is the raised mark of a note, which nobody reads aloud."""
    if tag != "a" or "#" not in (element.get("href") or ""):
        return False
    text = "".join(element.itertext()).strip()
    raised = element.getparent().tag == "sup" or element.find("sup") is not None
    return bool(_NOTE_MARK.fullmatch(text)) and (raised or text.startswith("["))


def _plain(title: str) -> str:
    return " ".join(_WORDS.findall(clean(title).casefold()))
