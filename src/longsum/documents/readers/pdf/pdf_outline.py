"""Finds a PDF's title, the entries of its outline and of its contents pages among its lines."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from longsum.documents.readers.pdf.pdf_content import Bookmark, Line, Usual
from longsum.documents.readers.pdf.pdf_evidence import Candidate
from longsum.documents.readers.structure.contents import (
    Listing,
    is_contents_title,
    is_index_title,
    title_and_page,
)
from longsum.documents.readers.structure.heading_candidates import Sign, is_usual_title
from longsum.documents.readers.structure.heading_numbers import heading_number
from longsum.language.characters import letters_of

_MORE_LETTERS = 8
"""Letters that a page may show before a title of the outline, such as `Chapter 2`."""
_LONGEST = 4
"""Most lines of a heading."""
# Parts that the heading itself may show elsewhere, or not at all.
_OPENING = re.compile(
    r"\A(?:(?:chapter|part|appendix|section)\s+)?[\dA-Z]{1,3}(?:\.\d+)*[.:]?\s+", re.I
)
_COMPLETE, _PARTIAL = 5.0, 2.0
"""Evidence against a heading that a file's outline lacks, in log-odds: an outline of one level may
leave out what is below, and many leave out the abstract."""
_LARGER = 1.15
"""Least size of a title, relative to the text."""
_PAGES = 2
_SHORTEST = 3
_AS_LARGE = 2
"""Most later headings as large as the title, such as those of annexes."""
_AMONG = 40
"""First lines of the document, among which the title is."""
_FEWEST, _NUMBERED = 4, 0.7
_MOST_UNSEEN = 8
"""Most entries of a page that does not show them."""


def is_listing_title(title: str) -> bool:
    """Return whether a heading opens a table of contents or an index."""
    return is_contents_title(title) or is_index_title(title)


def find_title(
    lines: Sequence[Line], title: str, top: float | None = None, start: int = 0
) -> tuple[int, int] | None:
    """Return the range of lines `[first, last)` that show a title, None if none do.

    Among several, one without other words is preferred, then the one that stands out most, then the
    one nearest to the height where the outline points. Lines before `start` count only if no later
    one shows it.
    """
    wanted = letters_of(title)
    of_listing = is_listing_title(title)
    found: list[tuple[tuple[float, ...], tuple[int, int]]] = []
    for first, line in enumerate(lines if wanted else ()):
        if (line.listing is not None and not of_listing) or not letters_of(line.text):
            continue
        shown = ""
        for last in range(first, min(first + _LONGEST, len(lines))):
            shown += letters_of(lines[last].text)
            if shown.endswith(wanted) and len(shown) <= len(wanted) + _MORE_LETTERS:
                more = any(map(str.isalpha, shown.removesuffix(wanted)))
                away = 0.0 if top is None else abs(top - line.baseline)
                looks = -line.size, not line.font.bold
                key = first < start, more, *looks, last - first, away, first
                found.append((key, (first, last + 1)))
                break
            if len(shown) > len(wanted) + _MORE_LETTERS:
                break
    return min(found)[1] if found else None


def stated_candidates(
    pages: Sequence[Sequence[Line]], bookmarks: Mapping[int, Sequence[Bookmark]]
) -> list[Candidate]:
    """Return a candidate for each entry of the outline, in reading order.

    An entry that its page does not show is placed before the line to which it points, or else at
    the start of its page, and has no lines. Many such entries of one page are dropped: a page taken
    out of a book keeps the outline of the whole.
    """
    found: list[Candidate] = []
    before = 0
    for number, lines in enumerate(pages, start=1):
        own: list[Candidate] = []
        for bookmark in bookmarks.get(number, ()):
            start = own[-1].last - before if own else 0
            place = find_title(lines, bookmark.title, bookmark.top, start) or find_title(
                lines, _OPENING.sub("", bookmark.title), bookmark.top, start
            )
            text = bookmark.title
            sign = Sign(6.0, "in the outline")
            if place is None:
                first = _pointed(lines, bookmark.top)
                place = (first, first)
                sign = Sign(3.0, "in the outline, not on its page")
            else:
                # Outlines often lose the space where a heading wraps; the page has it.
                shown = " ".join(line.text for line in lines[place[0] : place[1]])
                text = shown if letters_of(shown) == letters_of(text) else text
            line = lines[min(place[0], len(lines) - 1)] if lines else Line("", number)
            own.append(
                Candidate(
                    before + place[0],
                    before + place[1],
                    text,
                    line,
                    number=heading_number(text),
                    signs=[sign],
                    level=bookmark.level + 1,
                    stated=True,
                )
            )
        own = _in_order(own)
        seen = [each for each in own if each.first < each.last]
        found += own if len(own) - len(seen) <= _MOST_UNSEEN else seen
        before += len(lines)
    return found


def _pointed(lines: Sequence[Line], top: float | None) -> int:
    """Return the position of the first line below a height; the first one if none is given."""
    if top is None:
        return 0
    return next((n for n, line in enumerate(lines) if line.baseline <= top), len(lines))


def _in_order(own: Sequence[Candidate]) -> list[Candidate]:
    """Keep entries in the outline's order where their lines overlap or are in another order."""
    kept = list(own)
    for before, after in pairwise(kept):
        if after.first < before.last:
            after.first = after.last = before.last
    return kept


