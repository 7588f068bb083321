"""Layouts of Word, OpenDocument and EPUB, for `layouts.py`."""

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from pathlib import Path

from layout_markup import html_of
from layout_works import Block, Layout, Work

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from packed_files import epub, odt
from word_files import runs, word_file
from zip_writer import part

_TITLE = 9
_WORD_STYLES = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"/>'
    '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/>'
        f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr></w:style>'
        for n in range(1, 7)
    )
)
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE = (
    f'xmlns:office="{_OASIS}office:1.0" xmlns:text="{_OASIS}text:1.0" '
    f'xmlns:table="{_OASIS}table:1.0" xmlns:style="{_OASIS}style:1.0" '
    f'xmlns:fo="{_OASIS}xsl-fo-compatible:1.0" office:version="1.2"'
)
_MONOSPACED = "<style:text-properties fo:font-family=\"'Liberation Mono'\"/>"
_ODT_STYLES = (
    '<style:style style:name="Bold" style:family="text">'
    '<style:text-properties fo:font-weight="bold"/></style:style>'
)


def _with_title(work: Work) -> list[Block]:
    return [Block(work.title, _TITLE), *work.blocks]


def _rows(work: Work) -> list[tuple[Block, tuple[Block, ...]]]:
    """Return the headings of the first level, each with what stands below it."""
    sections = list(work.sections())
    return [(Block(each.title, _TITLE if n == 0 else 1), each.blocks)
            for n, each in enumerate(sections)]  # fmt: skip


def _word_run(text: str, bold: bool) -> str:
    properties = "<w:rPr><w:b/></w:rPr>" if bold else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _word_paragraph(block: Block, styled: bool) -> str:
    if block.level:
        style = "Title" if block.level == _TITLE else f"Heading{block.level}"
        return runs(_word_run(block.text, not styled), style if styled else "")
    speaker = _word_run(f"{block.speaker}: ", True) if block.speaker else ""
    return runs(speaker + _word_run(block.text, False))


def _word_paragraphs(blocks: Iterable[Block], styled: bool) -> str:
    return "".join(_word_paragraph(each, styled) for each in blocks)


