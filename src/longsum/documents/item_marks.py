"""The opening marks of list items and numbered paragraphs."""

import re
from collections.abc import Iterable

from longsum.language.characters import BULLETS

# The bullet, number or letter of an item; a dash may open speech. Text copied from statutes may
# lack the space: `(a)the owner`.
_ITEM_MARK = re.compile(
    rf"(?:(?:[*+{BULLETS}]|-(?!-)|\(?\d{{1,3}}[.)](?=\s+[\"'“‘(]?[A-Z])|[a-z]\.(?=\s[a-z])"
    r"|\(?(?:[a-z]|[ivx]{2,4})\)(?!\s(?:and|or|to)\s))\s+"
    r"|\((?:[a-rt-z]|[ivx]{2,4}|\d{1,2})\)(?=[A-Za-z])"
    rf"|[{BULLETS}](?=[\"“‘(]?[A-Za-z0-9]))+(?=\S)"
)
# The number of a paragraph in a numbered section: `2.1 The Act …`.
_PARAGRAPH_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,3})+\.?\s+(?=[\"'“‘(]?(?:[A-Z][a-z]|[AI]\s))")
INNER_NUMBER = re.compile(r"\(?\d{1,2}\)\s+(?=[\"'“‘]?[A-Z])")
"""The number of a point within a paragraph: `Two rose: 1) the Rhine. 2) The Main.`"""
_FEWEST_NUMBERED = 3


def numbers_paragraphs(texts: Iterable[str]) -> bool:
    """Return whether several paragraphs open with paragraph numbers."""
    return sum(_PARAGRAPH_NUMBER.match(text) is not None for text in texts) >= _FEWEST_NUMBERED


def after_mark(text: str, opening: int, *, numbered: bool) -> tuple[int, bool]:
    """Return where a paragraph continues after its mark, and whether it is an item's mark.

    Args:
        text: The paragraph.
        opening: Its beginning, after the speaker's label.
        numbered: Whether its document numbers paragraphs within its sections.
    """
    if mark := _ITEM_MARK.match(text, opening):
        return mark.end(), True
    number = _PARAGRAPH_NUMBER.match(text, opening) if numbered else None
    return number.end() if number else opening, False
