"""Reader of OpenDocument text: zipped (ODT) and as one XML file (FODT)."""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from longsum.common.errors import LongsumError
from longsum.documents.conservation import RUNNING_HEAD
from longsum.documents.model import Document, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.office.docx_styles import CODE_STYLES
from longsum.documents.readers.office.odt_styles import Styles, spans
from longsum.documents.readers.structure.contents_and_indexes import (
    LISTED,
    REFERENCE,
    ListingsBuilder,
    holds_text,
    is_listing_title,
)
from longsum.documents.readers.structure.heading_inference import (
    SPACE,
    Block,
    infer_headings,
    styles_of_text,
)
from longsum.documents.readers.xml.sectioned_xml import parse_whole
from longsum.documents.readers.xml.xml_tree import attribute, below, whole_number
from longsum.documents.readers.zip_archive import ZipArchive
from longsum.language.characters import clean

_MIMETYPE = b"mimetypeapplication/vnd.oasis.opendocument.text"
_MANIFEST = "META-INF/manifest.xml"
_LISTS = ("illustration", "table", "object", "user", "alphabetical")
_INDEXES = {
    "table-of-content": LISTED,
    **{f"{what}-index": LISTED for what in _LISTS},
    "bibliography": REFERENCE,
}
_LEFT_OUT = {"annotation": "comment", "deletion": "deleted passage", "math": "formula"}
# The text of elements within a paragraph that contain none.
_SIGNS = {"s": " ", "tab": " ", "line-break": " "}
_SKIPPED = frozenset(
    {"sequence-decls", "forms", "variable-decls", "user-field-decls", "annotation-end", "title",
     "ruby-text", "desc", "event-listeners", "soft-page-break", "alphabetical-index-mark"}
)  # fmt: skip
# Built-in styles of captions, by the names that LibreOffice writes; `_20_` is a space.
_CAPTIONS = frozenset({"caption", "illustration", "figure", "drawing", "table", "text"})
_CODE = frozenset(name.replace(" ", "_20_") for name in CODE_STYLES)
_HEADING = re.compile(r"heading_20_([1-9]|10)")
# Elements whose paragraphs are not headings, and styles of such paragraphs.
_APART = frozenset(
    {"table", "note", "annotation", "frame", "text-box", "tracked-changes", *_INDEXES}
)
_HEADS = [f"{edge}{pages}" for edge in ("header", "footer") for pages in ("", "-first", "-left")]
_GROUPS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_LISTINGS = ("contents_20_", "index_20_")
_NO_HEADINGS = _CAPTIONS | _CODE | {"title"}


def is_odt(data: bytes, names: frozenset[str]) -> bool:
    """Return whether a zip file is an OpenDocument text, by its first entry or by its parts."""
    return data.startswith(_MIMETYPE, 30) or {"content.xml", _MANIFEST} <= names


