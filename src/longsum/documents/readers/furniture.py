"""Running heads, feet and page numbers: the lines of a page that are no part of its text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.documents.readers.contents import contents_entry

_FEWEST_PAGES = 4
_DEEPEST = 3
"""Lines that a running head or foot has at most."""
_NEIGHBOURS = (-2, -1, 1, 2)
"""Pages on which a running head stands again; those of left and right pages alternate."""
_MOST_WORDS = 12
_LONGEST_LINE = 150
_SHORTEST_COUNT = 3
"""Pages that count on from each other."""

_SENTENCE_END = tuple(".!?,;:")

_NUMBER = r"(?:\d{1,5}+|[ivxlc]{1,7}+|[IVXLC]{1,7}+)"
_FIRST = re.compile(rf"[\W_]*(?P<number>{_NUMBER})(?![\w.)])(?P<rest>.*)")
_LAST = re.compile(
    rf"(?P<rest>.*?)(?<![\w.])(?P<number>{_NUMBER})"
    r"(?:\s*(?:/|of|von|de|sur|di|van|av|из|z|od)\s*\d{1,5}+)?[\W_]*"
)
_ALONE = re.compile(rf"[\W_]*(?P<rest>)(?P<number>{_NUMBER})[\W_]*")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
# `Question 3` on the third page is its heading, `Page 3` is not.
_PARTS = re.compile(
    "appendix|article|case|chapter|day|example|exercise|figure|form|item|lecture|lesson|part"
    "|problem|question|section|step|table|task|unit|volume|week"
    "|kapitel|frage|aufgabe|teil|chapitre|partie|capítulo|parte"
)


@dataclass(frozen=True, slots=True)
class _Counter:
    """A number that may be a page's: how it is written, how far ahead of the page, what is beside.

    A document may count its pages anew after the preface, or in each chapter.
    """

    roman: bool
    ahead: int
    beside: str


def find_furniture(pages: Sequence[Sequence[str]]) -> list[frozenset[int]]:
    """Tell which lines of each page are running heads, feet or page numbers.

    A line is one if it is among the first or last three and there is nothing but such lines between
    it and the edge, and if it is identical to a line at that edge of a page near by, as is so on
    most pages; or if it is a number, by itself or beside a running head, that counts with the
    pages, as is so on most pages. Where the lines within the pages come again too, as on forms,
    only the page numbers are taken. What is identical is never most of a page.

    Args:
        pages: The lines of each page, from top to bottom.

    Returns:
        The places of such lines on each page.
    """
    filled = [number for number, lines in enumerate(pages) if lines]
    if len(filled) < _FEWEST_PAGES:
        return [frozenset()] * len(pages)
    counters = _counters(pages, len(filled))
    heads = _heads(pages, counters, len(filled))
    found = []
    for lines, numbers, same in zip(pages, counters, heads, strict=True):
        most = 2 * len(same) > len(lines) - len(numbers)
        found.append(frozenset(numbers if most else numbers | same))
    return found


def _edges(lines: Sequence[str]) -> tuple[range, range]:
    """Return the places at the top and those at the bottom, each from the edge inwards."""
    last = len(lines) - 1
    return range(min(_DEEPEST, len(lines))), range(last, max(last - _DEEPEST, -1), -1)


def _counters(pages: Sequence[Sequence[str]], filled: int) -> list[set[int]]:
    """Return the places of page numbers."""
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
        # A head that stands on this page alone, where the page has no other number.
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
        value = _roman(found["number"].lower()) if roman else int(found["number"])
        yield _Counter(roman, value - page, " ".join(words))


def _roman(number: str) -> int:
    values = [_ROMAN[letter] for letter in number]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


def _heads(
    pages: Sequence[Sequence[str]], counters: Sequence[set[int]], filled: int
) -> list[set[int]]:
    """Return the places of lines that are identical to those at the same edge of pages near by."""
    found: list[set[int]] = [set() for _ in pages]
    if _is_form(pages):
        return found
    for side in (0, 1):
        edges = [{lines[place] for place in _edges(lines)[side]} for lines in pages]
        same = [
            _run(lines, _edges(lines)[side], counters[page], _near(edges, page))
            for page, lines in enumerate(pages)
        ]
        if 2 * sum(map(bool, same)) > filled:
            for places, more in zip(found, same, strict=True):
                places |= more
    return found


def _run(lines: Sequence[str], edge: range, numbers: set[int], near: set[str]) -> set[int]:
    """Return the places from an edge inwards whose lines stand near by too, past page numbers."""
    run: set[int] = set()
    for place in edge:
        if lines[place] in near:
            run.add(place)
        elif place not in numbers:
            break
    return run - numbers


def _near(texts: Sequence[set[str]], page: int) -> set[str]:
    """Return what stands on the pages near by."""
    numbers = (page + step for step in _NEIGHBOURS)
    return set().union(*(texts[number] for number in numbers if 0 <= number < len(texts)))


def _is_form(pages: Sequence[Sequence[str]]) -> bool:
    """Tell whether what stands within the pages comes again as well as what stands at the edges."""
    within = [set(lines[_DEEPEST:-_DEEPEST]) for lines in pages]
    lines = sum(map(len, within))
    again = sum(len(texts & _near(within, page)) for page, texts in enumerate(within))
    return 2 * again > lines
