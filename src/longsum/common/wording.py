"""Helpers for messages and one-line descriptions."""

from collections.abc import Iterable

_COMPARED = 80


def shorten(text: str, length: int = 88) -> str:
    """Truncate a text to a length."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def quote(text: object, length: int = 60) -> str:
    """Return the beginning of a text in quotes, on one line, with invisible characters escaped."""
    return repr(shorten(str(text), length))


def counted(number: float, noun: str) -> str:
    """Return a number with its noun: `1 word`, `1,234 words`."""
    return f"{number:,g} {noun}" if number == 1 else f"{round(number):,} {noun}s"


def choose_from(word: str, known: Iterable[str]) -> str:
    """Return the end of a message on an unknown word: all known ones, and the closest."""
    known = list(known)
    return f"choose from {', '.join(known)}.{did_you_mean(word, known)}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a suggestion to append to a message: the closest known word, or nothing."""
    from difflib import get_close_matches

    # A whole document given by mistake would take forever to compare.
    by_sight = {name.casefold(): name for name in known}
    close = get_close_matches(word[:_COMPARED].casefold(), by_sight, n=1)
    return f" Did you mean '{by_sight[close[0]]}'?" if close else ""
