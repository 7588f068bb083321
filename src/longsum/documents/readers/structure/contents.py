"""Finds tables of contents and indexes in plain lines: titles or terms with page numbers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from longsum.documents.readers.structure.contents_and_indexes import listing_titles

_LONGEST_LINE = 300
_LONGEST_TITLE = 80
# Possessive quantifiers keep matching linear: no line is tried with every possible split.
_PAGE = (
    r"(?:\d{1,5}+(?>(?:[-–.]\d{1,4})?)|[A-Z]{1,2}[-–.]?\d{1,4}+|[ivxlcdm]{1,8}+|[IVXLCDM]{1,8}+)"
)
_PAGES = rf"{_PAGE}(?>(?:(?:\s?[-–—]\s?|\s?[,;]\s?|\s){_PAGE}){{0,99}})[,.]?+"
# White space is matched only from where it begins.
_NO_LEADER = r"(?<![.…·‥_])(?<![.…·‥_]\s)(?:(?<!\s)|(?<=[.…·‥_]\s\s))"
_MARKS = re.compile(r"[.·_]\s?[.·_]\s?[.·_]|[…‥\t]")
# Four dots are always leaders; three, or a tab, only next to other such lines.
_LEADERS = re.compile(
    rf"(?P<title>.*?){_NO_LEADER}\s*+(?>(?:[.…·‥_]\s?+){{4,}}|(?:…\s?+){{2,}})\s*+"
    rf"(?P<pages>{_PAGES})"
)
_FEW_LEADERS = re.compile(
    rf"(?P<title>.*[^\s,;.…])(?:\s*\.\s?\.\s?\.\s*|\s*…\s*|[ ]*\t\s*)(?P<pages>{_PAGE})"
)
_DANGLING_LEADERS = re.compile(rf"{_NO_LEADER}\s*+(?>(?:[.…·‥]\s?+){{4,}}|(?:…\s?+){{2,}})$")
_ALONE = re.compile(_PAGE)
_AT_END = re.compile(rf"(?P<title>.*\S)\s+(?P<pages>{_PAGE})")

_NUMBER = r"(?:(?:appendix\s+)?(?:[a-z]|[ivxlc]{1,6}|\d{1,2})(?:\.\d{1,2}){0,3}[.:)]?\s+)?"
_CONTENTS_TITLE = re.compile(
    rf"{_NUMBER}(?:(?:(?:short|brief|summary|detailed|full)\s+)?(?:table\s+of\s+)?contents"
    r"|(?:list|table)\s+of\s+(?:figures|tables|illustrations|plates|maps|boxes|charts|examples"
    rf"|contents)(?:\s+and\s+(?:figures|tables))?|{'|'.join(listing_titles('contents'))})[.:]?",
    re.IGNORECASE,
)
_INDEX_TITLE = re.compile(
    rf"{_NUMBER}(?:(?:[\w’'./&-]+,?\s+){{0,5}}ind(?:ex|exes|ices)"
    rf"|ind(?:ex|ices)\s+(?:of|to|by)\s+[\w’' ,&-]{{1,60}}"
    rf"|{'|'.join(listing_titles('index'))})[.:]?",
    re.IGNORECASE,
)
_INDEX_ENTRY = re.compile(rf"(?P<title>[^\s,].{{0,90}}?)(?:,\s*|\s{{2,}}){_PAGES}")
_MORE_PAGES = re.compile(rf"(?=.*\d)[,;:]?\s*{_PAGES}")
_SEE = re.compile(r"(?:.{1,80}[,.;]?\s*)?\(?\bsee(?:\s+also)?\s+\S.{0,80}", re.IGNORECASE)
_LETTER = re.compile(
    r"[–—-]?\s?\W?\w?\s?[–—-]?|symbols|numbers|[A-Z]\s?[–—-]\s?[A-Z]", re.IGNORECASE
)
_SENTENCE_END = tuple(".!?;:”\"')。！？")

_AHEAD = 6
_OF_THEM = 2
"""An index ends where fewer than this many of the next `_AHEAD` lines are entries."""
_WRAPPED = 3
"""Lines allowed between two entries of a table of contents: titles that wrap."""
_MOST_WORDS = 24
_LARGEST_STEP = 500
"""Most pages between two entries; a larger number is a year."""
_FEWEST_ENTRIES = 3


class Listing(StrEnum):
    """The kind of listing that a line belongs to."""

    contents_line = "contents line"
    index_line = "index line"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table of contents: the title without leaders, and the page as printed."""

    title: str
    page: str


def contents_entry(line: str) -> Entry | None:
    """Parse a line of a table of contents: a title, leaders or a tab, and a page number.

    Leaders are dots, spaced or not, or ellipses: `1.1. Purpose ........ 1`. Returns None for any
    other line, including one that ends in a number without leaders.
    """
    found = _led(line, _LEADERS) or _led(line, _FEW_LEADERS)
    return None if found is None else Entry(found["title"].strip(), found["pages"])


def plain_title(title: str) -> str:
    """Return a title without the leaders and page number of a table of contents."""
    if entry := contents_entry(title):
        return entry.title or title
    return title if len(title) > _LONGEST_LINE else _DANGLING_LEADERS.sub("", title)


