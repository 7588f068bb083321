"""The paragraphs of a Word file as they look, for the inference of headings."""

from collections.abc import Callable, Iterator
from typing import Any

from longsum.documents.builder import clean
from longsum.documents.readers.docx_package import WordFile
from longsum.documents.readers.docx_styles import Style, value_of
from longsum.documents.readers.heading_inference import SPACE, Block
from longsum.documents.readers.xml_tree import attribute, whole_number


def blocks_of(file: WordFile, level_of: Callable[[Any], int | None]) -> Iterator[Block]:
    """Yield the paragraphs that have text.

    Args:
        file: The file.
        level_of: Gives the outline level that a paragraph has by its style, from 0.
    """
    spaced = False
    for element in file.body.iter("p"):
        text = clean("".join(each.text or "" for each in element.iter("t")))
        if not text:
            spaced = True
            continue
        name = value_of(element, "pPr/pStyle") or file.default_style
        style = file.styles.get(name, Style())
        spacing = element.find("pPr/spacing")
        number = value_of(element, "pPr/numPr/numId") or style.numbering[0] or "0"
        depth = value_of(element, "pPr/numPr/ilvl") or style.numbering[1] or "0"
        before = whole_number(attribute(spacing, "before")) if spacing is not None else None
        apart = next(element.iterancestors("tbl", "txbxContent"), None)
        yield Block(
            element,
            text,
            file.types.of_paragraph(element, name),
            file.types.is_centred(element, name),
            spaced or (before or 0) >= 20 * SPACE,
            None if number == "0" else (number, depth),
            apart is not None or style.kind is not None,
            level_of(element),
        )
        spaced = False
