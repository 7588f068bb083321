"""Reader of plain text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from longsum.documents.builder import DocumentBuilder, clean
from longsum.documents.heading_titles import bare_title
from longsum.documents.model import Document, Source
from longsum.documents.readers.contents import find_listings, is_index_title
from longsum.documents.readers.headings import heading_rank, underline_rank
from longsum.documents.readers.man_pages import as_man_page, indented_heading
from longsum.documents.readers.omitted import Omitted
from longsum.documents.readers.page_breaks import join_pages
from longsum.documents.speakers import split_turns

_BLANK = re.compile(r"\n(?>(?:[^\S\n]*+\n)+)")
_BLANK_OPENING = re.compile(r"\A(?>(?:[^\S\n]*+\n)+)")
_ITEM = re.compile(r"(\d{1,2})[.)]?\s")
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪–]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S")
_SENTENCE_END = tuple(".!?:\"'”’)")


def read_text(text: str, source: Source, warnings: list[str], title: str | None = None) -> Document:
    """Read plain text: blank lines separate paragraphs, headings are found by their pattern.

    A heading is alone between blank lines, is underlined, or is in capitals over indented lines, as
    in a manual page (`longsum.documents.readers.man_pages`). Consecutive numbered lines are a list,
    not headings. The lines of a paragraph are joined unless nearly all of them end like a sentence,
    they open with the labels of speakers (a transcript), or with bullets. Tables of contents and
    indexes are left out, and a warning counts their lines.
    """
    builder = DocumentBuilder()
    omitted = Omitted()
    text = _newlines(text).rstrip()
    page = as_man_page(text)
    if page is not None:
        text, title = page.text, title or page.title
        builder.warnings.append(f"Left out: {page.running} running headers and footers.")
    elif "\f" in text:
        text, running = join_pages(text)
        if running:
            builder.warnings.append(
                f"Left out: {running} running headers, footers and page numbers."
            )
    blocks = [block.split("\n") for block in _BLANK.split(_BLANK_OPENING.sub("", text))]
    blocks = _without_listings(blocks, omitted)
    builder.warnings.extend([*warnings, *omitted.warnings()])
    last_rank: int | None = None
    after_index = False
    for position, lines in enumerate(blocks):
        if not lines:
            after_index = True
            continue
        rank, below = _heading(blocks, position, man_page=page is not None)
        if rank is not None:
            builder.heading(rank, lines[0])
            last_rank = rank
        elif after_index and last_rank is not None:
            builder.heading(last_rank, "")
        after_index = False
        for paragraph in _paragraphs(below):
            builder.paragraph(paragraph)
    return builder.build(title, source)


def _heading(
    blocks: list[list[str]], position: int, *, man_page: bool
) -> tuple[int | None, list[str]]:
    """Return the rank of the heading that opens a block, None if none does, and the text below."""
    lines = blocks[position]
    if len(lines) >= 2 and (rank := underline_rank(lines[0], lines[1])) is not None:
        return rank, lines[2:]
    if (rank := indented_heading(lines, man_page=man_page)) is not None:
        return rank, lines[1:]
    if len(lines) == 1 and not _in_list(blocks, position):
        rank = heading_rank(lines[0].strip())
        return rank, [] if rank is not None else lines
    return None, lines


def _without_listings(blocks: list[list[str]], omitted: Omitted) -> list[list[str]]:
    """Drop the lines of contents and indexes; an empty block marks an index with a heading.

    Text below such an index does not belong to the section above it.
    """
    stripped = [line.strip() for lines in blocks for line in lines]
    listings = iter(find_listings([line for line in stripped if line]))
    kept: list[list[str]] = []
    for lines in blocks:
        rest: list[str] = []
        index = False
        for line in lines:
            listing = next(listings) if line.strip() else None
            if listing is None:
                rest.append(line)
                continue
            omitted.count(listing)
            index = index or is_index_title(line)
        kept.extend([rest] * bool(rest) + [[]] * index)
    return kept


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _in_list(blocks: list[list[str]], position: int) -> bool:
    """Return whether a neighbour of a numbered line has the next, previous or same number.

    Many lists number all their items 1.
    """
    own = _item_number(blocks[position])
    if own is None:
        return False
    before = _item_number(blocks[position - 1]) if position else None
    after = _item_number(blocks[position + 1]) if position + 1 < len(blocks) else None
    return before in (own - 1, own) or after in (own, own + 1)


def _item_number(block: list[str]) -> int | None:
    found = _ITEM.match(bare_title(clean(block[0]))) if len(block) == 1 else None
    return int(found[1]) if found else None


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Divide the lines between two blank ones: turns, list items, or one paragraph."""
    for turn in split_turns(lines):
        for part in _items(turn):
            full = [line for line in part[:-1] if line.strip()]
            ended = sum(line.rstrip().endswith(_SENTENCE_END) for line in full)
            if len(full) >= 2 and ended >= 0.8 * len(full):
                yield from part
            else:
                yield "\n".join(part)


def _items(lines: list[str]) -> Iterator[list[str]]:
    """Divide lines before each that opens with a bullet, if at least two do."""
    places = [place for place, line in enumerate(lines) if _BULLET.match(line)]
    edges = [0, *(place for place in places if place), len(lines)] if len(places) > 1 else None
    for first, last in pairwise(edges or (0, len(lines))):
        if first < last:
            yield lines[first:last]
