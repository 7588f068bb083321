"""Reader of Word files (DOCX)."""

import re
from typing import Any, Literal

from lxml import etree

from longsum.documents.conservation import RUNNING_HEAD
from longsum.documents.model import Document, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.office.docx_package import (
    Paragraph,
    WordFile,
    blocks_of,
    lays_out,
    read_package,
    rows_of,
    text_of,
)
from longsum.documents.readers.office.docx_styles import (
    OFF,
    Style,
    heading_level,
    number_of,
    value_of,
)
from longsum.documents.readers.structure.contents_and_indexes import (
    LISTED,
    REFERENCE,
    ListingsBuilder,
    is_listing_title,
)
from longsum.documents.readers.structure.heading_inference import infer_headings, styles_of_text
from longsum.documents.readers.xml.xml_tree import attribute, whole_number

_REFERENCES = {f"{kind}Reference": kind for kind in ("footnote", "endnote", "comment")}
_REMOVED = frozenset({"del", "moveFrom"})
_SIGNS = {
    **dict.fromkeys(("tab", "br", "cr"), " "),
    "noBreakHyphen": "-",
    "den": "/",
    "sup": "^",
    "sub": "_",
}
_SKIPPED = frozenset({"pPr", "rPr", "sectPr", "tblPr", "sdtPr", "rt", "fldData"})
_TITLE_RANK = -1
_LARGEST_PAGE = 10_000
"""Most characters of a page, on average."""
TitleUse = Literal["title", "cover", "chapters"]
_APPENDIX = re.compile(r"(?:appendix|annex)\b", re.IGNORECASE)