def is_contents_title(line: str) -> bool:
    """Return whether a heading opens a table of contents or a list of figures or tables."""
    return len(line) <= _LONGEST_TITLE and bool(_CONTENTS_TITLE.fullmatch(line.strip()))


def is_index_title(line: str) -> bool:
    """Return whether a heading opens an index, such as `Index` or `B Function Index`."""
    return len(line) <= _LONGEST_TITLE and bool(_INDEX_TITLE.fullmatch(line.strip()))


def find_listings(lines: Sequence[str]) -> list[Listing | None]:
    """Find the lines of tables of contents and indexes, in linear time.

    These are lines with leaders and a page, anywhere; lines under a contents heading, as long as
    they end in a page or recur later in the text; and lines under an index heading, as long as they
    end in pages. A listing includes its heading, and ends after a few consecutive lines of another
    form, so that text after it remains text.

    Args:
        lines: All lines of the document; none of them blank.

    Returns:
        The listing of each line; None for text.
    """
    found: list[Listing | None] = [
        Listing.contents_line if _led(line, _LEADERS) else None for line in lines
    ]
    again = _Again(lines)
    place = 0
    while place < len(lines):
        end = place
        title = lines[place]
        if is_contents_title(title):
            end = _end_of_contents(lines, found, place, again)
            kind = Listing.contents_line
        # Some languages use the same word for both.
        if end == place and (is_index_title(title) or is_contents_title(title)):
            end = _end_of_index(lines, found, place)
            kind = Listing.index_line
        if end > place:
            found[place:end] = [kind] * (end - place)
        place = max(end, place + 1)
    return found


def _led(line: str, leaders: re.Pattern[str]) -> re.Match[str] | None:
    may_be = len(line) <= _LONGEST_LINE and _MARKS.search(line)
    return leaders.fullmatch(line.strip()) if may_be else None


def _number(page: str) -> int | None:
    return int(page) if page.isdecimal() else None


_DISPLAY = re.compile(r"\A(?:table|figure|example)\s+(?=\d)", re.IGNORECASE)


class _Again:
    """The lines that recur later, alone or joined with the next; computed on first use."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._last: dict[str, int] | None = None

    def __call__(self, place: int) -> bool:
        if self._last is None:
            plain = [_letters(_DISPLAY.sub("", line)) for line in self._lines]
            pairs = (first + second for first, second in pairwise(plain))
            self._last = {letters: number for number, letters in enumerate(pairs)}
            for number, letters in enumerate(plain):
                self._last[letters] = max(number, self._last.get(letters, 0))
        letters = _letters(_DISPLAY.sub("", self._lines[place]))
        return len(letters) > 2 and self._last[letters] > place + 1


def _letters(line: str) -> str:
    return "".join(filter(str.isalnum, line.casefold())) if len(line) <= _LONGEST_LINE else ""


def _end_of_contents(
    lines: Sequence[str], found: Sequence[Listing | None], heading: int, again: _Again
) -> int:
    """Return the position after the table under a heading, or of the heading if there is none.

    An entry ends in a page, or recurs later.
    """
    titles: set[str] = set()
    entries = last_page = 0
    end = heading
    for place in range(heading + 1, len(lines)):
        letters = _letters(lines[place])
        # The text opens with the first title of the table; wrapped lines may recur within the
        # table.
        if letters in titles or place > end + _WRAPPED:
            break
        title, page = title_and_page(lines[place])
        number = _number(page)
        if found[place] is not None or (
            page and (number is None or last_page <= number <= last_page + _LARGEST_STEP)
        ):
            last_page = last_page if number is None else number
        elif not again(place):
            ended = lines[place].endswith(_SENTENCE_END) and len(lines[place].split()) > _AHEAD
            if ended:
                break
            continue
        # Page numbers may be on separate lines, and many titles share one.
        titles |= {letters, _letters(title)} - {""} if title else set()
        entries, end = entries + 1, place + 1
    return end if entries >= _FEWEST_ENTRIES else heading


def title_and_page(line: str) -> tuple[str, str]:
    """Split a line of a table of contents into title and page; either may be empty."""
    if entry := contents_entry(line):
        return entry.title, entry.page
    short = len(line) <= _LONGEST_LINE and len(line.split()) <= _MOST_WORDS
    if short and _ALONE.fullmatch(line):
        return "", line
    found = _AT_END.fullmatch(line) if short else None
    if found and any(map(str.isalpha, found["title"])):
        return found["title"], found["pages"]
    return line, ""


def _end_of_index(lines: Sequence[str], found: Sequence[Listing | None], heading: int) -> int:
    """Return the position after the index under a heading, or of the heading if there is none."""
    place = heading + 1
    entries = 0
    end = heading
    known: dict[int, bool] = {}

    def listed(place: int) -> bool:
        if place not in known:
            known[place] = found[place] is not None or _is_index_line(lines[place])
        return known[place]

    while place < len(lines):
        if listed(place):
            entries, end = entries + 1, place + 1
        else:
            ahead = range(place + 1, min(place + 1 + _AHEAD, len(lines)))
            if sum(map(listed, ahead)) < min(_OF_THEM, len(ahead)):
                break
        place += 1
    return end if entries >= _FEWEST_ENTRIES else heading


def _is_index_line(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and any(
        pattern.fullmatch(line) for pattern in (_INDEX_ENTRY, _AT_END, _MORE_PAGES, _LETTER, _SEE)
    )
