"""A text as plain words with their positions, which the patterns of the matcher read."""

import re
import unicodedata

Span = tuple[int, int]

# Letters, digits and marks are separated, so that "113-107" and "113 - 107", or "Thomas's" and
# "Thomas 's", are the same words.
_WORD = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|[^\W\d_]+|[^\w\s]|_")
_LIKE_ASCII = str.maketrans({"’": "'", "‘": "'", "`": "'", "–": "-", "—": "-", "−": "-", "‐": "-"})


def fold(text: str) -> str:
    """Return a text in lower case, without accents, with plain apostrophes and hyphens."""
    same = text.translate(_LIKE_ASCII)
    if same.isascii():
        return same.lower()
    # No compatibility forms: a superscript is not a digit of a number.
    parts = unicodedata.normalize("NFD", same)
    return "".join(part for part in parts if not unicodedata.combining(part)).lower()


class PlainWords:
    """A text as words in lower case without accents, one space apart.

    Attributes:
        source: The text itself.
        text: Its words: runs of digits, runs of letters, and single marks.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        words = []
        place = 0
        for found in _WORD.finditer(source):
            word = fold(found[0])
            self._starts[place], self._ends[place + len(word)] = found.span()
            words.append(word)
            place += len(word) + 1
        self.text = " ".join(words)

    def span(self, start: int, end: int) -> Span:
        """Return the span in the source of the whole words `text[start:end]`."""
        return self._starts[start], self._ends[end]

    def at(self, start: int, end: int) -> str:
        """Return the source at the whole words `text[start:end]`."""
        first, last = self.span(start, end)
        return self.source[first:last]

    def after(self, place: int) -> int:
        """Return the position in the source of a place in `text`: the start of its word."""
        return self._starts.get(place, len(self.source))
