"""Finds the title of a PDF on its first page."""

from collections.abc import Sequence

from longsum.documents.readers.pdf_evidence import Candidate
from longsum.documents.readers.pdf_page import Line
from longsum.documents.readers.pdf_style import Usual

_LARGER = 1.15
"""Least size of a title against the text."""
_PAGES = 2
_AMONG = 40
"""Lines of the document among which the title is."""


def find_title_block(
    found: Sequence[Candidate], lines: Sequence[Line], usual: Usual
) -> Candidate | None:
    """Return the candidate that is the title, None if none stands out.

    It is the largest on the first pages, before the text begins, larger than the text and than
    anything later that may be a heading, and not numbered.
    """
    early = [
        each
        for each in found
        if each.first < _AMONG and each.line.page <= lines[0].page + _PAGES - 1
    ]
    if not early:
        return None
    title = max(early, key=lambda each: (each.line.size, -each.first))
    larger = title.line.size >= _LARGER * usual.size
    rest = [each for each in found if each is not title and each.score > -1]
    unlike = all(each.line.size < title.line.size - 0.2 for each in rest)
    first = all(each.line.size < title.line.size for each in found if each.first < title.first)
    if larger and unlike and first and title.number is None and len(title.text) > 3:
        return title
    return None
