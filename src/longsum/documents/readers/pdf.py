"""Reader of PDF: text, pages, and sections from the outline where there is one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from longsum.documents.builder import DocumentBuilder, clean
from longsum.documents.model import Document, Kind, Source
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
from longsum.documents.readers.page_breaks import note_starts
from longsum.documents.readers.pdf_process import Bookmark, PdfText, extract_pdf
from longsum.documents.speakers import find_labels
from longsum.errors import LongsumError
from longsum.language.forms import note_number

_SENTENCE_END = tuple(".!?:;”\"')")
# PDFium replaces the hyphen of a word broken across lines by one of these.
_BROKEN_WORD = re.compile("[\x02\ufffe\u00ad]")


@dataclass(slots=True)
class _Line:
    text: str
    page: int
    listing: Listing | None = None
    is_note: bool = False


@dataclass(slots=True)
class _Part:
    """The lines under one entry of the outline; without an entry, those before the first."""

    bookmark: Bookmark | None
    lines: list[_Line]


def read_pdf(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read a PDF's text layer.

    A line joins the next in a paragraph if it runs to the right edge or does not end like a
    sentence, also over a page break and the footnotes before it. Lines that recur at the top or
    bottom of most pages are left out, with a warning.
    Sections come from the outline, or else from numbered headings.

    Raises:
        LongsumError: The file is encrypted, damaged, exceeds a limit, or has no text layer.
    """
    name = source.name or "The input"
    return lay_out(extract_pdf(data, name, limits), source)


def lay_out(text: PdfText, source: Source) -> Document:
    """Make a document from the pages and the outline of a PDF; see `read_pdf`."""
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
        builder.warnings.append(
            f"{empty} of {len(pages)} pages have no text (perhaps they are pictures)."
        )
    removed = _remove_furniture(pages)
    if removed:
        builder.warnings.append(f"Left out: {removed} running headers, footers and page numbers.")
    for page, start in zip(
        pages, note_starts([[line.text for line in page] for page in pages]), strict=True
    ):
        for line in page[start:]:
            line.is_note = True
    lines = [line for page in pages for line in page]
    if not lines:
        raise LongsumError(
            f"{name} has no text except page numbers and the like (perhaps its pages are "
            "pictures); run text recognition (OCR) first."
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
    # Rejoin words hyphenated at the end of a line, but keep the hyphen of `post-Cold` and
    # `mid-2020`.
    text = _BROKEN_WORD.sub("\x02", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = re.sub("\x02\n?", "", re.sub("\x02\n?(?=[A-Z\\d])", "-", text))
    return [_Line(line, page) for raw in text.split("\n") if (line := clean(raw))]


def _plain(entries: Iterable[Bookmark]) -> Iterator[Bookmark]:
    """Yield the entries that have a title, without leaders and page numbers."""
    for entry in entries:
        if title := plain_title(clean(entry.title)):
            yield Bookmark(entry.level, title)


def _remove_furniture(pages: list[list[_Line]]) -> int:
    """Drop running headers, footers and page numbers; return their number."""
    furniture = find_furniture([[line.text for line in lines] for lines in pages])
    for lines, places in zip(pages, furniture, strict=True):
        lines[:] = [line for place, line in enumerate(lines) if place not in places]
    return sum(map(len, furniture))


def _titles_of_lists(
    pages: list[list[_Line]], bookmarks: dict[int, list[Bookmark]]
) -> dict[int, str]:
    """Return the titles of contents and indexes by the position of the line that shows them."""
    found: dict[int, str] = {}
    before = 0
    for number, lines in enumerate(pages, start=1):
        for bookmark in bookmarks.get(number, ()):
            if _is_listing(bookmark.title) and (place := _find(lines, bookmark.title)):
                found[before + place[1] - 1] = bookmark.title
        before += len(lines)
    return found


def _parts(pages: list[list[_Line]], bookmarks: dict[int, list[Bookmark]]) -> list[_Part]:
    """Divide the lines at the entries of the outline, without the lines that show their titles."""
    parts = [_Part(None, [])]
    for number, lines in enumerate(pages, start=1):
        for bookmark in bookmarks.get(number, ()):
            place = _find(lines, bookmark.title)
            if place is not None:
                first, last = place
                parts[-1].lines.extend(lines[:first])
                # Outlines often lose the space where a heading wraps; the page has it.
                shown = " ".join(line.text for line in lines[first:last])
                if _letters(shown) == _letters(bookmark.title):
                    bookmark = Bookmark(bookmark.level, shown)
                lines = lines[last:]
            parts.append(_Part(bookmark, []))
        parts[-1].lines.extend(lines)
    return parts


def _find(lines: list[_Line], title: str) -> tuple[int, int] | None:
    """Return the range of lines `[first, last)` that show a title, if the page does."""
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
    """Add the parts; contents and indexes become sections only if they have subsections.

    Text below the listing goes into an untitled section.
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
    """Return the number of lines of the listing that a heading announces.

    All lines up to its last belong to it, unless most of them are text.
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
            alone = headings and len(paragraph) == 1 and not paragraph[0].is_note
            rank = heading_rank(paragraph[0].text) if alone else None
            if rank is not None and is_numbered(paragraph[0].text):
                builder.heading(rank, paragraph[0].text)
                last_rank = rank
            else:
                if opens and last_rank is not None:
                    builder.heading(last_rank, "")
                kind: Kind | None = "footnote" if paragraph[0].is_note else None
                builder.lines(((line.text, line.page) for line in paragraph), kind)
            opens = False


def _texts(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Yield the text between indexes, since text below one does not belong to the section above."""
    text: list[_Line] = []
    for line in lines:
        if line.listing is None:
            text.append(line)
        elif is_index_title(line.text):
            yield text
            text = []
    yield text


def _paragraphs(lines: list[_Line], headings: bool) -> Iterator[list[_Line]]:
    """Divide lines into paragraphs; the footnotes of a page follow the paragraph they interrupt."""
    if not lines:
        return
    full_width = median(len(line.text) for line in lines)
    labels = find_labels([line.text for line in lines])
    paragraph: list[_Line] = []
    notes: list[_Line] = []
    for line, label in zip(lines, labels, strict=True):
        if line.is_note:
            notes.append(line)
            continue
        alone = headings and is_numbered(line.text) and heading_rank(line.text) is not None
        if (alone or label is not None) and paragraph:
            yield paragraph
            paragraph = []
        if not paragraph:
            yield from _divided_notes(notes)
            notes = []
        paragraph.append(line)
        ends = line.text.endswith(_SENTENCE_END) and len(line.text) < 0.85 * full_width
        if alone or ends:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph
    yield from _divided_notes(notes)


def _divided_notes(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Yield each of several footnotes."""
    note: list[_Line] = []
    for line in lines:
        if note and note_number(line.text) is not None:
            yield note
            note = []
        note.append(line)
    if note:
        yield note
