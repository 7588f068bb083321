"""Joins what a page break divides."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from longsum.documents.readers.structure.furniture import find_furniture
from longsum.documents.readers.structure.headings import heading_rank
from longsum.language.prose import ends_as_sentence, opens_lower

_PAGE_FOOTER = re.compile(r"^\S.*\[Page (?P<number>\d{1,4})\][ \t]*$", re.MULTILINE)
_FEWEST_FOOTERS = 3
_FULL = 0.8
"""Least width of a line that runs to the right edge, against the usual."""


def _usual_width(pages: Sequence[Sequence[str]]) -> float:
    widths = [len(line.strip()) for lines in pages for line in lines if line.strip()]
    return median(widths) if widths else 0


def _goes_on(last: str, first: str, usual: float) -> bool:
    """Return whether the last line of a page and the first of the next are of one paragraph.

    The last does not end as a sentence, and the next opens in lower case, or the last is as wide as
    lines within a paragraph and the next is no heading.
    """
    if ends_as_sentence(last) or last.endswith(":"):
        return False
    return opens_lower(first) or (len(last) >= _FULL * usual and heading_rank(first) is None)


def with_form_feeds(text: str) -> str:
    """Return a text with a form feed after each footer that counts pages, `[Page 3]`, as in an RFC.

    Many copies of such texts have lost them. A text that has any is returned as it is.
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
        The text, with paragraphs whole that a page break divides, running headers and page numbers
        left out; and the lines left out.
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
    usual = _usual_width(bodies)
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
