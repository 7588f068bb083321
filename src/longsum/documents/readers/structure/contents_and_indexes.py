"""Leaves tables of contents and indexes out of marked-up documents."""

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import dropwhile

from longsum.documents.builder import DocumentBuilder
from longsum.documents.conservation import CODE
from longsum.documents.model import Kind
from longsum.documents.text_layout import Block, Heading
from longsum.language.characters import clean
from longsum.language.sentences import CLOSING, ends_as_sentence
from longsum.language.words import count_words

FEWEST_LINKS = 3
"""Fewest links in consecutive blocks of nothing but links for these to count as a listing."""

LISTED = "contents or index line"
"""The name of a line of a listing when it is left out."""
REFERENCE = "reference"
"""The name of an entry of a bibliography when it is left out."""
_EMPTYING = frozenset({LISTED, REFERENCE})


def listing_titles(kind: str) -> list[str]:
    """Return the titles of `contents` or an `index`, or its `subject`s (`listing_titles.txt`)."""
    text = files(__package__).joinpath("listing_titles.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines())
    return [title for of, _, titles in lines if of == kind for title in titles.split(", ")]


_TITLES = frozenset((*listing_titles("contents"), *listing_titles("index")))
_SUBJECTS = frozenset(listing_titles("subject"))
_PARTS = {"appendix", "annex", "chapter", "part", "section", "anhang", "kapitel", "annexe"}
_WORD = re.compile(r"[^\W_]+")
_ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_CLOSING = CLOSING + "」』 "
_FEWEST_WORDS = 8
_MOST_INDEXED = 6
_FEWEST_IN_CELL = 9
"""Fewest words of a cell that is a paragraph."""
_END = re.compile(r"[^\W\d_][.!?…][\"'”’)]?(?:\s|\Z)|[。！？।]")


def is_listing_title(title: str) -> bool:
    """Return whether a heading opens a table of contents or an index.

    `Contents`, `Appendix D. Function Index`, `Index of Names` and their equivalents in other
    languages do; `Consumer Price Index` does not.
    """
    *before, last = _WORD.findall(clean(title).casefold()) or [""]
    subjects = [*dropwhile(_is_number, before)]
    words = [*subjects, last]
    if " ".join(words) in _TITLES:
        return True
    if last in ("index", "indexes", "indices"):
        return all(word in _SUBJECTS or word.removesuffix("s") in _SUBJECTS for word in subjects)
    return words[:2] == ["index", "of"] and len(words) <= _MOST_INDEXED


def _is_number(word: str) -> bool:
    """Return whether a word may belong to the number of a heading."""
    return len(word) == 1 or word.isdigit() or word in _PARTS


def is_prose(text: str) -> bool:
    """Return whether a block is running text, unlike the lines of a listing."""
    return ends_as_sentence(text, _CLOSING) and count_words(text) >= _FEWEST_WORDS


def leads_within(reference: str | None) -> bool:
    """Return whether a link leads into the document, or to a neighbouring file."""
    return bool(reference) and not _ELSEWHERE.match(reference or "")


def count_links(letters: int, linked: int, links: int) -> int:
    """Return the number of links of a block if they make up most of it, else 0.

    Link density separates boilerplate from text (Kohlschütter et al. 2010, "Boilerplate Detection
    using Shallow Text Features", §4).

    `linked` is the number of its letters in links within the document, `links` that of these links.
    """
    return max(links, 1) if 0 < letters <= 2 * linked else 0


class ListingsBuilder(DocumentBuilder):
    """Leaves out tables of contents and indexes, and counts their lines.

    These are blocks that are not prose under the heading of a listing (`is_listing_title`), and
    consecutive blocks with at least `FEWEST_LINKS` links within the document and nothing else. A
    listing's heading with nothing left below it is left out too.
    """

    def __init__(self) -> None:
        super().__init__()
        # Blocks of links that wait for a decision, and their number of links.
        self._waiting_links: list[str] = []
        self._link_count = 0
        # Lines of code so far, and the page of the first.
        self._code: list[str] = []
        self._code_page: int | None = None
        # The current listing: the rank of its heading, the heading's position among the blocks,
        # and whether another heading has come since.
        self._rank: int | None = None
        self._opened = 0
        self._divided = False
        self._emptied: list[Heading] = []

    def heading(self, rank: int, title: str) -> None:
        """Start a section; a single letter only divides the index around it.

        A heading that repeats the one just before is dropped.
        """
        self._settle()
        last = self._blocks[-1] if self._blocks else None
        if isinstance(last, Heading) and (last.rank, last.title) == (rank, clean(title)):
            return
        letter = len(clean(title)) == 1
        if self._rank is not None and rank <= self._rank and not letter:
            self._close()
        if self._rank is not None:
            self._divided |= not letter
        elif is_listing_title(title):
            self._rank, self._opened, self._divided = rank, len(self._blocks), False
        super().heading(rank, title)

    def paragraph(self, text: str, page: int | None = None, kind: Kind | None = None) -> None:
        """Add a paragraph, or count it as a line of the current listing."""
        if self._rank is None:
            super().paragraph(text, page, kind)
        elif not is_prose(clean(text)):
            self._leave_line(text, page)
        else:
            # A sentence may introduce an index. Text under a heading of its own is not part of it.
            if self._divided:
                self._leave()
            super().paragraph(text, page, kind)

    def omit(self, kind: str, text: str = "", page: int | None = None) -> None:
        """Leave out a part; see `DocumentBuilder.omit`.

        The heading just read is left out too if only lines of listings or entries of a bibliography
        follow.
        """
        self._settle_code()
        super().omit(kind, text, page)
        if kind in _EMPTYING:
            self._empty()

    def code(self, line: str, page: int | None = None) -> None:
        """Leave out a line of code; consecutive ones are one part."""
        self._code_page = page if not self._code else self._code_page
        self._code.append(line)

    def links(self, text: str, count: int) -> None:
        """Add a block of nothing but a number of links within the document."""
        if self._rank is not None:
            self._leave_line(text)
        else:
            self._waiting_links.append(text)
            self._link_count += count

    def listing(self, lines: Sequence[str]) -> None:
        """Leave out the lines of a listing that is marked up as one.

        The heading just read is left out too if nothing else follows.
        """
        self._settle()
        for line in lines:
            self._leave_line(line)
        self._empty()

    def _leave_line(self, text: str, page: int | None = None) -> None:
        """Leave out a line of a listing that is recognized by its form; its heading may stay."""
        super().omit(LISTED, text, page)

    def _empty(self) -> None:
        """Mark the heading just read as one that may have nothing below it."""
        last = self._blocks[-1] if self._blocks else None
        if isinstance(last, Heading) and not (self._emptied and self._emptied[-1] is last):
            self._emptied.append(last)

    def _finish(self) -> None:
        self._settle()
        self._close()
        emptied = {id(heading) for heading in self._emptied}
        following = [*self._blocks, None][1:]
        self._blocks = [
            block
            for block, after in zip(self._blocks, following, strict=True)
            if id(block) not in emptied or not _ends(block, after)
        ]

    def _add(self, block: Block) -> None:
        self._settle()
        super()._add(block)

    def _settle(self) -> None:
        """Decide whether the waiting links are a listing, if there are enough, or text.

        Links that open a page lead to its neighbours. A few titles look like sentences; if most do,
        as on a news page, the links are text. But links that are questions are the contents of a
        page that answers them.
        """
        self._settle_code()
        blocks, self._waiting_links = self._waiting_links, []
        count, self._link_count = self._link_count, 0
        sentences = sum(is_prose(clean(block)) and not block.endswith("?") for block in blocks)
        fewest = FEWEST_LINKS if self._blocks else FEWEST_LINKS - 1
        if count >= fewest and 3 * sentences <= len(blocks):
            for block in blocks:
                self._leave_line(block)
        else:
            for block in blocks:
                super().paragraph(block)

    def _settle_code(self) -> None:
        lines, self._code = self._code, []
        if lines:
            super().omit(CODE, "\n".join(lines), self._code_page)

    def _close(self) -> list[Heading]:
        """End a listing; if nothing is left of it, remove and return its headings."""
        below = self._blocks[self._opened :]
        headings = [block for block in below if isinstance(block, Heading)]
        is_empty = self._rank is not None and len(headings) == len(below)
        self._rank = None
        if not is_empty:
            return []
        del self._blocks[self._opened :]
        return headings

    def _leave(self) -> None:
        """End a listing before other text; the headings above that text stay."""
        over: list[Heading] = []
        for heading in reversed(self._close()[1:]):
            if not over or heading.rank < over[-1].rank:
                over.append(heading)
        self._blocks.extend(reversed(over))


def _ends(heading: Block, after: Block | None) -> bool:
    """Return whether a heading has nothing below it, judging by the block that follows."""
    if not isinstance(heading, Heading) or after is None:
        return isinstance(heading, Heading)
    return isinstance(after, Heading) and after.rank <= heading.rank


def holds_text(cells: Iterable[str]) -> bool:
    """Return whether most of the words of a table are in cells that are paragraphs."""
    total = text = 0
    for cell in cells:
        words = count_words(cell)
        total += words
        text += words if words >= _FEWEST_IN_CELL and _END.search(cell) else 0
    return 2 * text > total
