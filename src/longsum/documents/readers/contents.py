"""Contents and index pages: lines that list titles or words with their pages, and say nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

_LONGEST_LINE = 300
_LONGEST_TITLE = 80
# Quantifiers do not give back what they took: no line may be tried in every division.
_PAGE = r"(?:\d{1,5}+(?:[-–.]\d{1,4}+)?+|[A-Z]{1,2}[-–.]?\d{1,4}+|[ivxlcdm]{1,8}+|[IVXLCDM]{1,8}+)"
_PAGES = rf"{_PAGE}(?:(?:\s?[-–—]\s?|\s?[,;]\s?|\s){_PAGE}){{0,99}}+[,.]?+"
_NO_LEADER = r"(?<![.…·‥_])(?<![.…·‥_]\s)"
_MARKS = re.compile(r"[.·_]\s?[.·_]\s?[.·_]|[…‥\t]")
# Four dots are leaders wherever they stand; three, or a tab, are where other such lines are.
_LEADERS = re.compile(
    rf"(?P<title>.*?){_NO_LEADER}\s*+(?:(?:[.…·‥_]\s?+){{4,}}+|(?:…\s?+){{2,}}+)\s*+"
    rf"(?P<pages>{_PAGES})"
)
_FEW_LEADERS = re.compile(
    rf"(?P<title>.*[^\s,;.…])(?:\s*\.\s?\.\s?\.\s*|\s*…\s*|[ ]*\t\s*)(?P<pages>{_PAGE})"
)
_DANGLING_LEADERS = re.compile(rf"{_NO_LEADER}\s*+(?:(?:[.…·‥]\s?+){{4,}}+|(?:…\s?+){{2,}}+)$")
_ALONE = re.compile(_PAGE)
_AT_END = re.compile(rf"(?P<title>.*\S)\s+(?P<pages>{_PAGE})")

_NUMBER = r"(?:(?:appendix\s+)?(?:[a-z]|[ivxlc]{1,6}|\d{1,2})(?:\.\d{1,2}){0,3}[.:)]?\s+)?"
_CONTENTS_TITLE = re.compile(
    rf"{_NUMBER}(?:(?:(?:short|brief|summary|detailed|full)\s+)?(?:table\s+of\s+)?contents"
    r"|(?:list|table)\s+of\s+(?:figures|tables|illustrations|plates|maps|boxes|charts"
    r"|contents)(?:\s+and\s+(?:figures|tables))?"
    r"|inhalt(?:sverzeichnis)?|table\s+des\s+mati[eè]res|sommaire|[ií]ndice(?:\s+general)?"
    r"|sommario|inhoud(?:sopgave)?|innehåll|目次|目录|目錄)[.:]?",
    re.IGNORECASE,
)
_INDEX_TITLE = re.compile(
    rf"{_NUMBER}(?:(?:[\w’'./&-]+,?\s+){{0,5}}ind(?:ex|exes|ices)"
    r"|ind(?:ex|ices)\s+(?:of|to|by)\s+[\w’' ,&-]{1,60}"
    r"|stichwortverzeichnis|sachregister|personenregister|register|索引)[.:]?",
    re.IGNORECASE,
)
_INDEX_ENTRY = re.compile(rf"(?P<title>[^\s,].{{0,90}}?)(?:,\s*|\s{{2,}}){_PAGES}")
_MORE_PAGES = re.compile(rf"(?=.*\d)[,;:]?\s*{_PAGES}")
_SEE = re.compile(r"(?:.{1,80}[,.;]?\s*)?\(?\bsee(?:\s+also)?\s+\S.{0,80}", re.IGNORECASE)
_LETTER = re.compile(
    r"[–—-]?\s?\W?\w?\s?[–—-]?|symbols|numbers|[A-Z]\s?[–—-]\s?[A-Z]", re.IGNORECASE
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_SENTENCE_END = tuple(".!?;:”\"')。！？")

_AHEAD = 6
_OF_THEM = 2
"""The next lines of which so many must be entries of an index, or else it has ended."""
_WRAPPED = 3
"""Lines that may stand between two entries of a table of contents: titles over several lines."""
_MOST_WORDS = 24
_LARGEST_STEP = 500
"""Pages between two entries; further on stands a year."""
_FEWEST_ENTRIES = 3
_SHORTEST_BARE_INDEX = 12
"""Entries in alphabetical order that are an index though no heading says so."""


class Listing(StrEnum):
    """What a line that is no text belongs to."""

    contents_line = "contents line"
    index_line = "index line"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table of contents: the title without leaders, and the page as it is written."""

    title: str
    page: str


def contents_entry(line: str) -> Entry | None:
    """Read a line of a table of contents: leaders, or a tab, then a page at its end.

    The leaders are dots, spaced or not, or ellipses: `1.1. Purpose ........ 1`. None for any other
    line, so for one that ends in a number with nothing before it.
    """
    found = _led(line) or _led_by_few(line)
    return None if found is None else Entry(found["title"].strip(), found["pages"])


def plain_title(title: str) -> str:
    """Return a title without the leaders and the page that a table of contents gave it."""
    if entry := contents_entry(title):
        return entry.title or title
    return title if len(title) > _LONGEST_LINE else _DANGLING_LEADERS.sub("", title)


def is_contents_title(line: str) -> bool:
    """Tell whether a heading is that of a table of contents, or of a list of figures or tables."""
    return len(line) <= _LONGEST_TITLE and bool(_CONTENTS_TITLE.fullmatch(line.strip()))


def is_index_title(line: str) -> bool:
    """Tell whether a heading is that of an index, `Index` or `B Function Index`."""
    return len(line) <= _LONGEST_TITLE and bool(_INDEX_TITLE.fullmatch(line.strip()))


