"""Reader of plain text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from longsum.documents.builder import DocumentBuilder
from longsum.documents.conservation import CODE, RUNNING_HEAD, tabbed
from longsum.documents.heading_titles import bare_title
from longsum.documents.model import Document, Source
from longsum.documents.readers.plain.plain_forms import (
    as_info,
    as_man_page,
    indented_heading,
)
from longsum.documents.readers.plain.plain_layout import (
    BULLET,
    definitions_of,
    hanging_term,
    indent,
    is_centred,
    is_code,
    is_masthead,
    is_table,
    layout_of,
    parts_by_indent,
)
from longsum.documents.readers.plain.plain_lines import (
    even_lines,
    find_titles,
    is_question_title,
    paragraphs_of,
    without_tags,
)
from longsum.documents.readers.structure.contents import find_listings, is_index_title
from longsum.documents.readers.structure.contents_and_indexes import holds_text
from longsum.documents.readers.structure.furniture import join_pages, with_form_feeds
from longsum.documents.readers.structure.heading_candidates import USUAL_TITLES
from longsum.documents.readers.structure.headings import (
    MARGIN_RANK,
    TITLE_RANK,
    find_clauses,
    heading_rank,
    margin_rank,
    underline_rank,
)
from longsum.documents.speakers import split_turns
from longsum.language.broken_words import mend_lines
from longsum.language.characters import clean
from longsum.language.sentences import ends_as_sentence

_BLANK = re.compile(r"\n(?>(?:[^\S\n]*+\n)+)")
_BLANK_OPENING = re.compile(r"\A(?>(?:[^\S\n]*+\n)+)")
_ITEM = re.compile(r"(\d{1,2})[.)]?\s")
_SENTENCE_END = tuple(".!?:\"'”’)")
_FEWEST_MARGIN_HEADINGS = 3
_CLOSING_MARK = re.compile(r"\W*(?:the )?end(?: of [\w\s]+)?\W*", re.IGNORECASE)


def read_text(text: str, source: Source, title: str | None = None) -> Document:
    """Read plain text: blank lines separate paragraphs, headings are found by form and position.

    A heading is alone between blank lines, is underlined, is centred, is at the margin of a text
    that is indented, as in an RFC, or is in capitals over indented lines, as in a manual page;
    clauses and questions have numbers that count up; an Info file has nodes (`plain_forms`,
    `headings`). Consecutive numbered lines are a list, not headings. The lines of a paragraph are
    joined unless nearly all of them end like a sentence, they open with the labels of speakers (a
    transcript), or with bullets. Tables of contents, indexes, tables, code, and the headers and
    footers of pages are left out, and a warning counts them; so are the tags of a text enclosed by
    tags, as in SGML.
    """
    builder = DocumentBuilder()
    text, tags = without_tags(_newlines(text))
    if tags:
        builder.warnings.append(f"Tags are not text and were removed: {', '.join(tags)}.")
    from longsum.documents.readers.plain.spoken_forms import as_captions, as_chat

    captions = as_captions(text)
    spoken = as_chat(text) if captions is None else captions
    text = even_lines(text if spoken is None else spoken).rstrip()
    page = as_man_page(text)
    if page is None and (info := as_info(text)) is not None:
        text = info.text
        for kind, part in info.left_out:
            builder.omit(kind, part)
    running: list[str] = []
    if page is not None:
        text, title, running = page.text, title or page.title, page.running
    elif "\f" in (paged := with_form_feeds(text)):
        text, running = join_pages(paged)
    for line in running:
        builder.omit(RUNNING_HEAD, line)
    lines = _blocks(mend_lines(text), divided=page is None)
    reading = _Reading(builder, _without_listings(lines), man_page=page is not None)
    reading.read()
    return builder.build(reading.title if title is None else title, source)


def add_text(text: str, builder: DocumentBuilder) -> bool:
    """Add preformatted text to a document, with the headings that `read_text` finds in it.

    Returns:
        Whether it was added; it is not if most of it is not text.
    """
    blocks = _blocks(mend_lines(even_lines(_newlines(text)).rstrip()), divided=True)
    if not holds_text(" ".join(lines) for lines in blocks):
        return False
    _Reading(builder, _without_listings(blocks), man_page=False, whole=False).read()
    return True


def _blocks(text: str, *, divided: bool) -> list[list[str]]:
    """Return the lines between blank ones, divided also where paragraphs and titles begin."""
    blocks = [block.split("\n") for block in _BLANK.split(_BLANK_OPENING.sub("", text))]
    return [part for block in blocks for part in paragraphs_of(block)] if divided else blocks


@dataclass(slots=True)
class _Block:
    """The lines between two blank ones.

    Its lines are those without listings; `listed` are those of contents and indexes.
    """

    lines: list[str] = field(default_factory=list)
    listed: list[tuple[str, str]] = field(default_factory=list)
    is_index: bool = False


class _Reading:
    """Reads the blocks of a text into a builder."""

    def __init__(
        self, builder: DocumentBuilder, blocks: list[_Block], *, man_page: bool, whole: bool = True
    ) -> None:
        """Prepare to read.

        `whole` tells whether the blocks are the whole document, and not a part of it.
        """
        self._builder = builder
        self._blocks = blocks
        self._lines = [block.lines for block in blocks]
        self._man_page = man_page
        self._layout = layout_of(self._lines)
        self._clauses = {} if man_page else find_clauses(self._lines)
        self._titles = set() if man_page else find_titles(self._lines)
        self._opened = not whole
        # Whether headings are at the margin, with indented text below them.
        at_margin = sum(self._margin_rank(lines) is not None for lines in self._lines)
        may_be = self._layout.body > 0 and not man_page
        self._indented = may_be and at_margin >= _FEWEST_MARGIN_HEADINGS
        self.title: str | None = None
        """The title of the text where its place says so."""

    def read(self) -> None:
        """Add all blocks to the builder."""
        last_rank: int | None = None
        after_index = False
        for position, block in enumerate(self._blocks):
            for kind, line in block.listed:
                self._leave_out(kind, line)
            after_index |= block.is_index
            if not block.lines:
                continue
            rank, below = self._heading(position)
            heading = block.lines[0]
            if clause := self._clauses.get(position):
                rank, below = MARGIN_RANK, [clause.rest] if clause.rest else []
                heading = clause.title
            if rank is not None:
                self._builder.heading(rank, heading)
                last_rank, self._opened = rank, True
            elif after_index and last_rank is not None:
                self._builder.heading(last_rank, "")
            after_index = False
            if below:
                self._body(below)

    def _heading(self, position: int) -> tuple[int | None, list[str]]:
        """Return the rank of the heading that opens a block, None if none does, and the rest."""
        lines = self._lines[position]
        if len(lines) >= 2 and (rank := underline_rank(lines[0], lines[1])) is not None:
            # The names of columns are underlined too.
            return (None, lines) if is_table(lines) else (rank, lines[2:])
        if (rank := indented_heading(lines, man_page=self._man_page)) is not None:
            return rank, lines[1:]
        if not self._man_page and all(is_centred(line, self._layout) for line in lines):
            return self._centred(lines)
        if len(lines) != 1 or self._in_list(position) or _CLOSING_MARK.fullmatch(lines[0]):
            return None, lines
        rank = self._margin_rank(lines) if self._indented else self._plain_rank(lines[0])
        if rank is None and not self._indented and position in self._titles:
            return self._unnumbered(position)
        return rank, [] if rank is not None else lines

    def _unnumbered(self, position: int) -> tuple[int | None, list[str]]:
        """Take a line as the title if it opens the text, else as a heading."""
        title = self._lines[position][0].strip()
        usual = USUAL_TITLES.fullmatch(title) is not None
        if position == 0 and not self._opened and self.title is None and not usual:
            self.title = title
            return None, []
        if position == 0 and not usual:
            return TITLE_RANK, []
        return MARGIN_RANK, []

    def _plain_rank(self, line: str) -> int | None:
        return None if self._man_page and indent(line) > 0 else heading_rank(line.strip())

    def _centred(self, lines: list[str]) -> tuple[int | None, list[str]]:
        """Take centred lines as the title if they open the text, else as a heading."""
        if not self._opened and self.title is None:
            self.title = lines[0].strip()
            return None, lines[1:]
        if self._indented or len(lines) > 1 or ends_as_sentence(lines[0]):
            return None, lines
        return (None, lines) if _CLOSING_MARK.fullmatch(lines[0]) else (TITLE_RANK, [])

    def _margin_rank(self, lines: list[str]) -> int | None:
        """Return the rank of a heading at the margin, or of a subsection within the indent."""
        if len(lines) != 1 or indent(lines[0]) > self._layout.body:
            return None
        text = lines[0].strip()
        # A question may be text as well; in a title all words have capitals.
        asks = text.endswith("?") and not is_question_title(text)
        rank = None if asks else margin_rank(text)
        return rank if indent(lines[0]) == 0 or (rank or 0) > MARGIN_RANK else None

    def _in_list(self, position: int) -> bool:
        """Return whether a neighbour of a numbered line has the next, previous or same number.

        Many lists number all their items 1.
        """
        own = _item_number(self._lines[position])
        if own is None:
            return False
        near = (
            self._lines[max(position - 1, 0) : position],
            self._lines[position + 1 : position + 2],
        )
        before, after = (_item_number(lines[0]) if lines else None for lines in near)
        return before in (own - 1, own) or after in (own, own + 1)

    def _body(self, lines: list[str]) -> None:
        """Add the text of a block, or leave it out if it is a table or code."""
        for part in parts_by_indent(lines):
            if not self._opened and is_masthead(part):
                self._leave_out("masthead", "\n".join(part))
            elif is_table(part):
                for entry in (entries := definitions_of(part)):
                    self._define(*entry)
                if not entries:
                    self._leave_out("table", "\n".join(part))
            elif is_code(part, self._layout):
                self._leave_out(CODE, "\n".join(part))
            elif term := hanging_term(part):
                self._define(term, "\n".join(part[1:]))
            else:
                for paragraph in _paragraphs(part):
                    self._add(paragraph)

    def _define(self, term: str, definition: str) -> None:
        # The number of a verse or clause is not a term.
        mark = "" if term.endswith(":") or not any(map(str.isalpha, term)) else ":"
        self._add(f"{term}{mark} {definition}", is_item=True)

    def _add(self, text: str, *, is_item: bool = False) -> None:
        self._builder.paragraph(text, kind="list_item" if is_item else None)
        self._opened |= ends_as_sentence(text.rstrip())

    def _leave_out(self, kind: str, text: str) -> None:
        self._builder.omit(kind, tabbed(text))


def _without_listings(blocks: list[list[str]]) -> list[_Block]:
    """Return the blocks with the lines of contents and indexes separated.

    Text below an index does not belong to the section above it.
    """
    stripped = [line.strip() for lines in blocks for line in lines]
    listings = iter(find_listings([line for line in stripped if line]))
    kept: list[_Block] = []
    for lines in blocks:
        block = _Block()
        for line in lines:
            listing = next(listings) if line.strip() else None
            if listing is None:
                block.lines.append(line)
                continue
            block.listed.append((listing, line.strip()))
            block.is_index |= is_index_title(line)
        kept.append(block)
    return kept


def _newlines(text: str) -> str:
    """Return a text with line feeds at the ends of its lines, and no blanks before them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines)


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
    places = [place for place, line in enumerate(lines) if BULLET.match(line)]
    edges = [0, *(place for place in places if place), len(lines)] if len(places) > 1 else None
    for first, last in pairwise(edges or (0, len(lines))):
        if first < last:
            yield lines[first:last]
