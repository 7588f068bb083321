"""Reader of PDF: text, pages, and sections from the outline where there is one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from longsum.documents.builder import DocumentBuilder, clean
from longsum.documents.model import Document, Source
from longsum.documents.readers.contents import (
    Listing,
    find_listings,
    is_contents_title,
    is_index_title,
    plain_title,
)
from longsum.documents.readers.furniture import find_furniture
from longsum.documents.readers.headings import heading_rank, is_numbered
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.omitted import Omitted
from longsum.documents.readers.pdf_process import Bookmark, PdfText, extract_pdf
from longsum.errors import LongsumError

_SENTENCE_END = tuple(".!?:;”\"')")
# PDFium marks a hyphen that it takes for a line break's with one of these.
_BROKEN_WORD = re.compile("[\x02\ufffe\u00ad]")


@dataclass(slots=True)
class _Line:
    text: str
    page: int
    listing: Listing | None = None


@dataclass(slots=True)
class _Part:
    """The lines under one entry of the outline; under none, before the first."""

    bookmark: Bookmark | None
    lines: list[_Line]


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
    lines = [line for page in pages for line in page]
    if not lines:
        raise LongsumError(
            f"{name} has no text but page numbers and the like (its pages are pictures, perhaps); "
            "run text recognition (OCR) first."
        )
    listings = find_listings([line.text for line in lines], _titles_of_lists(pages, bookmarks))
    for line, listing in zip(lines, listings, strict=True):
        line.listing = listing
    if bookmarks:
        _add_parts(builder, _parts(pages, bookmarks))
    else:
        _add_text(builder, lines)
    omitted = Omitted()
    for line in lines:
        if line.listing is not None:
            omitted.count(line.listing)
    builder.warnings.extend(omitted.warnings())
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
    """Drop running heads, feet and page numbers; count them."""
    furniture = find_furniture([[line.text for line in lines] for lines in pages])
    for lines, places in zip(pages, furniture, strict=True):
        lines[:] = [line for place, line in enumerate(lines) if place not in places]
    return sum(map(len, furniture))


def _titles_of_lists(
    pages: list[list[_Line]], bookmarks: dict[int, list[Bookmark]]
) -> dict[int, str]:
    """Return the titles of contents and indexes by the line that shows them, counted over all."""
    found: dict[int, str] = {}
    before = 0
    for number, lines in enumerate(pages, start=1):
        for bookmark in bookmarks.get(number, ()):
            if _is_listing(bookmark.title) and (place := _find(lines, bookmark.title)):
                found[before + place[1] - 1] = bookmark.title
        before += len(lines)
    return found


def _parts(pages: list[list[_Line]], bookmarks: dict[int, list[Bookmark]]) -> list[_Part]:
    """Part the lines at the entries of the outline, without the lines that show their titles."""
    parts = [_Part(None, [])]
    for number, lines in enumerate(pages, start=1):
        for bookmark in bookmarks.get(number, ()):
            place = _find(lines, bookmark.title)
            if place is not None:
                first, last = place
                parts[-1].lines.extend(lines[:first])
                # Outlines often lose the space where a heading breaks; the page has it.
                shown = " ".join(line.text for line in lines[first:last])
                if _letters(shown) == _letters(bookmark.title):
                    bookmark = Bookmark(bookmark.level, shown)
                lines = lines[last:]
            parts.append(_Part(bookmark, []))
        parts[-1].lines.extend(lines)
    return parts


def _find(lines: list[_Line], title: str) -> tuple[int, int] | None:
    """Return the lines `[first, last)` that together are the title, if the page shows it."""
    wanted = _letters(title)
    of_listing = _is_listing(title)
    for first in range(len(lines)):
        found = ""
        if lines[first].listing is not None and not of_listing:
            continue
        for last in range(first, min(first + 4, len(lines))):
            found += _letters(lines[last].text)
            if wanted and found.endswith(wanted) and len(found) <= len(wanted) + 8:
                return first, last + 1
            if len(found) > len(wanted) + 8:
                break
    return None


def _is_listing(title: str) -> bool:
    return is_contents_title(title) or is_index_title(title)


def _add_parts(builder: DocumentBuilder, parts: list[_Part]) -> None:
    """Add the parts; contents and indexes are no sections unless they have sections of their own.

    What stands below the list gets a section without a title.
    """
    kept: list[_Part] = []
    for part in reversed(parts):
        bookmark = part.bookmark
        if bookmark is not None and _is_listing(bookmark.title):
            listed = _listed(part.lines)
            part.lines = part.lines[listed:]
            below = kept[-1].bookmark if kept else None
            if below is None or below.level <= bookmark.level:
                if not part.lines:
                    continue
                if listed:
                    part.bookmark = Bookmark(bookmark.level, "")
        kept.append(part)
    for part in reversed(kept):
        if part.bookmark is not None:
            builder.heading(part.bookmark.level, part.bookmark.title)
        _add_text(builder, part.lines, headings=False)


def _listed(lines: list[_Line]) -> int:
    """Return how many lines the table or index takes that a heading says stands below it.

    All lines up to its last are its own, unless most of them are text.
    """
    places = [place for place, line in enumerate(lines) if line.listing is not None]
    if not places or 2 * len(places) <= places[-1]:
        return 0
    for line in lines[: places[-1]]:
        line.listing = line.listing or lines[places[-1]].listing
    return places[-1] + 1


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _add_text(builder: DocumentBuilder, lines: list[_Line], headings: bool = True) -> None:
    last_rank: int | None = None
    for number, text in enumerate(_texts(lines)):
        opens = number > 0
        for paragraph in _paragraphs(text, headings):
            rank = heading_rank(paragraph[0].text) if headings and len(paragraph) == 1 else None
            if rank is not None and is_numbered(paragraph[0].text):
                builder.heading(rank, paragraph[0].text)
                last_rank = rank
            else:
                if opens and last_rank is not None:
                    builder.heading(last_rank, "")
                builder.lines((line.text, line.page) for line in paragraph)
            opens = False


def _texts(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Yield the text between indexes: what stands below one is not of the section above it."""
    text: list[_Line] = []
    for line in lines:
        if line.listing is None:
            text.append(line)
        elif is_index_title(line.text):
            yield text
            text = []
    yield text


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
