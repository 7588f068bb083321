"""Reader of PDF: text in reading order, pages, and the section tree with its evidence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.documents.builder import DocumentBuilder
from longsum.documents.conservation import RUNNING_HEAD
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.pdf.pdf_columns import lines_of, shared_gutters
from longsum.documents.readers.pdf.pdf_content import (
    Bookmark,
    Line,
    PdfText,
    Usual,
    gather,
    usual_setting,
)
from longsum.documents.readers.pdf.pdf_evidence import Candidate, candidates
from longsum.documents.readers.pdf.pdf_extraction import extract
from longsum.documents.readers.pdf.pdf_outline import (
    find_title_block,
    is_listing_title,
    listed_titles,
    stated_candidates,
    with_outline,
)
from longsum.documents.readers.pdf.pdf_paragraphs import (
    mark_notes,
    mend_words,
    paragraphs,
    without_running,
)
from longsum.documents.readers.structure.contents import find_listings, plain_title
from longsum.documents.readers.structure.heading_candidates import decode
from longsum.language.characters import clean, letters_of

Outline = dict[int, list[Bookmark]]


@dataclass(slots=True)
class _Part:
    """The lines under a heading; without one, those before the first."""

    heading: Candidate | None
    level: int
    lines: list[Line]
    title: str = ""


def read_pdf(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read a PDF's text layer.

    Columns are read one after the other; running heads and page numbers are left out, with a
    warning. Headings come from the entries of the outline, and from the tags, looks, numbers and
    positions of lines (`pdf_evidence`); together they are decoded into a tree
    (`heading_candidates`). Each section carries its evidence. How, and how well: docs/pdf.md.

    Raises:
        LongsumError: The file is encrypted, damaged, exceeds a limit, or has no text layer.
    """
    name = source.name or "The input"
    parts = extract(data, limits.pages, limits.characters)
    return lay_out(gather(parts, name, limits), source)


def lay_out(text: PdfText, source: Source) -> Document:
    """Make a document from the pages and the outline of a PDF; see `read_pdf`."""
    name = source.name or "The input"
    builder = DocumentBuilder()
    pages = _lines(text)
    outline = {page: list(_plain(entries)) for page, entries in text.outline.items()}
    empty = sum(not lines for lines in pages)
    if empty == len(pages):
        raise LongsumError(
            f"{name} has no text layer (its pages are pictures); run text recognition (OCR) first."
        )
    if empty:
        builder.warnings.append(
            f"Without text, perhaps pictures: {empty} of {counted(len(pages), 'page')}."
        )
    setting = usual_setting([line for page in pages for line in page])
    pages, running = without_running(pages, setting.size, setting.font)
    for line in running:
        builder.omit(RUNNING_HEAD, line.text, line.page)
    lines = [line for page in pages for line in page]
    if not lines:
        raise LongsumError(
            f"{name} has no text except page numbers and the like (perhaps its pages are "
            "pictures); run text recognition (OCR) first."
        )
    mark_notes(pages, setting)
    mend_words([line for line in lines if not line.is_note])
    mend_words([line for line in lines if line.is_note])
    pages = [[line for line in page if line.text] for page in pages]
    lines = [line for page in pages for line in page]
    for line, listing in zip(lines, find_listings([line.text for line in lines]), strict=True):
        line.listing = listing
    setting = usual_setting([line for line in lines if line.listing is None])
    headings, title = _headings(pages, lines, setting, outline)
    parts = _without_listings(_parts(lines, headings))
    listings = _Listings(builder, lines)
    for part in parts:
        if part.heading is not None:
            listings.leave_out(part.heading.first)
            builder.inferred_heading(part.level, part.title, part.heading.evidence)
        _add_text(builder, part.lines, setting, listings)
    listings.leave_out(len(lines))
    return builder.build(title or None, source, otherwise=text.title)


def _lines(text: PdfText) -> list[list[Line]]:
    pages: list[list[Line]] = []
    gutters = shared_gutters(text.pages)
    column = 0
    for number, page in enumerate(text.pages, start=1):
        pages.append(lines_of(page, number, column, gutters))
        column = pages[-1][-1].column + 1 if pages[-1] else column
    return pages


