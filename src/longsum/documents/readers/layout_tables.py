"""Tells tables that only lay out a page from tables of data, by what their cells say."""

from collections.abc import Iterable

from longsum.language.prose import ends_as_sentence
from longsum.language.words import count_words

_FEWEST_WORDS = 9
"""Fewest words of a cell that is a paragraph."""


def holds_text(cells: Iterable[str]) -> bool:
    """Return whether most of the words of a table stand in cells that are paragraphs."""
    words = [(count_words(cell), ends_as_sentence(cell.strip())) for cell in cells]
    text = sum(count for count, ended in words if ended and count >= _FEWEST_WORDS)
    return 2 * text > sum(count for count, _ in words)