def with_outline(found: Sequence[Candidate], stated: Sequence[Candidate]) -> list[Candidate]:
    """Combine the entries of the outline with other lines that look like headings.

    An outline is taken to be complete unless there is much evidence for a heading that it lacks.
    """
    taken = {place for each in stated for place in range(each.first, each.last)}
    others = [each for each in found if taken.isdisjoint(range(each.first, each.last))]
    partial = len({each.level for each in stated}) < 2
    for each in others:
        weight = _PARTIAL if partial or is_usual_title(each.text) else _COMPLETE
        each.signs.append(Sign(-weight, "not in the outline"))
    looks = {each.first: each for each in found}
    for each in stated:
        same = looks.get(each.first)
        if same is not None and each.last > each.first:
            each.signs += same.signs
    # Equal positions keep the order of the outline, and precede candidates from the text.
    return sorted([*stated, *others], key=lambda each: (each.first, each.last, not each.stated))


def listed_titles(lines: Sequence[Line]) -> frozenset[str]:
    """Return the titles in the tables of contents, in the form of `letters_of`."""
    entries = [line for line in lines if line.listing is Listing.contents_line]
    titles = [title_and_page(line.text)[0] for line in entries]
    joined = [f"{a} {b}" for a, b in pairwise(titles)]
    return frozenset(key for title in [*titles, *joined] if len(key := letters_of(title)) > 2)


def find_title_block(
    found: Sequence[Candidate], lines: Sequence[Line], usual: Usual
) -> Candidate | None:
    """Return the candidate that is the title, None if none stands out.

    It is on the first pages, is not numbered, and nothing before it is as large. It is larger
    than the text and than nearly all that may be a heading later; or it comes first, before the
    headings begin to count.
    """
    early = [
        each
        for each in found
        if each.first < _AMONG and each.line.page <= lines[0].page + _PAGES - 1
    ]
    if not early:
        return None
    title = max(early, key=lambda each: (each.line.size, -each.first))
    text = [n for n, line in enumerate(lines[: _AMONG + 1]) if _is_text(line, usual)]
    if any(place < title.first for place in text):
        return None
    # Authors follow a title, text a heading.
    alone = bool(text) and text[0] > title.last
    rest = [each for each in found if each is not title and each.score > -1]
    if title.number is not None or len(title.text) <= _SHORTEST:
        return None
    if title.line.size >= _LARGER * usual.size:
        as_large = sum(each.line.size > title.line.size - 0.2 for each in rest)
        larger = any(each.line.size > title.line.size + 0.2 for each in rest)
        if not larger and (not as_large or (as_large <= _AS_LARGE and alone)):
            return title
    return _before_numbers(found)


def _is_text(line: Line, usual: Usual) -> bool:
    return abs(line.size - usual.size) <= 0.1 * usual.size and (
        line.right - line.left > 0.8 * usual.width and line.listing is None
    )


def _before_numbers(found: Sequence[Candidate]) -> Candidate | None:
    """Return the first candidate if the next ones count from 1 and most others have numbers."""
    likely = [each for each in found if each.score > 0]
    if len(likely) < _FEWEST or likely[0].first > 2 or likely[0].number is not None:
        return None
    numbers = [each.number for each in likely[1:]]
    first = numbers[0]
    counted = sum(number is not None for number in numbers)
    opens = first is not None and first.parts == (1,) and counted >= _NUMBERED * len(numbers)
    return likely[0] if opens and not is_usual_title(likely[0].text) else None
