"""Tells tables that only lay out a page from tables of data, by what their cells say."""

import re
from collections.abc import Iterable

from longsum.language.words import count_words

_FEWEST_WORDS = 9
"""Fewest words of a cell that is a paragraph."""
_END = re.compile(r"[^\W\d_][.!?…][\"'”’)]?(?:\s|\Z)|[。！？।]")


def holds_text(cells: Iterable[str]) -> bool:
    """Return whether most of the words of a table stand in cells that are paragraphs."""
    total = text = 0
    for cell in cells:
        words = count_words(cell)
        total += words
        text += words if words >= _FEWEST_WORDS and _END.search(cell) else 0
    return 2 * text > total
