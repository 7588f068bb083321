"""The marks that items of lists and numbered paragraphs open with."""

import re
from collections.abc import Iterable

from longsum.language.characters import BULLETS

# The bullet, number or letter of an item; a dash may open what somebody says. What is copied from
# statutes has no space: `(a)the owner`.
_ITEM_MARK = re.compile(
    rf"(?:(?:[*+{BULLETS}]|-(?!-)|\(?\d{{1,3}}[.)](?=\s+[\"'“‘(]?[A-Z])|[a-z]\.(?=\s[a-z])"
    r"|\(?(?:[a-z]|[ivx]{2,4})\)(?!\s(?:and|or|to)\s))\s+"
    r"|\((?:[a-rt-z]|[ivx]{2,4}|\d{1,2})\)(?=[A-Za-z]))+(?=\S)"
)
# The number of a paragraph in a numbered section: `2.1 The Act …`.
_PARAGRAPH_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,3})+\.?\s+(?=[\"'“‘(]?(?:[A-Z][a-z]|[AI]\s))")
INNER_NUMBER = re.compile(r"\(?\d{1,2}\)\s+(?=[\"'“‘]?[A-Z])")
"""That of one of several points within a paragraph: `Two rose: 1) the Rhine. 2) The Main.`"""
_FEWEST_NUMBERED = 3


def numbers_paragraphs(texts: Iterable[str]) -> bool:
    """Return whether several paragraphs open with the numbers of paragraphs."""
    return sum(_PARAGRAPH_NUMBER.match(text) is not None for text in texts) >= _FEWEST_NUMBERED


def after_mark(text: str, opening: int, *, numbered: bool) -> tuple[int, bool]:
    """Return where a paragraph goes on after its mark, and whether that is one of an item.

    Args:
        text: The paragraph.
        opening: Where it opens, after the label of its speaker.
        numbered: Whether its document numbers paragraphs within its sections.
    """
    if mark := _ITEM_MARK.match(text, opening):
        return mark.end(), True
    number = _PARAGRAPH_NUMBER.match(text, opening) if numbered else None
    return number.end() if number else opening, False
