"""The paragraphs of a Word file: while they are read, and as they look; what tables lay out."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from longsum.documents.builder import clean
from longsum.documents.readers.office.docx_package import WordFile, text_of
from longsum.documents.readers.office.docx_styles import Style, value_of
from longsum.documents.readers.structure.contents_and_indexes import holds_text
from longsum.documents.readers.structure.heading_inference import SPACE, Block
from longsum.documents.readers.xml.xml_tree import attribute, whole_number

_TRANSPARENT = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"})


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
        """Make those before it, whose ends are deleted, one paragraph with it, in its style."""
        joined = [*before, self]
        self.pieces = [piece for each in joined for piece in each.pieces]
        self.beside = [part for each in joined for part in each.beside]
        self.within = [inner for each in joined for inner in each.within]


def rows_of(table: Any) -> list[list[Any]]:
    """Return the cells of each row of a table."""
    return [list(_below(row, "tc")) for row in _below(table, "tr")]


def lays_out(table: Any, level_of: Callable[[Any], int | None]) -> bool:
    """Return whether a table only lays out the page: it has headings, text or one column."""
    rows = rows_of(table)
    return (
        all(len(row) < 2 for row in rows)
        or any(level_of(paragraph) is not None for paragraph in table.iter("p"))
        or holds_text(text_of(each) for row in rows for cell in row for each in cell.iter("p"))
    )


def blocks_of(
    file: WordFile, level_of: Callable[[Any], int | None], layout: Set[Any]
) -> Iterator[Block]:
    """Yield the paragraphs that have text.

    Args:
        file: The file.
        level_of: Gives the outline level that a paragraph has by its style, from 0.
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


def _below(element: Any, tag: str) -> Iterator[Any]:
    """Yield the elements of a tag below another, but not those in tables within it."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _TRANSPARENT:
            yield from _below(child, tag)