def read_docx(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read a Word file: its heading styles, or the outline levels of its styles, make sections.

    Lines that are only set off may be headings as well, in a file without styles at any level
    (`heading_inference`). Headings get the numbers that Word writes before them. Tracked insertions
    belong to the text, tracked deletions do not. Tables, pictures, captions, notes, comments,
    formulas on lines of their own, code, bibliographies, tables of contents, headers and footers
    are left out, each as an `Omission`. Pages are those of the last layout in Word, if the file
    records it.

    The parts are read with lxml, since python-docx knows neither notes nor numbers, tracked changes
    or text boxes, and would unpack pictures too.

    Raises:
        LongsumError: The file is damaged, encrypted or exceeds a limit.
    """
    file = read_package(data, source.name or "The input", limits)
    walk = _Walk(file)
    walk.read()
    builder = walk.builder
    for head in file.running_heads:
        builder.omit(RUNNING_HEAD, head)
    builder.language = file.language
    return builder.build(" ".join(walk.titles) or None, source, otherwise=file.title)


class _Walk:
    """Walks the body once, without recursion."""

    def __init__(self, file: WordFile) -> None:
        self.builder = ListingsBuilder()
        self.titles: list[str] = []
        self._file = file
        self._notes = dict(file.notes)
        self._open: list[Paragraph] = []
        self._carried: list[Paragraph] = []
        self._page = 1 if _is_paged(file.body) else None
        self._of_text = styles_of_text(
            (self._outline(paragraph), text_of(paragraph))
            for paragraph in file.body.iter("p")
            if self._outline(paragraph)[1] is not None
        )
        styled = any(self._level(paragraph) is not None for paragraph in file.body.iter("p"))
        self._title_use = self._use_of_titles(styled=styled)
        self._layout = {each for each in file.body.iter("tbl") if lays_out(each, self._level)}
        # If headings have styles, what is set off in tables is not a heading.
        seen = set[Any]() if styled else self._layout
        self._inferred = infer_headings(list(blocks_of(file, self._level, seen)))
        self._title_lines = set(self._inferred.title)

    def read(self) -> None:
        """Add everything to the builder."""
        walker = etree.iterwalk(self._file.body, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                if self._start(element):
                    walker.skip_subtree()
            elif element.tag == "p" and self._open and self._open[-1].element is element:
                self._end_paragraph(self._open.pop())
        self._emit_joined()

    def _start(self, element: Any) -> bool:
        """Open an element; return whether what is below it is done with."""
        tag = element.tag
        if tag == "p":
            self._open.append(self._paragraph(element))
        elif tag == "t":
            self._add(element.text or "")
        elif tag in _SKIPPED:
            return True
        elif tag in _SIGNS:
            self._add(_SIGNS[tag])
        elif tag == "lastRenderedPageBreak" and self._page is not None:
            self._turn_page(self._page + 1)
        elif tag == "tbl":
            return self._table(element)
        elif tag in _REFERENCES:
            self._note(_REFERENCES[tag], attribute(element, "id") or "")
        else:
            return self._leave_out(element, tag)
        return False

    def _leave_out(self, element: Any, tag: str) -> bool:
        """Leave out deletions, hidden runs, formulas and pictures; return whether it is one."""
        if tag in _REMOVED:
            texts = [part.text or "" for part in element.iter("delText", "t")]
            self._beside("deleted passage", "".join(texts))
            return True
        if tag == "r" and _is_hidden(element):
            self._beside("hidden passage", "".join(t.text or "" for t in element.iter("t")))
            return True
        if tag == "oMathPara":
            self._beside("formula", "".join(t.text or "" for t in element.iter("t")))
            return True
        if tag in ("pic", "imagedata"):
            self._beside("picture", _description(element))
        return False

    def _paragraph(self, element: Any) -> Paragraph:
        name = value_of(element, "pPr/pStyle") or self._file.default_style
        style = self._file.styles.get(name, Style())
        return Paragraph(element, style, name, [([], self._page)])

    def _add(self, text: str) -> None:
        if self._open:
            self._open[-1].pieces[-1][0].append(text)

    def _turn_page(self, page: int) -> None:
        self._page = page
        if not self._open:
            return
        pieces = self._open[-1].pieces
        before = "".join(pieces[-1][0])
        if not before.strip():
            pieces[-1] = (pieces[-1][0], self._page)
        elif before[-1].isspace():
            pieces.append(([], self._page))

    def _beside(self, kind: str, text: str) -> None:
        """Leave something out after the open paragraph, or here."""
        if self._open:
            self._open[-1].beside.append((kind, text))
        else:
            self.builder.omit(kind, text, self._page)

    def _note(self, kind: str, number: str) -> None:
        # A note that is referred to again is the same note.
        text = self._notes.pop((kind, number), None)
        if text is not None:
            self._beside(kind, text)

    def _table(self, table: Any) -> bool:
        """Leave out a table, unless it only lays out the page; return whether it did."""
        if table in self._layout:
            return False
        self._beside("table", "\n".join("\t".join(map(text_of, row)) for row in rows_of(table)))
        return True

    def _level(self, paragraph: Any) -> int | None:
        """Return the level of a heading from 0, None for text."""
        outline = self._outline(paragraph)
        return None if outline in self._of_text else outline[1]

    def _outline(self, paragraph: Any) -> tuple[str, int | None]:
        """Return the style of a paragraph, and its outline level."""
        name = value_of(paragraph, "pPr/pStyle") or self._file.default_style
        stated = number_of(paragraph, "pPr/outlineLvl")
        level = self._file.styles.get(name, Style()).level
        return name, level if stated is None else heading_level(stated)

    def _end_paragraph(self, paragraph: Paragraph) -> None:
        if self._open:
            self._open[-1].within.append(paragraph)
            return
        self._carried.append(paragraph)
        # If its end is deleted, it continues in the next paragraph.
        if paragraph.element.find("pPr/rPr/del") is None:
            self._emit_joined()

    def _emit_joined(self) -> None:
        """Add paragraphs that form one because their ends are deleted, and what is in them."""
        if not self._carried:
            return
        joined, self._carried = self._carried, []
        paragraph = joined[-1]
        paragraph.follow(joined[:-1])
        self._emit(paragraph)
        pending = list(reversed(paragraph.within))
        while pending:
            inner = pending.pop()
            self._emit(inner)
            pending.extend(reversed(inner.within))

    def _emit(self, paragraph: Paragraph) -> None:
        """Add a paragraph, and what is left out in it."""
        if text := paragraph.text:
            self._emit_text(paragraph, text)
        page = paragraph.pieces[0][1]
        for kind, beside in paragraph.beside:
            if beside.strip() or kind == "picture":
                self.builder.omit(kind, beside, page)

    def _emit_text(self, paragraph: Paragraph, text: str) -> None:
        kind = paragraph.style.kind
        page = paragraph.pieces[0][1]
        if kind == "code":
            self.builder.code("".join("".join(parts) for parts, _ in paragraph.pieces), page)
            return
        level = self._level(paragraph.element)
        inferred = self._inferred.headings.get(paragraph.element)
        label, listed = self._label(paragraph)
        if kind == "listed":
            self.builder.omit(LISTED, text, page)
        elif kind == "caption":
            self.builder.omit("caption", text, page)
        elif kind == "reference":
            self.builder.omit(REFERENCE, text, page)
        elif kind == "title" or paragraph.element in self._title_lines:
            self._add_title(text)
        elif inferred is not None:
            self.builder.inferred_heading(inferred.level, f"{label} {text}", inferred.evidence)
        elif level is not None:
            self.builder.heading(level, f"{label} {text}")
        else:
            lines = (("".join(parts), page) for parts, page in paragraph.pieces)
            self.builder.lines(lines, "list_item" if listed else None)

    def _add_title(self, text: str) -> None:
        if is_listing_title(text):
            self.builder.omit(LISTED, text)
        elif self._title_use == "cover":
            self.builder.paragraph(text, self._page)
        elif self._title_use == "title" and not _APPENDIX.match(text):
            self.titles.append(text)
        else:
            self.builder.heading(_TITLE_RANK, text)

    def _use_of_titles(self, *, styled: bool) -> TitleUse:
        """Return the role of paragraphs in the style of titles.

        Together they are the title of the document, except those of appendices. In several places
        they are chapters or, if all come before the first heading, lines of a cover.
        """
        places, before, headings = 0, False, False
        last_is_cover = True
        for paragraph in self._file.body.iter("p"):
            text = "".join(t.text or "" for t in paragraph.iter("t")).strip()
            if not text:
                continue
            headings = headings or self._level(paragraph) is not None
            style = self._file.styles.get(value_of(paragraph, "pPr/pStyle") or "", Style())
            is_title = style.names[:1] == ("title",)
            if is_title and not before and not _APPENDIX.match(text):
                places += 1
                last_is_cover = not headings
            before = is_title
        if places < 2:
            return "title"
        return "cover" if styled and last_is_cover else "chapters"

    def _label(self, paragraph: Paragraph) -> tuple[str, bool]:
        """Count a paragraph in its list; return its number, and whether it is in one."""
        element, style = paragraph.element, paragraph.style
        number = value_of(element, "pPr/numPr/numId") or style.numbering[0]
        if not number or number == "0":
            return "", False
        numbering = self._file.numbering
        depth = whole_number(value_of(element, "pPr/numPr/ilvl") or style.numbering[1])
        if depth is None:
            depth = numbering.level_of_style(paragraph.style_id)
        return numbering.next_label(number, depth), True


def _is_paged(body: Any) -> bool:
    """Return whether Word has recorded all page breaks, not just some of them."""
    breaks = sum(1 for _ in body.iter("lastRenderedPageBreak"))
    return breaks * _LARGEST_PAGE >= sum(len(t.text or "") for t in body.iter("t")) > 0


def _is_hidden(run: Any) -> bool:
    vanish = run.find("rPr/vanish")
    return vanish is not None and attribute(vanish, "val") not in OFF


def _description(picture: Any) -> str:
    """Return the alternative text of a picture."""
    for above in picture.iterancestors("inline", "anchor", "shape"):
        properties = above.find("docPr")
        stated = above.get("alt") if properties is None else properties.get("descr")
        return stated or ""
    return ""