def _word_table(rows: Iterable[Sequence[str]]) -> str:
    cells = ("".join(f"<w:tc><w:p/>{cell}</w:tc>" for cell in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


def _word(work: Work, styled: bool) -> bytes:
    return word_file(_word_paragraphs(_with_title(work), styled), styles=_WORD_STYLES)


def _word_rows(work: Work) -> bytes:
    """Return a table of a row for each section: its heading, and its text."""
    rows = (
        [_word_paragraph(heading, False), _word_paragraphs(blocks, False)]
        for heading, blocks in _rows(work)
    )
    return word_file(_word_table(rows), styles=_WORD_STYLES)


def _word_paragraph_rows(work: Work) -> bytes:
    """Return a table of a row for each paragraph, after a column of numbers."""
    rows = (
        [_word_paragraph(Block(str(n)), False), _word_paragraph(each, False)]
        for n, each in enumerate(_with_title(work), start=1)
    )
    return word_file(_word_table(rows), styles=_WORD_STYLES)


def _odt_paragraph(block: Block, styled: bool) -> str:
    text, bold = escape(block.text), '<text:span text:style-name="Bold">{}</text:span>'
    if block.level == _TITLE and styled:
        return f'<text:p text:style-name="Title">{text}</text:p>'
    if block.level and styled:
        level = block.level
        name = f"Heading_20_{level}"
        return f'<text:h text:style-name="{name}" text:outline-level="{level}">{text}</text:h>'
    if block.level:
        return f"<text:p>{bold.format(text)}</text:p>"
    speaker = bold.format(f"{escape(block.speaker)}:") + " " if block.speaker else ""
    return f"<text:p>{speaker}{text}</text:p>"


def _odt_paragraphs(blocks: Iterable[Block], styled: bool) -> str:
    return "".join(_odt_paragraph(each, styled) for each in blocks)


def _odt_rows(work: Work) -> str:
    rows = "".join(
        f"<table:table-row><table:table-cell>{_odt_paragraph(heading, False)}</table:table-cell>"
        f"<table:table-cell>{_odt_paragraphs(blocks, False)}</table:table-cell></table:table-row>"
        for heading, blocks in _rows(work)
    )
    columns = '<table:table-column table:number-columns-repeated="2"/>'
    return f'<table:table table:name="Table1">{columns}{rows}</table:table>'


def _odt(body: str) -> bytes:
    content = (
        f"<office:document-content {_OFFICE}><office:automatic-styles>{_ODT_STYLES}"
        "</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return odt([part("content.xml", content.encode())])


def flat_odt(work: Work, columns: int, monospaced: bool) -> bytes:
    """Return a flat OpenDocument text in columns, for LibreOffice to convert."""
    face = _MONOSPACED if monospaced else ""
    section = (
        '<style:style style:name="Columns" style:family="section"><style:section-properties>'
        f'<style:columns fo:column-count="{columns}" fo:column-gap="0.8cm"/>'
        "</style:section-properties></style:style>"
    )
    paragraph = (
        '<style:default-style style:family="paragraph">'
        '<style:paragraph-properties fo:margin-bottom="0.2cm" fo:text-align="justify"/>'
        f"{face}</style:default-style>"
    )
    sizes = "".join(
        f'<style:style style:name="Heading_20_{n}" style:family="paragraph"><style:text-properties '
        f'fo:font-size="{18 - 2 * n}pt" fo:font-weight="bold"/></style:style>'
        for n in range(1, 5)
    )
    title = (
        '<style:style style:name="Title" style:family="paragraph">'
        '<style:text-properties fo:font-size="22pt" fo:font-weight="bold"/></style:style>'
    )
    body = _odt_paragraphs(_with_title(work), True)
    if columns > 1:
        body = f'<text:section text:style-name="Columns" text:name="Text">{body}</text:section>'
    text = (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<office:document {_OFFICE} "
        'office:mimetype="application/vnd.oasis.opendocument.text">'
        f"<office:styles>{paragraph}{title}{sizes}</office:styles>"
        f"<office:automatic-styles>{_ODT_STYLES}{section}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )
    return text.encode()


def _raised(section: Work) -> Work:
    """Return a section as a work: its headings stand one level higher."""
    blocks = (Block(b.text, max(b.level - 1, 0), b.speaker) for b in section.blocks)
    return Work(section.name, section.title, tuple(blocks))


def _epub(work: Work) -> bytes:
    sections = list(work.sections())
    if sections[0].title != work.title:
        sections.insert(0, Work(work.name, work.title, ()))
    pages = (html_of(_raised(each)).replace("<!DOCTYPE html>\n", "", 1) for each in sections)
    return epub([part(f"c{n}.xhtml", page.encode()) for n, page in enumerate(pages)])


def packed_layouts() -> Sequence[Layout]:
    """Return all layouts of archives, and those that LibreOffice makes."""
    word = partial(partial, _word)
    return [
        Layout("DOCX: styles", ".docx", word(styled=True)),
        Layout("DOCX: bold", ".docx", word(styled=False)),
        Layout("DOCX: table, sections", ".docx", _word_rows),
        Layout("DOCX: table, paragraphs", ".docx", _word_paragraph_rows, label=r"\d+"),
        Layout("ODT: styles", ".odt", lambda w: _odt(_odt_paragraphs(_with_title(w), True))),
        Layout("ODT: bold", ".odt", lambda w: _odt(_odt_paragraphs(_with_title(w), False))),
        Layout("ODT: table, sections", ".odt", lambda w: _odt(_odt_rows(w))),
        Layout("EPUB", ".epub", _epub),
    ]
