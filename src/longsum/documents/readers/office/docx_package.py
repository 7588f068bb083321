"""The parts of a Word file (ECMA-376, Office Open XML), and the looks of its paragraphs."""

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.office.docx_styles import Numbering, Style, read_styles, value_of
from longsum.documents.readers.office.docx_type import Types
from longsum.documents.readers.structure.contents_and_indexes import holds_text
from longsum.documents.readers.structure.heading_inference import SPACE, Block
from longsum.documents.readers.xml.xml_tree import attribute, below, whole_number
from longsum.documents.readers.zip_archive import ZipArchive, resolve
from longsum.language.characters import clean

_CONTENT_TYPES = "[Content_Types].xml"
_ROOT_RELATIONS = "_rels/.rels"
_NOTE_KINDS = (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment"))


@dataclass(frozen=True, slots=True)
class WordFile:
    """What is read of a Word file.

    Attributes:
        body: The element with the text.
        styles: Paragraph styles by their ids.
        types: How the styles set their words.
        default_style: Id of the style of paragraphs that name none.
        numbering: The lists.
        notes: Texts of footnotes, endnotes and comments, by kind and id.
        running_heads: Texts of headers and footers.
        title: Title in the properties of the file; often that of a template.
        language: Language that the styles or the properties declare.
    """

    body: Any
    styles: Mapping[str, Style]
    types: Types
    default_style: str
    numbering: Numbering
    notes: Mapping[tuple[str, str], str]
    running_heads: tuple[str, ...]
    title: str
    language: str | None


def is_docx(names: frozenset[str]) -> bool:
    """Return whether a zip file is a Word file, by the names of its parts."""
    return _CONTENT_TYPES in names and any(name.startswith("word/") for name in names)


def read_package(data: bytes, name: str, limits: ReadLimits) -> WordFile:
    """Read the parts of a Word file that have text or describe it.

    Raises:
        LongsumError: The file is damaged, encrypted or beyond the limits.
    """
    archive = ZipArchive(data, name, limits, "Word file")
    main = next((part for kind, part in _relations(archive, "") if kind == "officeDocument"), "")
    if main not in archive:
        raise archive.damaged()
    root = _parsed(archive, main)
    body = root.find("body")
    if body is None:
        raise archive.damaged()
    parts: dict[str, list[str]] = {}
    for kind, part in _relations(archive, main):
        if part in archive:
            parts.setdefault(kind, []).append(part)

    def first(kind: str) -> Any:
        return _parsed(archive, parts[kind][0]) if kind in parts else None

    styles, core = first("styles"), None
    for kind, part in _relations(archive, ""):
        if kind == "core-properties" and part in archive:
            core = _parsed(archive, part)
    heads = [
        text
        for kind in ("header", "footer")
        for part in parts.get(kind, ())
        if (text := text_of(_parsed(archive, part)))
    ]
    return WordFile(
        body=body,
        styles={} if styles is None else read_styles(styles),
        types=Types(styles),
        default_style=_default_style(styles),
        numbering=Numbering(first("numbering")),
        notes=dict(_notes(first)),
        running_heads=tuple(dict.fromkeys(heads)),
        title="" if core is None else core.findtext("title") or "",
        language=_language(styles, core),
    )


def text_of(element: Any) -> str:
    """Return the text of the paragraphs in an element, divided by spaces."""
    paragraphs = ("".join(_pieces(paragraph)) for paragraph in element.iter("p"))
    return " ".join(filter(None, (" ".join(text.split()) for text in paragraphs)))


def _pieces(paragraph: Any) -> Iterator[str]:
    for element in paragraph.iter("t", "tab", "br", "noBreakHyphen"):
        if element.tag == "t":
            yield element.text or ""
        else:
            yield "-" if element.tag == "noBreakHyphen" else " "


def _parsed(archive: ZipArchive, part: str) -> Any:
    root = archive.xml(part)
    # The fallback for older programs repeats the same.
    etree.strip_elements(root, "Fallback", with_tail=False)
    return root


def _relations(archive: ZipArchive, part: str) -> Iterator[tuple[str, str]]:
    """Yield the parts that a part refers to, each with its role there."""
    folder, file = posixpath.split(part)
    relations = posixpath.join(folder, "_rels", f"{file}.rels") if part else _ROOT_RELATIONS
    if relations not in archive:
        return
    for relation in archive.xml(relations).iter("Relationship"):
        target = relation.get("Target", "")
        if relation.get("TargetMode") != "External" and target:
            path = target.lstrip("/") if target.startswith("/") else resolve(part, target)
            yield relation.get("Type", "").rpartition("/")[2], path


def _default_style(styles: Any) -> str:
    if styles is None:
        return ""
    for style in styles.iter("style"):
        is_default = attribute(style, "default") in ("1", "true", "on")
        if is_default and attribute(style, "type") == "paragraph":
            return attribute(style, "styleId") or ""
    return ""


def _notes(part: Any) -> Iterator[tuple[tuple[str, str], str]]:
    for name, kind in _NOTE_KINDS:
        root = part(name)
        for note in () if root is None else root.iter(kind):
            # Separators between text and notes are notes too.
            if attribute(note, "type") in (None, "normal"):
                yield (kind, attribute(note, "id") or ""), text_of(note)


def _language(styles: Any, core: Any) -> str | None:
    if styles is not None and (stated := value_of(styles, "docDefaults/rPrDefault/rPr/lang")):
        return stated
    return None if core is None else core.findtext("language")


# Elements allowed between a table and its rows, or a row and its cells.
_BETWEEN = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"})


@dataclass(slots=True)
class Paragraph:
    """A paragraph while it is read.

    Attributes:
        element: Its element.
        style: Its style, and the id of that.
        pieces: Its text, and the page that each piece starts on.
        beside: What is left out in it.
        within: The paragraphs of text boxes in it, which follow it.
    """

    element: Any
    style: Style
    style_id: str
    pieces: list[tuple[list[str], int | None]]
    beside: list[tuple[str, str]] = field(default_factory=list)
    within: list["Paragraph"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text on one line."""
        return clean("".join("".join(parts) for parts, _ in self.pieces))

    def follow(self, before: Sequence["Paragraph"]) -> None:
        """Merge paragraphs before it, whose ends are deleted, into it, in its style."""
        joined = [*before, self]
        self.pieces = [piece for each in joined for piece in each.pieces]
        self.beside = [part for each in joined for part in each.beside]
        self.within = [inner for each in joined for inner in each.within]


def rows_of(table: Any) -> list[list[Any]]:
    """Return the cells of each row of a table."""
    return [list(below(row, "tc", _BETWEEN)) for row in below(table, "tr", _BETWEEN)]


def lays_out(table: Any, level_of: Callable[[Any], int | None]) -> bool:
    """Return whether a table only lays out the page: it has headings, text or one column.

    With a row of heads, text or one column is a table.
    """
    if any(level_of(paragraph) is not None for paragraph in table.iter("p")):
        return True
    rows = rows_of(table)
    texts = (text_of(each) for row in rows for cell in row for each in cell.iter("p"))
    headed = table.find("tr/trPr/tblHeader") is not None
    return not headed and (all(len(row) < 2 for row in rows) or holds_text(texts))


def blocks_of(
    file: WordFile, level_of: Callable[[Any], int | None], layout: Set[Any]
) -> Iterator[Block]:
    """Yield the paragraphs that have text.

    Args:
        file: The file.
        level_of: Gives the outline level of a paragraph by its style, from 0.
        layout: The tables that only lay out the page.
    """
    spaced = False
    for element in file.body.iter("p"):
        text = clean("".join(each.text or "" for each in element.iter("t")))
        around = list(element.iterancestors("tbl", "txbxContent"))
        if not text or (around and not any(map(str.isalpha, text))):
            # The number of a row and an empty cell are no space.
            spaced = not around
            continue
        name = value_of(element, "pPr/pStyle") or file.default_style
        style = file.styles.get(name, Style())
        spacing = element.find("pPr/spacing")
        number = value_of(element, "pPr/numPr/numId") or style.numbering[0] or "0"
        depth = value_of(element, "pPr/numPr/ilvl") or style.numbering[1] or "0"
        before = whole_number(attribute(spacing, "before")) if spacing is not None else None
        yield Block(
            element,
            text,
            file.types.of_paragraph(element, name),
            file.types.is_centred(element, name),
            spaced or (before or 0) >= 20 * SPACE,
            None if number == "0" else (number, depth),
            any(each not in layout for each in around) or style.kind is not None,
            level_of(element),
        )
        spaced = False
