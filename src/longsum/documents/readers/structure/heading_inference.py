"""Headings without a style, inferred from paragraphs that are set off, with the evidence."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longsum.documents.fitness.forms import is_caption
from longsum.documents.heading_titles import is_statement
from longsum.documents.model import Evidence
from longsum.documents.readers.structure.heading_candidates import (
    EARLY,
    MOST_WORDS,
    PRIOR,
    HeadingCandidate,
    Sign,
    compare_looks,
    count_numbers,
    decode,
    is_upper,
    is_usual_title,
    prominence,
    signs_of_words,
)
from longsum.documents.readers.structure.heading_numbers import heading_number
from longsum.language.sentences import ends_as_sentence

_RARE = 2.8
"""How rare headings are among paragraphs, in log-odds."""
_UNSTYLED = 1.2
"""Evidence against a line if other lines of the file have the style of headings."""
_FEWEST_STYLED = 2
"""Least number of headings in styles of a file whose headings have styles."""
_FEWEST, _MOST_OF_PARAGRAPHS = 2, 1 / 2
_LONG_TEXT = 60
"""Characters from which a paragraph is text, however it ends."""
_LARGER, _TITLE_LARGER = 1.06, 1.15
"""Least size of headings, and of a title, relative to the text."""
_MOST_TITLE_LINES = 4
_SWITCHES = ("bold", "italic", "underlined", "capitals")
SPACE = 6.0
"""Space above a paragraph, in points, that sets it off."""


@dataclass(frozen=True, slots=True)
class Type:
    """How words are set.

    The size is in points, and capitals may be small capitals.
    """

    size: float = 10.0
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    capitals: bool = False


PLAIN = Type()


@dataclass(frozen=True, slots=True)
class Inferred:
    """A heading that no style marks: its level from 0, and the evidence for it."""

    level: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Inferences:
    """The paragraphs of a file that are headings without a style, and those of its title."""

    headings: Mapping[Any, Inferred]
    title: Sequence[Any] = ()


@dataclass(slots=True)
class Block:
    """A paragraph with text, as it looks.

    Attributes:
        element: Its element, which identifies it.
        text: Its text.
        type: How it is set.
        centred: Whether it is centred.
        spaced: Whether an empty paragraph or space precedes it.
        listed: The list that it is an item of and the level there, as far as they are known; what
            is false for no list.
        apart: Whether it is in a table or a text box, or has a style of another kind.
        level: Outline level from 0 that a style states.
        is_set_off: Whether it looks different from the text.
        is_text: Whether it reads like text.
    """

    element: Any
    text: str
    type: Type
    centred: bool
    spaced: bool
    listed: Hashable
    apart: bool
    level: int | None
    is_set_off: bool = False
    is_text: bool = False


@dataclass(slots=True)
class _Candidate(HeadingCandidate):
    """A paragraph that may be a heading."""

    block: Block

    @property
    def look(self) -> Hashable:
        """Its type, capitals and position."""
        return self.block.type, is_upper(self.text), self.block.centred

    @property
    def prominence(self) -> float:
        """See `HeadingCandidate`."""
        own = self.block.type
        capitals = own.capitals or is_upper(self.text)
        return prominence(own.size, bold=own.bold, capitals=capitals, italic=own.italic)

    @property
    def is_centred(self) -> bool:
        """Whether it is centred."""
        return self.block.centred


def infer_headings(blocks: Sequence[Block]) -> Inferences:
    """Find the headings among paragraphs that have no style for it.

    In a file whose headings have styles, these are lines that are set off below one of them, a
    level deeper. In any other file every line that is set off, or numbered, may be a heading;
    levels come from numbers and looks (`heading_candidates`), and what is larger than all headings
    and precedes the text is the title. A look of more than half of the paragraphs is not that of
    headings.
    """
    usual = _usual(blocks)
    for block in blocks:
        block.is_set_off = _is_set_off(block, usual)
        block.is_text = _is_text(block)
    styled = sum(block.level is not None for block in blocks) >= _FEWEST_STYLED
    found = _candidates(blocks, usual, styled=styled)
    likely = [each for each in found if each.score > 0 or each.stated]
    if not _FEWEST <= len(likely) <= _MOST_OF_PARAGRAPHS * len(blocks):
        return Inferences({})
    if styled:
        return Inferences(_below_styled(blocks, likely))
    title = _title(blocks, found, usual)
    titled = {each.first for each in title}
    likely = [each for each in likely if each.first not in titled]
    headings = {
        each.block.element: Inferred(level - 1, each.evidence)
        for each, level in zip(likely, decode(likely), strict=True)
        if level
    }
    return Inferences(headings, [each.block.element for each in title])


def joint_type(runs: Iterable[tuple[str, Type]]) -> Type | None:
    """Return the type of a paragraph: the size of most letters, and what holds for all.

    Args:
        runs: Its texts and their types; without letters there is no type.
    """
    sizes: Counter[float] = Counter()
    same = dict.fromkeys(_SWITCHES, True)
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
    return max(lengths, key=lengths.__getitem__) if lengths else PLAIN


def _is_set_off(block: Block, usual: Type) -> bool:
    """Return whether a paragraph looks different from the text."""
    own = block.type
    return (
        own.size >= _LARGER * usual.size
        or is_upper(block.text)
        or any(getattr(own, name) and not getattr(usual, name) for name in _SWITCHES)
    )


def _is_text(block: Block) -> bool:
    """Return whether a paragraph reads like text."""
    if block.apart or block.level is not None or block.is_set_off:
        return False
    ends = ends_as_sentence(block.text) or block.text.endswith(":")
    return ends or len(block.text) >= _LONG_TEXT


def _candidates(blocks: Sequence[Block], usual: Type, *, styled: bool) -> list[_Candidate]:
    texts = [place for place, block in enumerate(blocks) if block.is_text]
    found = []
    for place, block in enumerate(blocks):
        if block.level is not None:
            if not styled:
                sign = Sign(6.0, "style of a heading")
                found.append(
                    _Candidate(place, place + 1, block.text, block, signs=[sign], stated=True)
                )
            continue
        judge = _Judge(blocks, texts, place, usual)
        if (candidate := judge.candidate()) is not None:
            if styled:
                candidate.signs.append(Sign(-_UNSTYLED, "not in the style of headings"))
            found.append(candidate)
    _spare_headings(found)
    count_numbers(found)
    compare_looks([each for each in found if each.block.is_set_off])
    return found


def _spare_headings(found: Sequence[_Candidate]) -> None:
    """Withdraw the evidence that a line precedes the text if headings below look the same."""
    later: Counter[Hashable] = Counter(
        each.look for each in found if each.score > 0 and each.block.is_set_off
    )
    for each in found:
        if later[each.look] >= _FEWEST:
            each.signs = [sign for sign in each.signs if sign.text != EARLY]


class _Judge:
    """Judges one paragraph."""

    def __init__(
        self, blocks: Sequence[Block], texts: Sequence[int], place: int, usual: Type
    ) -> None:
        self._blocks, self._texts, self._place, self._usual = blocks, texts, place, usual
        self._block = blocks[place]

    def candidate(self) -> _Candidate | None:
        """Return the paragraph with its signs, None if it is clearly not a heading."""
        block, place = self._block, self._place
        if block.apart or len(block.text.split()) > MOST_WORDS or is_caption(block.text):
            return None
        # A title that stands alone may end in a colon.
        text = block.text.removesuffix(":") if block.is_set_off else block.text
        number = heading_number(text)
        if not block.is_set_off:
            if block.listed or (number is None and not is_usual_title(text)):
                return None
            number = number if number is not None and number.kind == "arabic" else None
        found = _Candidate(place, place + 1, text, block, number=number)
        own = block.type
        stands_out = block.is_set_off or block.centred
        found.signs += [Sign(-_RARE, PRIOR), *self._type(own)]
        found.signs += [*signs_of_words(found, stands_out=stands_out), *self._surroundings(found)]
        return found

    def _type(self, own: Type) -> Iterator[Sign]:
        usual, block = self._usual, self._block
        ratio = own.size / usual.size
        if ratio >= _LARGER:
            yield Sign(min(1.8 + 4 * (ratio - 1), 4.0), f"{own.size:g} pt, text {usual.size:g} pt")
        elif ratio < 0.94:
            yield Sign(-1.0 if own.bold else -2.0, "smaller than the text")
        if own.bold and not usual.bold:
            yield Sign(2.2, "bold")
        if own.italic and not usual.italic:
            yield Sign(1.6, "italic")
        if own.underlined and not usual.underlined:
            yield Sign(1.4, "underlined")
        if (own.capitals and not usual.capitals) or is_upper(block.text):
            yield Sign(1.6, "capitals")
        if block.centred:
            yield Sign(0.5, "centred")
        if not block.is_set_off:
            yield Sign(-1.0, "set as the text")

    def _surroundings(self, candidate: _Candidate) -> Iterator[Sign]:
        blocks, place, block = self._blocks, self._place, self._block
        before = blocks[place - 1] if place else None
        after = blocks[place + 1] if place + 1 < len(blocks) else None
        if block.spaced and before is not None:
            yield Sign(0.6, "space above")
        if block.is_set_off and (before is None or before.is_text):
            yield Sign(0.8, "alone after text" if before else "alone at the beginning")
        if block.listed:
            among = any(each and each.listed == block.listed for each in (before, after))
            yield Sign(-2.5, "among items") if among else Sign(1.0, "numbered in a list")
        if after is None:
            yield Sign(-2.0, "nothing follows")
        elif after.is_text:
            yield Sign(1.2, "text follows")
        elif not (after.is_set_off or after.apart or after.listed):
            yield Sign(-1.0, "no text follows")
        text = candidate.text
        if candidate.number is None and ends_as_sentence(text) and not text.endswith("?"):
            yield Sign(-2.5, "a paragraph of its own")
        start = self._texts[0] if self._texts else 0
        known = candidate.number is not None or is_usual_title(candidate.text)
        if not known and place < start - 1:
            yield Sign(-4.5, EARLY)
        elif bisect_right(self._texts, place) == len(self._texts) and after is not None:
            yield Sign(-0.5, "no text below")


def _title(blocks: Sequence[Block], found: Sequence[_Candidate], usual: Type) -> list[_Candidate]:
    """Return the lines of the title: before the text, and larger than it and all headings."""
    text = next((n for n, block in enumerate(blocks) if block.is_text), len(blocks))
    early = [each for each in found if each.first < text and not each.stated]
    size = max((each.block.type.size for each in early), default=0.0)
    lines = [each for each in early if each.block.type.size == size]
    plain = all(each.number is None and not is_usual_title(each.text) for each in lines)
    if size < _TITLE_LARGER * usual.size or len(lines) > _MOST_TITLE_LINES or not plain:
        return []
    last = lines[-1].first
    as_large = any(
        each.block.type.size >= size and each.first > last and (each.score > 0 or each.stated)
        for each in found
    )
    return [] if as_large else lines


def _below_styled(blocks: Sequence[Block], likely: Sequence[_Candidate]) -> dict[Any, Inferred]:
    """Put headings without a style below the previous one with a style, larger above smaller."""
    sizes = sorted({each.prominence for each in likely}, reverse=True)
    below = dict(zip(sizes, range(1, len(sizes) + 1), strict=True))
    places = [place for place, block in enumerate(blocks) if block.level is not None]
    inferred = {}
    for each in likely:
        above = bisect_right(places, each.first)
        if above:
            level = (blocks[places[above - 1]].level or 0) + below[each.prominence]
            inferred[each.block.element] = Inferred(level, each.evidence)
    return inferred


def styles_of_text(headings: Iterable[tuple[Hashable, str]]) -> set[Hashable]:
    """Return the heading styles used for text: those of which most headings are statements."""
    headings = list(headings)
    counts = Counter(style for style, _ in headings)
    statements = Counter(style for style, title in headings if is_statement(title))
    return {style for style, count in statements.items() if 2 * count > counts[style]}
