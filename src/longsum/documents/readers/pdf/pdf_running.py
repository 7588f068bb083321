"""Finds running heads and feet by their place on the page, also where their words vary."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from longsum.documents.readers.pdf.pdf_page import PLAIN, Font, Line
from longsum.documents.readers.structure.furniture import find_furniture
from longsum.language.prose import ends_as_sentence

_FEWEST_PAGES = 4
_SHARE = 0.6
"""Least share of the pages, or of the left or right ones, with a line at the same height."""
_SAME_HEIGHT = 2
_LARGEST = 1.05
"""Largest size of a running head against the text; titles of slides are larger."""
_APART = 1.45
"""Least distance of a running head from the text, in distances of lines."""


def without_running(
    pages: Sequence[list[Line]], size: float, font: Font = PLAIN
) -> tuple[list[list[Line]], list[Line]]:
    """Leave out running heads, running feet and page numbers.

    Besides what recurs or counts (`find_furniture`), these are lines at the height where most pages
    have their first or last line, where those lines look unlike the text or stand apart from it.

    Args:
        pages: The lines of each page in reading order.
        size: The size of the text.
        font: The font of the text.

    Returns:
        The pages without such lines, and these lines from top to bottom.
    """
    ordered = [sorted(lines, key=lambda line: (-line.baseline, line.left)) for lines in pages]
    named = find_furniture([[line.text for line in lines] for lines in ordered])
    gone = {
        id(lines[place]) for lines, places in zip(ordered, named, strict=True) for place in places
    }
    for side in (0, -1):
        gone |= {id(line) for line in _at_one_height(ordered, side, size, font)}
    kept = [[line for line in lines if id(line) not in gone] for lines in pages]
    return kept, [line for lines in ordered for line in lines if id(line) in gone]


def _at_one_height(
    pages: Sequence[Sequence[Line]], side: int, size: float, font: Font
) -> list[Line]:
    """Return the first or last lines of pages that are running heads or feet."""
    filled = [number for number, lines in enumerate(pages) if len(lines) > 1]
    if len(filled) < _FEWEST_PAGES:
        return []
    leading = _leading(pages)
    found: list[Line] = []
    for parity in (0, 1):
        own = [number for number in filled if number % 2 == parity]
        heights = Counter(round(pages[number][side].baseline) for number in own)
        if len(own) < _FEWEST_PAGES / 2 or not heights:
            continue
        height = heights.most_common(1)[0][0]
        at = [n for n in own if abs(pages[n][side].baseline - height) <= _SAME_HEIGHT]
        running = [n for n in at if _is_running(pages[n], side, size, font, leading)]
        if len(running) >= _SHARE * len(own) and len(running) >= 0.8 * len(at):
            for number in running:
                found += [
                    line
                    for line in pages[number]
                    if abs(line.baseline - pages[number][side].baseline) <= _SAME_HEIGHT
                ]
    return found


def _is_running(lines: Sequence[Line], side: int, size: float, font: Font, leading: float) -> bool:
    edge = lines[side]
    if edge.size > _LARGEST * size or (ends_as_sentence(edge.text) and edge.width > 0.5):
        return False
    beyond = (line for line in (lines if side == 0 else reversed(lines)) if line is not edge)
    next_line = next(
        (line for line in beyond if abs(line.baseline - edge.baseline) > _SAME_HEIGHT), None
    )
    if next_line is None:
        return False
    apart = abs(edge.baseline - next_line.baseline) > _APART * leading
    unlike = edge.size < 0.95 * size or (
        edge.font.italic,
        edge.font.bold,
        edge.font.small_caps,
    ) != (
        font.italic,
        font.bold,
        font.small_caps,
    )
    return apart or (unlike and edge.text != next_line.text and edge.size <= size)


def _leading(pages: Sequence[Sequence[Line]]) -> float:
    steps = [
        before.baseline - after.baseline
        for lines in pages
        for before, after in pairwise(lines)
        if before.column == after.column and before.baseline > after.baseline
    ]
    return median(steps) if steps else 1.0