def _plain(entries: Iterable[Bookmark]) -> Iterator[Bookmark]:
    """Yield the entries that have a title, without leaders and page numbers."""
    for entry in entries:
        if title := plain_title(clean(entry.title)):
            yield Bookmark(entry.level, title, entry.top)


def _headings(
    pages: Sequence[Sequence[Line]], lines: Sequence[Line], setting: Usual, outline: Outline
) -> tuple[list[tuple[Candidate, int]], str]:
    """Return the headings with their levels, and the title that the first page shows."""
    found = candidates(lines, setting, listed_titles(lines))
    title = find_title_block(found, lines, setting)
    if title is not None:
        found = [each for each in found if each is not title]
    if outline:
        found = with_outline(found, stated_candidates(pages, outline))
    if title is not None:
        # The title may be in the outline too, above all other entries.
        own = letters_of(title.text)
        found = [each for each in found if not (each.stated and letters_of(each.text) == own)]
        for line in lines[title.first : title.last]:
            line.text = ""
    _raise(each for each in found if each.stated)
    _raise(each for each in found if not each.stated)
    levels = decode(found)
    chosen = [(each, level) for each, level in zip(found, levels, strict=True) if level]
    return chosen, title.text if title is not None else ""


def _raise(found: Iterable[Candidate]) -> None:
    """Count the levels in tags or outline from 1, as the title was above them."""
    known = [each for each in found if each.level is not None]
    above = min((each.level or 1 for each in known), default=1) - 1
    for each in known:
        each.level = (each.level or 1) - above


def _parts(lines: Sequence[Line], headings: Sequence[tuple[Candidate, int]]) -> list[_Part]:
    """Divide the lines at the headings, without the lines that show them."""
    parts = [_Part(None, 0, [])]
    place = 0
    for heading, level in headings:
        parts[-1].lines += lines[place : heading.first]
        parts.append(_Part(heading, level, [], heading.text))
        place = max(place, heading.last)
    parts[-1].lines += lines[place:]
    for part in parts:
        part.lines = [line for line in part.lines if line.text]
    return parts


def _without_listings(parts: Sequence[_Part]) -> list[_Part]:
    """Return the parts; contents and indexes are parts only if they have subsections.

    Text below the listing goes into an untitled part.
    """
    kept: list[_Part] = []
    for part in reversed(parts):
        if is_listing_title(part.title):
            listed = _listed(part.lines)
            part.lines = part.lines[listed:]
            below = kept[-1] if kept else None
            if below is None or below.level <= part.level:
                if not part.lines:
                    continue
                part.title = "" if listed else part.title
        kept.append(part)
    return kept[::-1]


class _Listings:
    """Leaves out the lines of contents and indexes, each at its position in the text."""

    def __init__(self, builder: DocumentBuilder, lines: Sequence[Line]) -> None:
        self._builder = builder
        self.places = {id(line): place for place, line in enumerate(lines)}
        self._waiting = [
            (place, line) for place, line in enumerate(lines) if line.listing is not None
        ][::-1]

    def leave_out(self, end: int) -> None:
        """Leave out what precedes a position."""
        while self._waiting and self._waiting[-1][0] < end:
            _, line = self._waiting.pop()
            self._builder.omit(str(line.listing), line.text, line.page)


def _listed(lines: Sequence[Line]) -> int:
    """Return the number of lines of the listing that a heading announces.

    All lines up to its last belong to it, unless most of them are text.
    """
    places = [place for place, line in enumerate(lines) if line.listing is not None]
    if not places or 2 * len(places) <= places[-1]:
        return 0
    for line in lines[: places[-1]]:
        line.listing = line.listing or lines[places[-1]].listing
    return places[-1] + 1


def _add_text(
    builder: DocumentBuilder, lines: Sequence[Line], setting: Usual, listings: _Listings
) -> None:
    shown = [line for line in lines if line.listing is None]
    for paragraph in paragraphs(shown, setting):
        listings.leave_out(listings.places[id(paragraph[0])])
        kind: Kind | None = "footnote" if paragraph[0].is_note else None
        if paragraph[0].font.mono and not setting.font.mono:
            for line in paragraph:
                builder.lines([(line.text, line.page)], "fragment")
            continue
        if sum(line.gaps > 1 for line in paragraph) > len(paragraph) / 2:
            kind = "table_row"
        builder.lines(((line.text, line.page) for line in paragraph), kind)
