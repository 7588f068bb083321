"""Reader of PDF: text, pages, and sections from the outline where there is one."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from longsum.documents.builder import DocumentBuilder, clean
from longsum.documents.model import Document, Source
from longsum.documents.readers.contents import plain_title
from longsum.documents.readers.headings import heading_rank, is_numbered
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.pdf_process import Bookmark, PdfText, extract_pdf
from longsum.errors import LongsumError

_SENTENCE_END = tuple(".!?:;”\"')")
# PDFium marks a hyphen that it takes for a line break's with one of these.
_BROKEN_WORD = re.compile("[\x02\ufffe\u00ad]")
_FEWEST_PAGES_WITH_FURNITURE = 4


@dataclass(slots=True)
class _Line:
    text: str
    page: int


def read_pdf(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read a PDF's text layer.

    Lines join to paragraphs where a line runs to the right edge or does not end as a sentence does;
    lines that recur at the top or bottom of most pages are left out (a warning counts them).
    Sections come from the outline, or else from numbered headings.

    Raises:
        LongsumError: The file is encrypted, damaged, beyond a limit, or has no text layer.
    """
    name = source.name or "The input"
    return lay_out(extract_pdf(data, name, limits), source)


def lay_out(text: PdfText, source: Source) -> Document:
    """Make a document of the pages and the outline of a PDF; see `read_pdf`."""
    name = source.name or "The input"
    builder = DocumentBuilder()
    pages = [_page_lines(page, number) for number, page in enumerate(text.pages, start=1)]
    bookmarks = {page: list(_plain(entries)) for page, entries in text.outline.items()}
    empty = sum(not lines for lines in pages)
    if empty == len(pages):
        raise LongsumError(
            f"{name} has no text layer (its pages are pictures); run text recognition (OCR) first."
        )
    if empty:
        builder.warnings.append(f"{empty} of {len(pages)} pages have no text (pictures, perhaps).")
    removed = _remove_furniture(pages)
    if removed:
        builder.warnings.append(f"Left out: {removed} running headers, footers and page numbers.")
    if bookmarks:
        _add_with_outline(builder, pages, bookmarks)
    else:
        _add_text(builder, [line for lines in pages for line in lines])
    return builder.build(None, source, otherwise=text.title)


def _page_lines(text: str, page: int) -> list[_Line]:
    # A hyphen that breaks a word stands at a line's end: put the word together, but let `post-Cold`
    # and `mid-2020` keep theirs.
    text = _BROKEN_WORD.sub("\x02", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = re.sub("\x02\n?", "", re.sub("\x02\n?(?=[A-Z\\d])", "-", text))
    return [_Line(line, page) for raw in text.split("\n") if (line := clean(raw))]


def _plain(entries: Iterable[Bookmark]) -> Iterator[Bookmark]:
    """Yield the entries that have a title, without what a table of contents added to it."""
    for entry in entries:
        if title := plain_title(clean(entry.title)):
            yield Bookmark(entry.level, title)


def _remove_furniture(pages: list[list[_Line]]) -> int:
    """Drop lines that stand, up to their digits, at the edge of most pages; count them."""
    if len(pages) < _FEWEST_PAGES_WITH_FURNITURE:
        return 0
    seen = Counter(key for lines in pages for key in {_key(line.text) for line in _edges(lines)})
    recurring = {key for key, count in seen.items() if count > len(pages) / 2}
    removed = 0
    for lines in pages:
        edges = {id(line) for line in _edges(lines)}
        kept = [line for line in lines if id(line) not in edges or _key(line.text) not in recurring]
        removed += len(lines) - len(kept)
        lines[:] = kept
    return removed


def _edges(lines: list[_Line]) -> list[_Line]:
    return lines[:2] + lines[-2:]


def _key(text: str) -> str:
    return re.sub(r"\d+", "#", text.lower())


def _add_with_outline(
    builder: DocumentBuilder, pages: list[list[_Line]], bookmarks: dict[int, list[Bookmark]]
) -> None:
    pending: list[_Line] = []
    for number, lines in enumerate(pages, start=1):
        for bookmark in bookmarks.get(number, ()):
            place = _find(lines, bookmark.title)
            title = bookmark.title
            if place is not None:
                first, last = place
                pending.extend(lines[:first])
                # Outlines often lose the space where a heading breaks; the page has it.
                shown = " ".join(line.text for line in lines[first:last])
                title = shown if _letters(shown) == _letters(title) else title
                lines = lines[last:]
            _add_text(builder, pending, headings=False)
            pending = []
            builder.heading(bookmark.level, title)
        pending.extend(lines)
    _add_text(builder, pending, headings=False)


def _find(lines: list[_Line], title: str) -> tuple[int, int] | None:
    """Return the lines `[first, last)` that together are the title, if the page shows it."""
    wanted = _letters(title)
    for first in range(len(lines)):
        found = ""
        for last in range(first, min(first + 4, len(lines))):
            found += _letters(lines[last].text)
            if wanted and found.endswith(wanted) and len(found) <= len(wanted) + 8:
                return first, last + 1
            if len(found) > len(wanted) + 8:
                break
    return None


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _add_text(builder: DocumentBuilder, lines: list[_Line], headings: bool = True) -> None:
    for paragraph in _paragraphs(lines, headings):
        rank = heading_rank(paragraph[0].text) if headings and len(paragraph) == 1 else None
        if rank is not None and is_numbered(paragraph[0].text):
            builder.heading(rank, paragraph[0].text)
        else:
            builder.lines((line.text, line.page) for line in paragraph)


def _paragraphs(lines: list[_Line], headings: bool) -> Iterator[list[_Line]]:
    if not lines:
        return
    full_width = median(len(line.text) for line in lines)
    paragraph: list[_Line] = []
    for line in lines:
        alone = headings and is_numbered(line.text) and heading_rank(line.text) is not None
        if alone and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(line)
        ends = line.text.endswith(_SENTENCE_END) and len(line.text) < 0.85 * full_width
        if alone or ends:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph
