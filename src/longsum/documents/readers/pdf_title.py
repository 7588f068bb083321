"""Finds the title of a PDF on its first page."""

from collections.abc import Sequence

from longsum.documents.readers.heading_candidates import is_usual_title
from longsum.documents.readers.pdf_evidence import Candidate
from longsum.documents.readers.pdf_page import Line
from longsum.documents.readers.pdf_style import Usual

_LARGER = 1.15
"""Least size of a title against the text."""
_PAGES = 2
_SHORTEST = 3
_AS_LARGE = 2
"""Most later headings as large as the title, such as those of annexes."""
_FEWEST, _NUMBERED = 4, 0.7
_AMONG = 40
"""Lines of the document among which the title is."""


def find_title_block(
    found: Sequence[Candidate], lines: Sequence[Line], usual: Usual
) -> Candidate | None:
    """Return the candidate that is the title, None if none stands out.

    It stands on the first pages, is not numbered, and nothing before it is as large. It is larger
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
    """Return the first candidate where what follows counts from 1 and most else is numbered."""
    likely = [each for each in found if each.score > 0]
    if len(likely) < _FEWEST or likely[0].first > 2 or likely[0].number is not None:
        return None
    numbers = [each.number for each in likely[1:]]
    first = numbers[0]
    counted = sum(number is not None for number in numbers)
    opens = first is not None and first.parts == (1,) and counted >= _NUMBERED * len(numbers)
    return likely[0] if opens and not is_usual_title(likely[0].text) else None
