"""Finds running headers, footers and page numbers, and joins what a page break divides."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from longsum.documents.readers.structure.contents import contents_entry
from longsum.documents.readers.structure.heading_numbers import roman_value
from longsum.documents.readers.structure.headings import heading_rank
from longsum.language.sentences import ends_as_sentence, opens_lower

_FEWEST_PAGES = 4
_DEEPEST = 3
"""Most lines of a running header or footer."""
_NEIGHBOURS = (-2, -1, 1, 2)
"""Offsets of pages where a running header recurs; left and right pages may alternate."""
_MOST_WORDS = 12
_LONGEST_LINE = 150
_SHORTEST_COUNT = 3
"""Fewest pages with consecutive numbers."""

_SENTENCE_END = tuple(".!?,;:")

_NUMBER = r"(?:\d{1,5}+|[ivxlc]{1,7}+|[IVXLC]{1,7}+)"
_FIRST = re.compile(rf"[\W_]*(?P<number>{_NUMBER})(?![\w.)])(?P<rest>.*)")
_LAST = re.compile(
    rf"(?P<rest>.*?)(?<![\w.])(?P<number>{_NUMBER})"
    r"(?P<total>\s*(?:/|of|von|de|sur|di|van|av|из|z|od)\s*\d{1,5}+)?[\W_]*"
)
_ALONE = re.compile(rf"[\W_]*(?P<rest>)(?P<number>{_NUMBER})[\W_]*")
_DASHED = re.compile(r"[-–—]\s?(?P<number>\d{1,3})\s?[-–—]")
# `Question 3` on the third page is its heading, `Page 3` is not.
_PARTS = re.compile(
    "appendix|article|case|chapter|day|example|exercise|figure|form|item|lecture|lesson|part"
    "|problem|question|section|step|table|task|unit|volume|week"
    "|kapitel|frage|aufgabe|teil|chapitre|partie|capítulo|parte"
)


@dataclass(frozen=True, slots=True)
class _Counter:
    """A candidate page number: its notation, its offset from the page index, and adjacent text.

    Numbering may restart after the preface, or in each chapter.
    """

    roman: bool
    ahead: int
    beside: str


def find_furniture(pages: Sequence[Sequence[str]]) -> list[frozenset[int]]:
    """Find the running headers, footers and page numbers of each page.

    A line is one if it is among the first or last three, with only such lines between it and the
    edge, and is identical to a line at the same edge of a nearby page, provided that most pages
    have such lines; or if it is a number, alone or beside a running header, that counts with the
    pages, provided that most pages have one. Identical lines are kept if they are most of a page.
    If there are few pages, each needs a first or last line with the same text beside its number, or
    with the number of pages; otherwise only a page number between dashes counts.

    Args:
        pages: The lines of each page, from top to bottom.
    """
    filled = [number for number, lines in enumerate(pages) if lines]
    few = len(filled) < _FEWEST_PAGES
    counters = _alike_counters(pages) if few else _counters(pages, len(filled))
    if few and not all(counters):
        return [frozenset(_dashed_number(lines, page)) for page, lines in enumerate(pages, start=1)]
    heads = _heads(pages, counters, len(filled))
    found = []
    for lines, numbers, same in zip(pages, counters, heads, strict=True):
        most = 2 * len(same) > len(lines) - len(numbers)
        found.append(frozenset(numbers if most else numbers | same))
    return found


def _dashed_number(lines: Sequence[str], page: int) -> Iterator[int]:
    """Yield the positions of `- 2 -` as the first or last line of the second page."""
    for place in {0, len(lines) - 1} if lines else ():
        found = _DASHED.fullmatch(lines[place])
        if found and int(found["number"]) == page:
            yield place


def _alike_counters(pages: Sequence[Sequence[str]]) -> list[set[int]]:
    """Return the positions of first and last lines alike on all pages except for a number.

    The number counts with the pages, and does not stand alone.
    """
    found = [
        {c: place for place in {0, len(lines) - 1} for c in _read_counters(lines[place], page)}
        for page, lines in enumerate(pages)
        if lines
    ]
    if not 1 < len(found) == len(pages):
        return [set()]
    alike = {counter for counter in set.intersection(*map(set, found)) if counter.beside}
    return [{each[counter] for counter in alike} for each in found]


def _edges(lines: Sequence[str]) -> tuple[range, range]:
    """Return the positions at the top and at the bottom, each from the edge inwards."""
    last = len(lines) - 1
    return range(min(_DEEPEST, len(lines))), range(last, max(last - _DEEPEST, -1), -1)


def _counters(pages: Sequence[Sequence[str]], filled: int) -> list[set[int]]:
    """Return the positions of page numbers."""
    candidates = [
        [
            (place, counter)
            for place in sorted({place for edge in _edges(lines) for place in edge})
            for counter in _read_counters(lines[place], page)
        ]
        for page, lines in enumerate(pages)
    ]
    on_pages: dict[tuple[bool, int], set[int]] = defaultdict(set)
    beside: Counter[str] = Counter()
    for page, each in enumerate(candidates):
        for _, counter in each:
            on_pages[counter.roman, counter.ahead].add(page)
        beside.update({counter.beside for _, counter in each})
    counting = {key: on for key, on in on_pages.items() if len(on) >= _SHORTEST_COUNT}
    found: list[set[int]] = []
    sure = 0
    for page, each in enumerate(candidates):
        near = {page + step for step in _NEIGHBOURS}
        likely = [(p, c) for p, c in each if near & counting.get((c.roman, c.ahead), set())]
        again = {place for place, c in likely if not c.beside or beside[c.beside] > 1}
        sure += bool(again)
        # Otherwise a header unique to this page, if the page has no other number.
        found.append(again or {place for place, _ in likely[:1]})
    return found if 2 * sure > filled else [set() for _ in pages]


def _read_counters(line: str, page: int) -> Iterator[_Counter]:
    if len(line) > _LONGEST_LINE or contents_entry(line):
        return
    readings = [_ALONE.fullmatch(line)]
    if readings[0] is None and not line.endswith(_SENTENCE_END):
        readings = [_FIRST.fullmatch(line), _LAST.fullmatch(line)]
    for found in filter(None, readings):
        words = [word for word in re.split(r"[\W_]+", found["rest"].casefold()) if word]
        if len(words) > _MOST_WORDS or _PARTS.fullmatch(" ".join(words)):
            continue
        roman = not found["number"].isdecimal()
        value = roman_value(found["number"]) if roman else int(found["number"])
        total = found.groupdict().get("total") or ""
        yield _Counter(roman, value - page, " ".join(words) or total)


def _heads(
    pages: Sequence[Sequence[str]], counters: Sequence[set[int]], filled: int
) -> list[set[int]]:
    """Return the positions of lines that recur at the same edge of nearby pages."""
    found: list[set[int]] = [set() for _ in pages]
    few = filled < _FEWEST_PAGES
    for side in (0, 1):
        edges = [
            {
                line
                for line in (lines[place] for place in _edges(lines)[side])
                if not few or (len(line.split()) <= _MOST_WORDS and not ends_as_sentence(line))
            }
            for lines in pages
        ]
        same = [
            _run(lines, _edges(lines)[side], counters[page], _near(edges, page))
            for page, lines in enumerate(pages)
        ]
        if 2 * sum(map(bool, same)) > filled:
            for places, more in zip(found, same, strict=True):
                places |= more
    return found


def _run(lines: Sequence[str], edge: range, numbers: set[int], near: set[str]) -> set[int]:
    """Return the positions from an edge inwards whose lines recur nearby, skipping page numbers."""
    run: set[int] = set()
    for place in edge:
        if lines[place] in near:
            run.add(place)
        elif place not in numbers:
            break
    return run - numbers


def _near(texts: Sequence[set[str]], page: int) -> set[str]:
    """Return the texts of the nearby pages."""
    numbers = (page + step for step in _NEIGHBOURS)
    return set().union(*(texts[number] for number in numbers if 0 <= number < len(texts)))


_PAGE_FOOTER = re.compile(r"^\S.*\[Page (?P<number>\d{1,4})\][ \t]*$", re.MULTILINE)
_FEWEST_FOOTERS = 3
_FULL = 0.8
"""Least width of a line that reaches the right edge, relative to the usual."""


def _goes_on(last: str, first: str, usual: float) -> bool:
    """Return whether the last line of a page and the first of the next are in one paragraph.

    The last does not end like a sentence, and the next opens in lower case, or the last is as wide
    as lines within a paragraph and the next is not a heading.
    """
    if ends_as_sentence(last) or last.endswith(":"):
        return False
    return opens_lower(first) or (len(last) >= _FULL * usual and heading_rank(first) is None)


def with_form_feeds(text: str) -> str:
    """Return a text with a form feed after each numbered footer, `[Page 3]`, as in an RFC.

    Many copies of such texts have lost their form feeds. A text that has any is returned as it is.
    """
    if "\f" in text:
        return text
    footers = list(_PAGE_FOOTER.finditer(text))
    numbers = [int(found["number"]) for found in footers]
    if len(numbers) < _FEWEST_FOOTERS or any(b != a + 1 for a, b in pairwise(numbers)):
        return text
    ends = [0, *(found.end() for found in footers), len(text)]
    return "\n\f".join(text[start:end] for start, end in pairwise(ends))


def join_pages(text: str) -> tuple[str, list[str]]:
    """Join the pages of a text with form feeds.

    Returns:
        The text, with paragraphs joined across page breaks and without running headers and page
        numbers; and the lines left out.
    """
    pages = [page.split("\n") for page in text.split("\f")]
    shown = [[place for place, line in enumerate(lines) if line.strip()] for lines in pages]
    texts = [
        [lines[place].strip() for place in own] for lines, own in zip(pages, shown, strict=True)
    ]
    furniture = find_furniture(texts)
    running: list[str] = []
    for lines, own, places in zip(pages, shown, furniture, strict=True):
        for place in sorted(places):
            running.append(lines[own[place]].strip())
            lines[own[place]] = ""
    bodies = [_trimmed(lines) for lines in pages]
    widths = [len(line.strip()) for lines in bodies for line in lines if line.strip()]
    usual = median(widths) if widths else 0
    joined: list[str] = []
    for body in bodies:
        if not (body and joined and _goes_on(joined[-1].strip(), body[0].strip(), usual)):
            joined.append("")
        joined += body
    return "\n".join(joined).strip("\n"), running


def _trimmed(lines: list[str]) -> list[str]:
    """Return lines without blank ones at either end."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []
