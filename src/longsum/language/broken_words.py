"""Words broken by line ends or spaces."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdf]")


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
    return not _HANGUL.match(character) and unicodedata.category(character) != "So"


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Words with these prefixes keep their hyphen if nothing else decides: of 715 such words in 99
# documents 549 had one (of 2,329 with "ex" 8).
_PREFIXES = frozenset(["self", "non", "half", "cross", "semi", "quasi", "well"])
_BREAK = re.compile(
    r"(?<![\w-])(?P<head>[^\W\d_]{2,40})-\n(?P<indent>[^\S\n]*)(?P<tail>[a-z]\S{0,80})(?P<gap>[^\S\n]*)"
)


def known_words(text: str) -> Counter[str]:
    """Count the words of a text in lower case, those with hyphens as one."""
    return Counter(word.lower() for word in _WORD.findall(text))


def keeps_hyphen(head: str, tail: str, known: Mapping[str, int], *, otherwise: bool) -> bool:
    """Return whether a word broken at a hyphen is also written with one.

    It is before a digit, if the document has the whole word with one more often than without, and
    before a capital if the document has neither.

    Args:
        head: The text before the hyphen, possibly with more words before it.
        tail: The beginning of the next line.
        known: How often each word occurs in the document, from `known_words`.
        otherwise: What to return if the document has neither.
    """
    if not tail[:1].isalpha():
        return True
    joined, hyphenated = (known.get(word, 0) for word in _both_ways(head, tail))
    if joined or hyphenated:
        return hyphenated > joined
    return otherwise or tail[:1].isupper() or head.lower() in _PREFIXES


def kept_hyphens(breaks: Iterable[tuple[str, str]], known: Mapping[str, int]) -> int:
    """Return how many more line breaks keep the hyphen than lose it.

    Only words that occur elsewhere in the document count: they show whether its lines are broken
    only at the hyphens of words, or within words.

    Args:
        breaks: The text before each hyphen at a line end, and the beginning of the next line.
        known: As in `keeps_hyphen`.
    """
    more = 0
    for head, tail in breaks:
        joined, hyphenated = (known.get(word, 0) for word in _both_ways(head, tail))
        more += (hyphenated > joined) - (hyphenated < joined)
    return more


def mend_lines(text: str) -> str:
    """Join the words of a text that are broken across lines.

    Whether a word that occurs nowhere else keeps its hyphen depends on the others: most plain texts
    break lines only after the hyphens of words, some also within words.
    """
    if _BREAK.search(text) is None:
        return text
    known = known_words(text)
    breaks = ((found["head"], found["tail"]) for found in _BREAK.finditer(text))
    otherwise = kept_hyphens(breaks, known) >= 0

    def mended(found: re.Match[str]) -> str:
        head, tail = found["head"], found["tail"]
        hyphen = "-" if keeps_hyphen(head, tail, known, otherwise=otherwise) else ""
        after = f"\n{found['indent']}" if found["gap"] else ""
        return f"{head}{hyphen}{tail}{after}"

    return _BREAK.sub(mended, text)


def _both_ways(head: str, tail: str) -> tuple[str, str]:
    """Return the whole word without and with a hyphen, in lower case and without marks around."""
    ends = _WORD.search(tail)
    end, start = ends[0] if ends else tail, head.lower().lstrip("(“\"'")
    return f"{start}{end.lower()}", f"{start}-{end.lower()}"