def read_odt(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read an OpenDocument text: `text:h` makes sections by outline level.

    Lines that are only set off may be headings as well (`heading_inference`). Tables, pictures,
    captions, notes, comments, deletions that are tracked, indexes, bibliographies and running heads
    are left out, each as an `Omission`.

    Raises:
        LongsumError: The file is damaged, encrypted, no text, or exceeds a limit.
    """
    archive = ZipArchive(data, source.name or "The input", limits, "OpenDocument file")
    if _MANIFEST in archive:
        encrypted = archive.xml(_MANIFEST).iter("encryption-data")
        if next(encrypted, None) is not None:
            raise archive.encrypted()
    content = archive.xml("content.xml")
    others = [archive.xml(part) for part in ("styles.xml", "meta.xml") if part in archive]
    return _document([content, *others], source)


def read_fodt(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read an OpenDocument text that is one XML file; see `read_odt`.

    Raises:
        LongsumError: It is not well formed, nested too deeply, or no text.
    """
    root = parse_whole(text, source, limits)
    return _document([root], source)


def _document(roots: list[Any], source: Source) -> Document:
    """Make a document from the XML of content, styles and properties, or of all in one."""
    body = roots[0].find("body/text")
    if body is None:
        raise LongsumError(
            f"{source.name or 'The input'} is an OpenDocument file without text, such as a "
            "spreadsheet or a presentation; give a text document."
        )
    walk = _Walk(Styles(roots), body)
    walk.read(body)
    builder = walk.builder
    for root in roots:
        for head in root.iter(*_HEADS):
            if text := "".join(head.itertext()).strip():
                builder.omit(RUNNING_HEAD, text)
    properties: dict[str, str | None] = {}
    for meta in (meta for root in roots for meta in root.iter("meta")):
        properties |= {each.tag: each.text for each in meta.iterchildren("title", "language")}
    builder.language = properties.get("language") or walk.styles.language
    otherwise = properties.get("title") or ""
    return builder.build(" ".join(walk.titles) or None, source, otherwise=otherwise)


@dataclass(slots=True)
class _Paragraph:
    """A paragraph while it is read: its text, and what is beside and within it."""

    element: Any
    parts: list[str] = field(default_factory=list)
    beside: list[tuple[str, str]] = field(default_factory=list)
    within: list["_Paragraph"] = field(default_factory=list)


class _Walk:
    """Walks the text once, without recursion."""

    def __init__(self, styles: Styles, body: Any) -> None:
        self.builder = ListingsBuilder()
        self.styles = styles
        self.titles: list[str] = []
        self._open: list[_Paragraph] = []
        self._lists = 0
        self._page: int | None = None
        self._untitled = True
        _mark_text(body)
        self._layout = {each for each in body.iter("table") if _lays_out(each)}
        # If headings are marked, what is set off in tables is not a heading.
        seen = self._layout if next(body.iter("h"), None) is None else set[Any]()
        self._inferred = infer_headings(list(_blocks(body, styles, seen)))
        self._title_lines = set(self._inferred.title)

    def read(self, body: Any) -> None:
        """Add everything to the builder."""
        self._page = 1 if next(body.iter("soft-page-break"), None) is not None else None
        walker = etree.iterwalk(body, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                if self._start(element):
                    walker.skip_subtree()
                continue
            if element.tag in ("list", "numbered-paragraph"):
                self._lists -= 1
            elif self._open and self._open[-1].element is element:
                self._end(self._open.pop())
            if self._open:
                self._open[-1].parts.append(element.tail or "")

    def _start(self, element: Any) -> bool:
        """Open an element; return whether what is below it is done with."""
        tag = element.tag
        if tag in ("p", "h"):
            self._open.append(_Paragraph(element, [element.text or ""]))
            return False
        if tag in ("list", "numbered-paragraph"):
            self._lists += 1
        elif tag in _INDEXES:
            self._index(element, _INDEXES[tag])
            return True
        elif tag == "note":
            kind = attribute(element, "note-class") or "footnote"
            self._beside(kind, _text(element.find("note-body")))
            return True
        elif tag == "table" and element not in self._layout:
            self._beside("table", "\n".join("\t".join(map(_text, row)) for row in _rows(element)))
            return True
        elif tag in _LEFT_OUT:
            self._beside(_LEFT_OUT[tag], _text(element))
            return True
        elif tag == "image":
            self._beside("picture", _description(element))
            return True
        elif tag == "soft-page-break":
            self._page = (self._page or 1) + 1
        elif self._open and tag not in _SKIPPED:
            self._open[-1].parts.extend([_SIGNS.get(tag, ""), element.text or ""])
        return tag in _SKIPPED

    def _beside(self, kind: str, text: str) -> None:
        if self._open:
            self._open[-1].beside.append((kind, text))
        else:
            self.builder.omit(kind, text, self._page)

    def _index(self, index: Any, kind: str) -> None:
        body = index.find("index-body")
        for line in () if body is None else body.iter("p", "h"):
            if text := _text(line):
                self.builder.omit(kind, text, self._page)

    def _end(self, paragraph: _Paragraph) -> None:
        if self._open:
            self._open[-1].within.append(paragraph)
            return
        pending = [paragraph]
        while pending:
            inner = pending.pop()
            self._emit(inner)
            pending.extend(reversed(inner.within))

    def _emit(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.parts).strip()
        if text:
            self._emit_text(paragraph.element, text)
        for kind, beside in paragraph.beside:
            if beside.strip() or kind == "picture":
                self.builder.omit(kind, beside, self._page)

    def _emit_text(self, element: Any, text: str) -> None:
        names = self.styles.names(attribute(element, "style-name"))
        if not _CODE.isdisjoint(names):
            self.builder.code(text, self._page)
            return
        if element in self._title_lines:
            self.titles.append(text)
            return
        if "title" in names and self._untitled and not is_listing_title(text):
            self.titles.append(text)
            return
        self._untitled = self._untitled and not self.titles
        level = _level(element, names)
        inferred = self._inferred.headings.get(element)
        if inferred is not None:
            # Outline levels of OpenDocument count from 1.
            self.builder.inferred_heading(inferred.level + 1, text, inferred.evidence)
        elif level is not None:
            self.builder.heading(level, text)
        elif any(name.startswith(_LISTINGS) for name in names):
            self.builder.omit(LISTED, text, self._page)
        elif not _CAPTIONS.isdisjoint(names):
            self.builder.omit("caption", text, self._page)
        elif any(name.startswith("bibliography") for name in names):
            self.builder.omit(REFERENCE, text, self._page)
        else:
            self.builder.paragraph(text, self._page, "list_item" if self._lists else None)


def _text(element: Any) -> str:
    """Return all text below an element on one line."""
    if element is None:
        return ""
    return " ".join(" ".join(part.itertext()) for part in element.iter("p", "h")) or " ".join(
        element.itertext()
    )


def _level(element: Any, styles: list[str]) -> int | None:
    """Return the level of a heading; None for text.

    A paragraph in a style of headings is one, although no table of contents shows it.
    """
    if element.tag == "h":
        stated = whole_number(attribute(element, "outline-level"))
        return 1 if stated is None else stated
    found = next(filter(None, map(_HEADING.fullmatch, styles)), None)
    return int(found[1]) if found else None


def _mark_text(body: Any) -> None:
    """Make paragraphs of the headings at levels that are those of text."""
    levels = {each: _level(each, []) for each in body.iter("h")}
    of_text = styles_of_text((level, "".join(each.itertext())) for each, level in levels.items())
    for each, level in levels.items():
        if level in of_text:
            each.tag = "p"


def _blocks(body: Any, styles: Styles, layout: Set[Any]) -> Iterator[Block]:
    """Yield the paragraphs with text and their looks; some tables are layout."""
    spaced = False
    for element in body.iter("p", "h"):
        text = clean("".join(text for text, _ in spans(element)))
        around = set(element.iterancestors(*_APART))
        if not text or (around and not any(map(str.isalpha, text))):
            # The number of a row and an empty cell are no space.
            spaced = not around
            continue
        style = attribute(element, "style-name")
        names = styles.names(style)
        level = _level(element, names)
        above = [each.tag for each in element.iterancestors()]
        yield Block(
            element,
            text,
            styles.type_of(element),
            styles.is_centred(style),
            spaced or styles.space_above(style) >= SPACE,
            above.count("list"),
            any(each not in layout for each in around)
            or not _NO_HEADINGS.isdisjoint(names)
            or any(name.startswith((*_LISTINGS, "bibliography")) for name in names),
            None if level is None else level - 1,
        )
        spaced = False


def _lays_out(table: Any) -> bool:
    """Return whether a table only lays out the page: it has headings, text or one column.

    With a row of heads, text or one column is a table.
    """
    if next(table.iter("h"), None) is not None:
        return True
    texts = ("".join(paragraph.itertext()) for paragraph in table.iter("p"))
    headed = table.find("table-header-rows") is not None
    return not headed and (holds_text(texts) or all(len(row) < 2 for row in _rows(table)))


def _rows(table: Any) -> list[list[Any]]:
    """Return the cells of each row of a table."""
    rows = below(table, "table-row", _GROUPS)
    return [list(below(row, "table-cell", frozenset())) for row in rows]


def _description(image: Any) -> str:
    frame = image.getparent()
    if frame is None:
        return ""
    return frame.findtext("desc") or frame.findtext("title") or ""
