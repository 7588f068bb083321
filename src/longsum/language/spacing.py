"""Joins pieces of text with or without spaces."""

import unicodedata
from collections.abc import Iterable

_HANGUL = (
    ("\u1100", "\u11ff"),
    ("\u3130", "\u318f"),
    ("\ua960", "\ua97f"),
    ("\uac00", "\ud7ff"),
    ("\uffa0", "\uffdf"),
)


def space_between(before: str, after: str) -> str:
    """Return the separator of two pieces of text: a space, or nothing between CJK characters.

    Chinese and Japanese are written without spaces, so nothing goes between two wide characters
    (East Asian Width W, F or H) that are neither Hangul nor pictographs, the rule of CSS Text
    Level 3 (§4.1.3) for line breaks.
    """
    return "" if before and after and _is_wide(before[-1]) and _is_wide(after[0]) else " "


def join_pieces(pieces: Iterable[str]) -> str:
    """Join pieces of text, with `space_between` them."""
    joined: list[str] = []
    for piece in pieces:
        if joined:
            joined.append(space_between(joined[-1], piece))
        joined.append(piece)
    return "".join(joined)


def _is_wide(character: str) -> bool:
    if character < "\u1100" or unicodedata.east_asian_width(character) not in ("W", "F", "H"):
        return False
    hangul = any(first <= character <= last for first, last in _HANGUL)
    return not hangul and unicodedata.category(character) != "So"