def find_listings(
    lines: Sequence[str], titles: Mapping[int, str] | None = None
) -> list[Listing | None]:
    """Tell which lines are of a table of contents or an index; takes time linear in the lines.

    Such are lines with leaders and a page, wherever they stand; what stands under the heading of a
    table of contents as long as lines end in a page or stand again further on; what stands under
    the heading of an index as long as lines end in pages; and a dozen lines in a row that end in
    pages and are in alphabetical order. The heading belongs to its list. A list ends where a few
    lines in a row are nothing of the kind, so that text after it stays text.

    Args:
        lines: All lines of the document, or as many as a list may go over; none of them blank.
        titles: What the lines at these places are headings of, where that is known otherwise.

    Returns:
        What each line belongs to; None is text.
    """
    found: list[Listing | None] = [Listing.contents_line if _led(line) else None for line in lines]
    _few_leaders_in_a_row(lines, found)
    again = _Again(lines)
    place = 0
    while place < len(lines):
        end = place
        title = (titles or {}).get(place, lines[place])
        if is_contents_title(title):
            end = _end_of_contents(lines, found, place, again)
            kind = Listing.contents_line
        # Some languages have one word for both.
        if end == place and (is_index_title(title) or is_contents_title(title)):
            end = _end_of_index(lines, found, place)
            kind = Listing.index_line
        if end > place:
            found[place:end] = [kind] * (end - place)
        place = max(end, place + 1)
    _bare_indexes(lines, found)
    return found


def _led(line: str) -> re.Match[str] | None:
    return _LEADERS.fullmatch(line.strip()) if _may_be_led(line) else None


def _led_by_few(line: str) -> re.Match[str] | None:
    return _FEW_LEADERS.fullmatch(line.strip()) if _may_be_led(line) else None


def _may_be_led(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and bool(_MARKS.search(line))


def _few_leaders_in_a_row(lines: Sequence[str], found: list[Listing | None]) -> None:
    """Mark runs of lines with few leaders whose pages do not fall, as the cells of a table do."""
    run: list[int] = []
    last = 0
    for place, line in enumerate([*lines, ""]):
        entry = _led_by_few(line)
        number = _number(entry["pages"]) if entry else None
        if entry and any(map(str.isalpha, entry["title"])) and (number is None or number >= last):
            run.append(place)
            last = number or last
            continue
        if len(run) >= _FEWEST_ENTRIES:
            for member in run:
                found[member] = Listing.contents_line
        run, last = [], 0


def _number(page: str) -> int | None:
    return int(page) if page.isdecimal() else None


class _Again:
    """Knows which lines stand once more further on, alone or with the next; counted when asked."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._last: dict[str, int] | None = None

    def __call__(self, place: int) -> bool:
        if self._last is None:
            plain = [_letters(line) for line in self._lines]
            pairs = (first + second for first, second in pairwise(plain))
            self._last = {letters: number for number, letters in enumerate(pairs)}
            for number, letters in enumerate(plain):
                self._last[letters] = max(number, self._last.get(letters, 0))
        letters = _letters(self._lines[place])
        return len(letters) > 2 and self._last[letters] > place + 1


def _letters(line: str) -> str:
    return "".join(filter(str.isalnum, line.casefold())) if len(line) <= _LONGEST_LINE else ""


def _end_of_contents(
    lines: Sequence[str], found: Sequence[Listing | None], heading: int, again: _Again
) -> int:
    """Return the place after the last line of the table under a heading; the heading's if none."""
    titles: set[str] = set()
    entries = last_page = 0
    end = heading
    for place in range(heading + 1, len(lines)):
        letters = _letters(lines[place])
        # The text opens with the first title of the table.
        if (letters and letters in titles) or place > end + _WRAPPED:
            break
        title, page = _title_and_page(lines[place])
        number = _number(page)
        if found[place] is not None or (
            page and (number is None or last_page <= number <= last_page + _LARGEST_STEP)
        ):
            last_page = last_page if number is None else number
        elif not again(place):
            if lines[place].endswith(_SENTENCE_END) and len(lines[place].split()) > _AHEAD:
                break
            continue
        # Pages may stand on lines of their own, and are the same for many titles.
        titles |= {letters, _letters(title)} if title else set()
        entries, end = entries + 1, place + 1
    return end if entries >= _FEWEST_ENTRIES else heading


def _title_and_page(line: str) -> tuple[str, str]:
    """Part a line under the heading of a table of contents; either may be empty."""
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
    """Return the place after the last line of the index under a heading; the heading's if none."""
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


def _bare_indexes(lines: Sequence[str], found: list[Listing | None]) -> None:
    for run in _alphabetical_runs(lines, found):
        if len(run) >= _SHORTEST_BARE_INDEX:
            for place in run:
                found[place] = Listing.index_line


def _alphabetical_runs(
    lines: Sequence[str], found: Sequence[Listing | None]
) -> Iterator[list[int]]:
    """Yield the places of entries with pages that follow each other from A to Z."""
    run: list[int] = []
    before = ""
    for place, line in enumerate(lines):
        short = found[place] is None and len(line) <= _LONGEST_LINE and line[-1:].isdecimal()
        entry = _INDEX_ENTRY.fullmatch(line) if short else None
        # Works in a list of references end in their years.
        if entry and not _YEAR.fullmatch(line[-4:]):
            first = entry["title"][:1].casefold()
            if first < before:
                yield run
                run = []
            run.append(place)
            before = first
        elif not (short and _MORE_PAGES.fullmatch(line)):
            yield run
            run, before = [], ""
    yield run
