"""Headings among paragraphs that no style marks."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longsum.documents.fitness.forms import is_caption
from longsum.documents.model import Evidence
from longsum.documents.readers.structure.heading_candidates import (
    PRIOR,
    HeadingCandidate,
    Type,
    is_usual_title,
)
from longsum.documents.readers.structure.heading_levels import decode
from longsum.documents.readers.structure.heading_numbers import heading_number
from longsum.documents.readers.structure.heading_signs import (
    EARLY,
    MOST_WORDS,
    compare,
    is_set_off,
    present,
    signs_of_place,
    signs_of_type,
    signs_of_words,
)
from longsum.language.prose import ends_as_sentence

_FEWEST_STYLED = 2
"""Least number of headings in styles of a file whose headings have styles."""
_FEWEST, _MOST_OF_PARAGRAPHS = 2, 1 / 2
_LONG_TEXT = 60
"""Characters of a paragraph that is text however it ends."""
_TITLE_LARGER = 1.15
"""Least size of a title against the text."""
_MOST_TITLE_LINES = 4
_SWITCHES = ("bold", "italic", "underlined", "capitals")
SPACE = 6.0
"""Space above a paragraph, in points, that sets it off."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """A heading that no style marks: its level from 0, and what speaks for it."""

    level: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Inferences:
    """The paragraphs of a file that are headings without a style, and those that are its title."""

    headings: Mapping[Any, Inferred]
    title: Sequence[Any] = ()


@dataclass(slots=True)
class Block:
    """A paragraph with text, as it looks.

    Attributes:
        element: Its element, by which it is known.
        text: Its text.
        type: How it is set.
        centred: Whether it is centred.
        spaced: Whether an empty paragraph or space stands above it.
        listed: Number of the list that it is an item of, and the level there; None for no list.
        apart: Whether it stands in a table or a text box, or has a style of its own kind.
        level: Outline level from 0 that a style states.
        is_set_off: Whether it looks unlike the text.
        is_text: Whether it reads like text.
    """

    element: Any
    text: str
    type: Type
    centred: bool
    spaced: bool
    listed: tuple[str, str] | None
    apart: bool
    level: int | None
    is_set_off: bool = False
    is_text: bool = False


def infer_headings(blocks: Sequence[Block]) -> Inferences:
    """Find the headings among paragraphs that have no style for it.

    In a file whose headings have styles these are lines that are set off below one of them, a level
    deeper. In any other file all that is set off, or numbered, may be a heading; levels come from
    numbers and looks (`heading_levels`), and what is larger than all headings and stands before the
    text is the title. What makes up more than half of the paragraphs is no heading.
    """
    found, title = paragraph_candidates(blocks)
    likely = [each for each in found if each.score > 0]
    if not _FEWEST <= len(likely) <= _MOST_OF_PARAGRAPHS * len(blocks):
        return Inferences({})
    if _is_styled(blocks):
        return Inferences(_below_styled(blocks, likely))
    headings = {
        blocks[each.first].element: Inferred(level - 1, each.evidence)
        for each, level in zip(likely, decode(likely), strict=True)
        if level
    }
    return Inferences(headings, [blocks[each.first].element for each in title])


def joint_type(runs: Iterable[tuple[str, Type]]) -> Type | None:
    """Return the type of a paragraph: the size of most letters, and what holds for all.

    Args:
        runs: Its texts and their types; without letters there is no type.
    """
    sizes: Counter[float] = Counter()
    same: dict[str, Any] = dict.fromkeys(_SWITCHES, True)
    for text, own in runs:
        if letters := sum(map(str.isalnum, text)):
            sizes[own.size] += letters
            same = {name: so and getattr(own, name) for name, so in same.items()}
    return Type(max(sizes, key=sizes.__getitem__), **same) if sizes else None


def _usual(blocks: Sequence[Block]) -> Type:
    """Return the type of most characters of the text."""
    lengths: Counter[Type] = Counter()
    for block in blocks:
        if not block.apart:
            lengths[block.type] += len(block.text)
    return max(lengths, key=lengths.__getitem__) if lengths else Type()


def _is_text(block: Block) -> bool:
    """Return whether a paragraph reads like text."""
    if block.apart or block.level is not None or block.is_set_off:
        return False
    ends = ends_as_sentence(block.text) or block.text.endswith(":")
    return ends or len(block.text) >= _LONG_TEXT


def _is_styled(blocks: Sequence[Block]) -> bool:
    """Return whether the headings of a file have styles."""
    return sum(block.level is not None for block in blocks) >= _FEWEST_STYLED


def paragraph_candidates(
    blocks: Sequence[Block],
) -> tuple[list[HeadingCandidate], list[HeadingCandidate]]:
    """Return what may be headings, with its signs, and the lines of the title apart."""
    usual, styled = _usual(blocks), _is_styled(blocks)
    for block in blocks:
        block.is_set_off = is_set_off(block.text, block.type, usual)
        block.is_text = _is_text(block)
    texts = [place for place, block in enumerate(blocks) if block.is_text]
    found = []
    for place, block in enumerate(blocks):
        if block.level is not None:
            if not styled:
                own = HeadingCandidate(place, place + 1, block.text, block.type)
                own.stated = "style of a heading"
                found.append(own)
        elif (candidate := _candidate(blocks, place)) is not None:
            candidate.signs |= present(
                {
                    PRIOR: 1,
                    **signs_of_words(candidate.text, candidate.number),
                    **signs_of_type(block.text, block.type, usual, centred=block.centred),
                    **signs_of_place(candidate, texts),
                    **_surroundings(blocks, place),
                    "not in the style of headings": styled,
                }
            )
            found.append(candidate)
    _spare_headings(found)
    compare(found)
    title = [] if styled else _title(blocks, found, usual)
    titled = {each.first for each in title}
    return [each for each in found if each.first not in titled], title


def _spare_headings(found: Sequence[HeadingCandidate]) -> None:
    """Take back that a line stands before the text where headings below look the same."""
    alike = Counter(each.look for each in found if each.score > 0 and each.is_set_off)
    for each in found:
        if alike[each.look] >= _FEWEST:
            each.signs.pop(EARLY, None)


def _candidate(blocks: Sequence[Block], place: int) -> HeadingCandidate | None:
    """Return a paragraph as a candidate, None if it is plainly no heading."""
    block = blocks[place]
    if block.apart or len(block.text.split()) > MOST_WORDS or is_caption(block.text):
        return None
    # A title that stands alone may end in a colon.
    text = block.text.removesuffix(":") if block.is_set_off else block.text
    number = heading_number(text)
    if not block.is_set_off:
        if block.listed or (number is None and not is_usual_title(text)):
            return None
        number = number if number is not None and number.kind == "arabic" else None
    return HeadingCandidate(
        place, place + 1, text, block.type, block.centred, block.is_set_off, number=number
    )


def _surroundings(blocks: Sequence[Block], place: int) -> dict[str, float]:
    block, listed = blocks[place], blocks[place].listed
    before = blocks[place - 1] if place else None
    after = blocks[place + 1] if place + 1 < len(blocks) else None
    among = any(each and each.listed == listed for each in (before, after))
    return {
        "a paragraph": 1,
        "space above": block.spaced and before is not None,
        "among items": listed is not None and among,
        "numbered in a list": listed is not None and not among,
        "alone after a sentence": before is not None and ends_as_sentence(before.text),
    }


def _title(
    blocks: Sequence[Block], found: Sequence[HeadingCandidate], usual: Type
) -> list[HeadingCandidate]:
    """Return the lines of the title: before the text, and larger than it and all headings."""
    text = next((n for n, block in enumerate(blocks) if block.is_text), len(blocks))
    early = [each for each in found if each.first < text and not each.stated]
    size = max((each.type.size for each in early), default=0.0)
    lines = [each for each in early if each.type.size == size]
    plain = all(each.number is None and not is_usual_title(each.text) for each in lines)
    if size < _TITLE_LARGER * usual.size or len(lines) > _MOST_TITLE_LINES or not plain:
        return []
    last = lines[-1].first
    as_large = any(
        each.type.size >= size and each.first > last and each.score > 0 for each in found
    )
    return [] if as_large else lines


def _below_styled(
    blocks: Sequence[Block], likely: Sequence[HeadingCandidate]
) -> dict[Any, Inferred]:
    """Put headings without a style below the one before them that has one, larger above smaller."""
    sizes = sorted({each.prominence for each in likely}, reverse=True)
    below = dict(zip(sizes, range(1, len(sizes) + 1), strict=True))
    places = [place for place, block in enumerate(blocks) if block.level is not None]
    inferred = {}
    for each in likely:
        above = bisect_right(places, each.first)
        if above:
            level = (blocks[places[above - 1]].level or 0) + below[each.prominence]
            inferred[blocks[each.first].element] = Inferred(level, each.evidence)
    return inferred
