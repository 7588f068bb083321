"""The numbers of headings: the depth they show, and which of them count through a document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from longsum.documents.heading_titles import bare_title

_ARABIC = re.compile(
    r"(?:(?:chapter|section|§)\s*)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?P<mark>[.):]?)(?:\s+(?P<rest>\S.*))?",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"(?:(?:appendix|annex)\s+)?(?P<number>[A-Z](?:\.\d{1,3}){0,4})(?P<mark>[.):]?)(?:\s+(?P<rest>\S.*))?"
)
_ROMAN = re.compile(
    r"(?:(?P<kind>part|chapter|section|book)\s+)?(?P<number>[IVXLC]{1,7})(?P<mark>[.):]?)(?:\s+(?P<rest>\S.*))?",
    re.IGNORECASE,
)
# Of a filing of a company: `Item 1A. Risk Factors`, `Item 5.02 Departure of Directors`.
_ITEM = re.compile(
    r"item\s+(?P<number>\d{1,2}(?:\.\d{2})?)(?P<letter>[A-H]?)(?P<mark>[.):]?)(?:\s*(?P<rest>\S.*))?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?:part|chapter|section|book|appendix|annex|volume)\s", re.IGNORECASE)
_NOT_TITLE = re.compile(r"[^\w\s“\"'(]|\d")

# Roman numerals of one letter, and their positions in the alphabet.
_LETTER_OF = {1: 9, 5: 22, 10: 24, 50: 12, 100: 3}
_SKIPPED = 1.5
"""The cost of a missing number in a chain."""
_AGAIN = 0.5
"""The cost of starting from one again, as subsections without their section's number do."""
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


@dataclass(frozen=True, slots=True)
class Number:
    """The number of a heading.

    Attributes:
        kind: Its notation.
        parts: Its parts; `A.2` has 1 and 2.
        named: Whether a word such as `Part` opens it.
        mark: The mark after it.
    """

    kind: Literal["arabic", "letter", "roman"]
    parts: tuple[int, ...]
    named: bool = False
    mark: str = ""

    def read_as(self, kind: str) -> tuple[int, ...] | None:
        """Return its parts in a notation, None if it is in another; `C.` may also be a letter."""
        if self.kind == kind:
            return self.parts
        letter = _LETTER_OF.get(self.parts[0]) if self.kind == "roman" else None
        return (letter,) if kind == "letter" and letter else None

    @property
    def depth(self) -> int:
        """How many parts it has."""
        return len(self.parts)


def heading_number(text: str) -> Number | None:
    """Return the number that opens a heading, None if there is none."""
    text = bare_title(text)
    named = bool(_NAMED.match(text))
    if (found := _ITEM.fullmatch(text)) and _is_title(found["rest"], named=True):
        letters = (ord(letter) - ord("A") + 1 for letter in found["letter"].upper())
        parts = (*map(int, found["number"].split(".")), *letters)
        return Number("arabic", parts, True, found["mark"])
    if found := _ARABIC.fullmatch(text):
        return _number("arabic", found, named)
    if found := _ROMAN.fullmatch(text):
        rest = found["rest"] or ""
        sure = found["mark"] or found["kind"] or (found["number"].isupper() and rest[:1].isupper())
        if sure and _is_title(found["rest"], named):
            return Number("roman", (roman_value(found["number"]),), named, found["mark"])
    if found := _LETTERED.fullmatch(text):
        if not (found["mark"] or "." in found["number"] or named):
            return None
        return _number("letter", found, named)
    return None


def _number(kind: Literal["arabic", "letter"], found: re.Match[str], named: bool) -> Number | None:
    if not _is_title(found["rest"], named):
        return None
    first, *rest = found["number"].split(".")
    start = int(first) if kind == "arabic" else ord(first) - ord("A") + 1
    return Number(kind, (start, *map(int, rest)), named, found["mark"])


def _is_title(rest: str | None, named: bool) -> bool:
    return named if rest is None else not _NOT_TITLE.match(rest)


def in_sequence(numbers: Sequence[Number | None], scores: Sequence[float]) -> list[bool]:
    """Return which numbers count through the document: 1, 1.1, 1.2, 2, …, A, A.1, ….

    Of all chains in which each number follows the previous one, goes a level down or up, or starts
    again, the one with the greatest sum of scores and lengths is taken, for each notation.
    """
    chosen = [False] * len(numbers)
    for kind in ("arabic", "letter", "roman"):
        for place in _best_chain(numbers, scores, kind):
            chosen[place] = True
    return chosen


def _best_chain(numbers: Sequence[Number | None], scores: Sequence[float], kind: str) -> list[int]:
    # The best chain that a number may continue, by that number: its end, and its score.
    best: dict[tuple[int, ...], tuple[float, int]] = {}
    before: dict[int, int | None] = {}
    worth: dict[int, float] = {}
    top: int | None = None
    for place, number in enumerate(numbers):
        parts = None if number is None else number.read_as(kind)
        if parts is None:
            continue
        own = 1.0 + min(max(scores[place], -2.0), 4.0)
        start = parts[-1] <= 1 and len(parts) == 1
        options: list[tuple[float, int | None]] = [(own if start else own - 2.0, None)]
        if start and top is not None:
            options.append((worth[top] + own - _AGAIN, top))
        if (found := best.get(parts)) is not None:
            options.append((found[0] + own, found[1]))
        skipped = (*parts[:-1], parts[-1] - 1)
        if (found := best.get(skipped)) is not None:
            options.append((found[0] + own - _SKIPPED, found[1]))
        total, previous = max(options, key=lambda option: option[0])
        before[place], worth[place] = previous, total
        if top is None or total > worth[top]:
            top = place
        for depth in range(1, len(parts) + 1):
            after = (*parts[: depth - 1], parts[depth - 1] + 1)
            if after not in best or best[after][0] < total:
                best[after] = (total, place)
        child = (*parts, 1)
        if child not in best or best[child][0] < total:
            best[child] = (total, place)
    if not worth:
        return []
    last: int | None = max(worth, key=worth.__getitem__)
    chain: list[int] = []
    while last is not None:
        chain.append(last)
        last = before[last]
    return chain if len(chain) > 1 else []


def roman_value(number: str) -> int:
    """Return the value of a Roman numeral in either case; 0 for an empty one."""
    values = [_VALUES[letter] for letter in number.lower()]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=False))
