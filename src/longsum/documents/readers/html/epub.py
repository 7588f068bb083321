"""Reader of EPUB, versions 2 and 3."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from longsum.documents.heading_titles import bare_title
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.html.elements import classes, kinds, lines_of
from longsum.documents.readers.html.epub_package import Archive, Entry, read_package
from longsum.documents.readers.html.html import HtmlWalk
from longsum.documents.readers.html.html_tree import parse_html, without_entities
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents_and_indexes import ListingsBuilder
from longsum.documents.readers.xml.xml_tree import parse_xml
from longsum.documents.text_layout import Heading
from longsum.language.characters import clean

_PICTURES = frozenset({"img", "svg", "image"})
_NOTE = frozenset({"footnote", "endnote", "rearnote", "note", "doc-footnote", "doc-endnote"})
_NOTES = frozenset({"footnotes", "endnotes", "rearnotes", "doc-endnotes"})
_NOTE_CLASSES = frozenset({"footnote", "footnotes", "endnote", "endnotes"})
_MARKS = frozenset({"noteref", "doc-noteref", "pagebreak", "doc-pagebreak"})
_NOTE_MARK = re.compile(r"\[?\s*(?:\d{1,4}|[a-z]|[*†‡§]{1,3})\s*\]?")
_WORDS = re.compile(r"\w+")
_NUMBERING = frozenset(
    ["appendix", "annex", "book", "chapter", "part", "section", "volume", "anhang", "annexe",
     "band", "buch", "capítulo", "capitolo", "chapitre", "deel", "hoofdstuk", "kapitel", "livre",
     "libro", "parte", "partie", "teil", "tome"]
)  # fmt: skip
_ROMAN = re.compile(r"[ivxlc]+")

_INNER_RANK = 1000
"""Added to the rank of headings in the text, which go below entries of the table of contents."""


def read_epub(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read an EPUB: the table of contents gives the sections, headings within them subsections.

    A heading that only repeats its entry in the table is left out. Without a table, headings alone
    give the sections. Pictures, scripts, code, tables and notes are left out, and warnings count
    them. Nothing is fetched, unpacked to disk or executed.

    Raises:
        LongsumError: The file is damaged or encrypted, or unpacks to more than the limits allow or
            a book can have.
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
        root = _parse_part(text, f"'{part}' in {name}", limits)
        walk.read_part(root, contents[part])
    builder = walk.builder
    builder.language = package.language
    builder.warnings.extend(warnings)
    if package.apart:
        builder.warnings.append(
            f"Left out, as the book lists them outside its main text: {package.apart} of its files."
        )
    if package.missing:
        builder.warnings.append(
            f"Files that the book lists but that are missing or not text: {package.missing}."
        )
    return builder.build(package.title or None, source)


def _parse_part(text: str, name: str, limits: ReadLimits) -> Any:
    """Parse a part as XML, which it should be, or else as HTML, which accepts anything."""
    text = without_entities(text.replace("\x00", "\ufffd"))
    root = parse_xml(text, limits)
    # The HTML parser rejects an empty part, which is no reason to refuse a book.
    return parse_html(f"{text}<p/>", name, limits) if root is None else root


class _BookBuilder(ListingsBuilder):
    """Recognises headings that only repeat the preceding entry of the table of contents."""

    def __init__(self) -> None:
        super().__init__()
        self._announced: list[Heading] = []

    def chapter(self, entry: Entry) -> None:
        """Start the section of an entry of the table of contents.

        If the heading just read says the same, the anchor follows it, and the heading is that of
        the entry.
        """
        self._settle()
        repeated = ""
        last = self._blocks[-1] if self._blocks else None
        if isinstance(last, Heading) and last.rank >= _INNER_RANK and _fuller(entry.title, last):
            self._blocks.pop()
            repeated = last.title
        super().heading(entry.rank, entry.title)
        added = self._blocks[-1]
        assert isinstance(added, Heading)
        added.title = _fuller(repeated, added) or added.title
        self._announced.append(added)

    def heading(self, rank: int, title: str) -> None:
        for line in reversed(self._announced):
            if fuller := _fuller(title, line):
                line.title = fuller
                return
        self._announced.clear()
        super().heading(_INNER_RANK + rank, title)

    def paragraph(self, text: str, page: int | None = None, kind: Kind | None = None) -> None:
        announced = self._announced[-1].title if self._announced else ""
        self._announced.clear()
        if _WORDS.findall(clean(text)) != _WORDS.findall(announced):
            super().paragraph(text, page, kind)


class _BookWalk(HtmlWalk):
    """Walks part after part; entries of the table of contents become headings."""

    def __init__(self) -> None:
        super().__init__()
        self.builder: _BookBuilder = _BookBuilder()
        self._waiting: dict[str, list[Entry]] = {}
        self._ahead: Iterator[Any] = iter(())

    def read_part(self, root: Any, entries: list[Entry]) -> None:
        """Read one part of the book, and the entries of the table of contents that point to it."""
        anchors = {anchor for element in root.iter("*") for anchor in _anchors(element)}
        self._waiting = defaultdict(list)
        for entry in entries:
            # An entry whose anchor does not exist still refers to this part.
            if entry.anchor in anchors:
                self._waiting[entry.anchor].append(entry)
            else:
                self.builder.chapter(entry)
        self._ahead = root.iter("*")
        self.read(root)
        self._pass(None)

    def _start(self, walker: Any, element: Any, tag: str) -> None:
        self._pass(element)
        stated = _note_kinds(element)
        if stated & _MARKS or (tag == "a" and _is_note_mark(element)):
            walker.skip_subtree()
        elif stated & (_NOTE | _NOTES):
            self._flush()
            notes = list(element.iter("li")) if stated & _NOTES else []
            for note in notes or [element]:
                self.builder.omit("footnote", lines_of(note))
            walker.skip_subtree()
        else:
            if tag in _PICTURES:
                self.builder.omit("picture", clean(element.get("alt") or ""))
            elif tag == "script":
                self.builder.omit("script")
            super()._start(walker, element, tag)

    def _pass(self, reached: Any) -> None:
        """Start the sections whose anchors are at this element or were skipped before it."""
        for element in self._ahead:
            for anchor in _anchors(element):
                for entry in self._waiting.pop(anchor, ()):
                    if self._heading is None:
                        self._end_part()
                    self.builder.chapter(entry)
            if element is reached:
                break


def _anchors(element: Any) -> Iterator[str]:
    for anchor in {element.get("id"), element.get("name") if element.tag == "a" else None}:
        if anchor:
            yield anchor


def _note_kinds(element: Any) -> frozenset[str]:
    """Return the declared types of an element, and its classes that mean notes."""
    if element.tag in ("a", "sup", "span"):
        return kinds(element)
    return kinds(element) | _NOTE_CLASSES.intersection(classes(element))


def _is_note_mark(link: Any) -> bool:
    """Return whether a link is a note reference, such as a superscript number."""
    text = "".join(link.itertext()).strip()
    raised = link.getparent().tag == "sup" or link.find("sup") is not None
    refers = "#" in (link.get("href") or "") and _NOTE_MARK.fullmatch(text) is not None
    return refers and (raised or text.startswith("["))


def _fuller(title: str, line: Heading) -> str:
    """Return the fuller of a title and a heading if one repeats the other, else an empty string.

    A title repeats a heading if it is part of it (`The Dams` of `2. The Dams`), or all of it with a
    number before it (`1.1. Scope` and `Scope`).
    """
    own, other = (_WORDS.findall(clean(text).casefold()) for text in (title, line.title))
    if f" {' '.join(own)} " in f" {' '.join(other)} ":
        return line.title
    before = len(own) - len(other)
    if own[before:] == other and all(map(_is_numbering, own[:before])):
        return bare_title(clean(title))
    return ""


def _is_numbering(word: str) -> bool:
    single = len(word) == 1
    return single or word.isdigit() or word in _NUMBERING or bool(_ROMAN.fullmatch(word))
