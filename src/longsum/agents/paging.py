"""Answers in pages that fit an agent's window."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from longsum.common.errors import LongsumError

LEAST, USUAL = 8_000, 16_000
"""Characters of a page: the fewest that hold any passage, and by default (some 4,000 tokens)."""
PIECES = 8
"""A piece of text has at most an eighth of a page, so that it fits with what belongs to it, as
JSON, which may write two characters for each."""

Passage = dict[str, Any]
"""What an answer consists of: a `text` and what belongs to it."""


def size(value: Any) -> int:
    """Return how many characters a value takes as JSON."""
    return len(json.dumps(value, ensure_ascii=False))


def pieces(text: str, longest: int) -> list[tuple[int, int]]:
    """Return where to cut a text into pieces: at the last blank of each, or else anywhere.

    The pieces are consecutive, and together the text.
    """
    cuts, start = [], 0
    while len(text) - start > longest:
        blank = text.rfind(" ", start + 1, start + longest)
        end = blank + 1 if blank > start else start + longest
        cuts.append((start, end))
        start = end
    return [*cuts, (start, len(text))]


def page(
    passages: Sequence[Passage], cursor: str | None, bound: int, question: Sequence[Any]
) -> dict[str, Any]:
    """Return the page that a cursor asks for, the first without one, as values of `Answer`.

    Pages follow each other without a gap; each has a passage at least, and passages of at most
    `bound` characters as JSON.

    Raises:
        LongsumError: The cursor is of another question, or of a document that has changed.
    """
    key = sha256(json.dumps(question).encode()).hexdigest()[:16]
    first = 0
    if cursor is not None:
        own, _, number = cursor.partition("-")
        if own != key or not number.isdecimal() or not 0 < int(number[:9]) < len(passages):
            raise LongsumError(
                "The cursor is not of this call, or the document has changed; leave it out to "
                "begin again."
            )
        first = int(number[:9])
    last, left = first, bound
    while last < len(passages):
        left -= size(passages[last]) + 2
        if left < 0 and last > first:
            break
        last += 1
    following = f"{key}-{last}" if last < len(passages) else None
    return {
        "passages": list(passages[first:last]),
        "first": first,
        "total": len(passages),
        "next_cursor": following,
    }
