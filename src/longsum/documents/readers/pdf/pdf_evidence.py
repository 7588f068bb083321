"""Which lines of a PDF may be headings, and the evidence for and against each."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from longsum.documents.readers.pdf.pdf_content import Line, Usual
from longsum.documents.readers.structure.heading_candidates import (
    EARLY,
    MOST_WORDS,
    PRIOR,
    HeadingCandidate,
    Sign,
    compare_looks,
    count_numbers,
    is_upper,
    is_usual_title,
    prominence,
    signs_of_words,
)
from longsum.documents.readers.structure.heading_numbers import Number, heading_number
from longsum.language.characters import letters_of
from longsum.language.sentences import ends_as_sentence, opens_lower

_MOST_LINES = 4
_RARE, _RARE_UNSET = 3.2, 1.8
"""How rare headings are, in log-odds; if no line is set off, other signs must suffice."""
_FAR = 12
_TEXT_WIDTH = 0.8
"""Least width of a line of running text, relative to the usual."""
_DISPLAY = 1.3
"""Least size of display type, relative to the text."""
_ANOTHER_FONT = 1.4
"""Evidence of a short line in another family; as large as the text and not bold, it may be the only
sign."""
_FULL = 0.92
"""Least width of a line that fills its column."""


@dataclass(slots=True)
class Candidate(HeadingCandidate):
    """Lines of a PDF that may be one heading; `line` is the first of them."""

    line: Line

    @property
    def look(self) -> tuple[object, ...]:
        """Size, weight, slant, capitals and family of its type."""
        font = self.line.font
        return round(self.line.size * 2) / 2, font.bold, font.italic, self.is_capitals, font.family

    @property
    def prominence(self) -> float:
        """See `HeadingCandidate`."""
        font = self.line.font
        return prominence(
            self.line.size, bold=font.bold, capitals=self.is_capitals, italic=font.italic
        )

    @property
    def is_centred(self) -> bool:
        """Whether its first line is centred in its column."""
        return self.line.is_centred

    @property
    def is_capitals(self) -> bool:
        """Whether it is set in capitals or small capitals."""
        return self.line.font.small_caps or is_upper(self.text)


def candidates(lines: Sequence[Line], usual: Usual, listed: AbstractSet[str]) -> list[Candidate]:
    """Return the candidates for headings, with their signs.

    Args:
        lines: The lines of the document in reading order, without running heads.
        usual: The usual setting of the text.
        listed: The titles in tables of contents, in the form of `letters_of`.
    """
    found = [
        Candidate(
            a, b, text := _joined(lines[a:b]), lines[a], number=_number(text, lines[a], usual)
        )
        for a, b in _blocks(lines, usual)
    ]
    tagged = _tagged(lines)
    text_starts = _text_starts(lines, usual)
    for candidate in found:
        candidate.signs += _Judge(lines, usual, candidate).signs()
        candidate.signs += _place(candidate, lines, text_starts)
        candidate.signs += _stated_elsewhere(candidate, listed, tagged)
    count_numbers(found)
    compare_looks([each for each in found if not _is_plain(each.line, usual)])
    return found


def _number(text: str, line: Line, usual: Usual) -> Number | None:
    """Return the number of a heading; in upright type, initials and the like do not count."""
    number = heading_number(text)
    if number is None or number.kind == "arabic" or number.named:
        return number
    font = line.font
    set_off = font.bold or font.italic or font.small_caps or is_upper(text)
    return number if set_off and not _is_plain(line, usual) else None


def _joined(lines: Sequence[Line]) -> str:
    text = ""
    for line in lines:
        text += line.text if line.broken else f"{line.text} "
    return text.strip()


def _blocks(lines: Sequence[Line], usual: Usual) -> Iterator[tuple[int, int]]:
    """Yield the positions `[first, last)` of lines that may be headings, wrapped ones joined."""
    place = 0
    while place < len(lines):
        end = place + 1
        while end < len(lines) and _wraps(lines[end - 1], lines[end], usual):
            end += 1
        line = lines[place]
        plain = _is_plain(line, usual)
        if plain:
            # Lines in the font of the text are each by themselves.
            if _may_be_plain(line):
                yield place, place + 1
            place += 1
            continue
        if end - place <= _MOST_LINES and line.listing is None and not line.is_note:
            yield place, end
        place = end


def _is_plain(line: Line, usual: Usual) -> bool:
    return (
        abs(line.size - usual.size) <= 0.04 * usual.size
        and line.font == usual.font
        and not is_upper(line.text)
    )


def _may_be_plain(line: Line) -> bool:
    if line.listing is not None or line.is_note or len(line.text.split()) > MOST_WORDS:
        return False
    return line.role.startswith("H") or not (
        opens_lower(line.text) or line.text.endswith((",", ";")) or line.broken
    )


def _wraps(line: Line, after: Line, usual: Usual) -> bool:
    """Return whether a heading continues in the next line, since its next word had no room."""
    # The lines of a title may end left or right of where columns meet below.
    near = line.column == after.column or (
        line.page == after.page and line.size > _DISPLAY * usual.size
    )
    if not near or line.font != after.font or after.listing or line.listing:
        return False
    if abs(line.size - after.size) > 0.3:
        return False
    as_text = line.font == usual.font and line.size < _DISPLAY * usual.size
    if as_text and is_upper(line.text) != is_upper(after.text):
        return False
    step = line.baseline - after.baseline
    if not 0 < step <= 1.4 * max(line.size, 1.0):
        return False
    if heading_number(after.text) is not None:
        return False
    word = after.text.split()[0]
    room = line.edges[1] - line.right - 0.55 * line.size * (len(word) + 1)
    if line.column != after.column:
        return True
    return line.broken or line.is_centred or after.is_centred or room < 3 * line.size


def _tagged(lines: Sequence[Line]) -> bool:
    """Return whether the file is tagged and its tags mark headings."""
    return any(re.fullmatch("H[1-6]?", line.role) for line in lines)


def _text_starts(lines: Sequence[Line], usual: Usual) -> list[int]:
    """Return the positions of lines of running text."""
    return [
        place
        for place, line in enumerate(lines)
        if abs(line.size - usual.size) <= 0.1 * usual.size
        and not line.font.bold
        and line.right - line.left > _TEXT_WIDTH * usual.width
        and line.gaps == 0
        and line.listing is None
        and len(line.text) > 25
    ]


class _Judge:
    """Judges one candidate by its own form and position."""

    def __init__(self, lines: Sequence[Line], usual: Usual, candidate: Candidate) -> None:
        self._lines, self._usual, self._candidate = lines, usual, candidate
        self._line = candidate.line

    def signs(self) -> Iterator[Sign]:
        """Yield the evidence for and against the candidate."""
        yield Sign(-_RARE if self._usual.is_spaced else -_RARE_UNSET, PRIOR)
        yield from self._type()
        line = self._line
        stands_out = line.font.bold or line.is_centred or self._candidate.is_capitals
        yield from signs_of_words(self._candidate, stands_out=stands_out)
        yield from self._space()

    def _type(self) -> Iterator[Sign]:
        line, usual = self._line, self._usual
        ratio = line.size / usual.size
        if ratio >= 1.06:
            yield Sign(min(1.8 + 4 * (ratio - 1), 4.0), f"{line.size:g} pt, text {usual.size:g} pt")
        elif ratio < 0.94:
            set_off = line.font.italic or self._candidate.is_capitals
            weight = 1.0 if line.font.bold else 1.7 if set_off else 2.5
            yield Sign(-weight, "smaller than the text")
        if line.font.bold and not usual.font.bold:
            yield Sign(2.2, "bold")
        if line.font.italic and not usual.font.italic:
            yield Sign(1.0, "italic")
        if self._candidate.is_capitals:
            yield Sign(1.6, "capitals")
        if line.font.mono and not usual.font.mono:
            yield Sign(-3.5, "typewriter")
        elif line.font.family != usual.font.family and not line.font.bold and ratio > 0.94:
            yield Sign(_ANOTHER_FONT if line.width < _FULL else 0.4, "another font")
        if line.is_centred and not line.font.mono:
            yield Sign(0.8, "centred")

    def _space(self) -> Iterator[Sign]:
        lines, usual = self._lines, self._usual
        first, last = self._candidate.first, self._candidate.last
        above = self._step(first - 1, first)
        below = self._step(last - 1, last)
        line = self._line
        own = usual.leading * max(1.0, line.size / usual.size)
        if above is not None:
            if above > 1.55 * own:
                yield Sign(1.4, "space above")
            elif above > 1.2 * own:
                yield Sign(0.8, "some space above")
            elif not self._is_heading_like(first - 1) and usual.is_spaced:
                yield Sign(-1.8, "no space above")
        elif first and not _is_plain(line, usual):
            yield Sign(0.7, "opens a column")
        if first and line.width < 0.6 and ends_as_sentence(lines[first - 1].text):
            yield Sign(0.8, "alone after a sentence")
        if below is not None and above is not None and below > 1.15 * usual.leading:
            more = above >= below - 1 or self._is_heading_like(first - 1)
            yield Sign(0.6 if more else 0.0, "space below")
        if last - first == 1 and line.width > _FULL and not line.is_centred:
            yield Sign(-0.8, "fills its line")
        if line.gaps and self._in_table():
            yield Sign(-3.5, "among rows with gaps")
        if last >= len(lines):
            yield Sign(-2.0, "nothing follows")

    def _step(self, before: int, after: int) -> float | None:
        if before < 0 or after >= len(self._lines):
            return None
        a, b = self._lines[before], self._lines[after]
        return a.baseline - b.baseline if a.column == b.column else None

    def _is_heading_like(self, place: int) -> bool:
        """Return whether the line at a position stands out too, so that no space is needed."""
        line = self._lines[place]
        bold = line.font.bold and not self._usual.font.bold
        return place >= 0 and (bold or line.size > 1.06 * self._usual.size)

    def _in_table(self) -> bool:
        first, last = self._candidate.first, self._candidate.last
        near = [*self._lines[max(first - 1, 0) : first], *self._lines[last : last + 1]]
        return any(line.gaps for line in near) or self._line.gaps > 1


def _place(candidate: Candidate, lines: Sequence[Line], text: Sequence[int]) -> Iterator[Sign]:
    """Yield evidence against authors and addresses, which precede the text."""
    after = bisect_right(text, candidate.first)
    start = text[0] if text else 0
    known = candidate.number is not None or is_usual_title(candidate.text)
    if not known and candidate.first < start and start - candidate.last > 1:
        yield Sign(-4.5, EARLY)
        if candidate.line.page < lines[start].page:
            yield Sign(-2.5, "on a title page")
    if after < len(text) and text[after] - candidate.last > _FAR:
        yield Sign(-1.0, "far from any text")


def _stated_elsewhere(
    candidate: Candidate, listed: AbstractSet[str], tagged: bool
) -> Iterator[Sign]:
    role = candidate.line.role
    if tagged:
        if re.fullmatch("H[1-6]?", role):
            yield Sign(7.0, f"tagged {role}")
            candidate.level = int(role[1:]) if role[1:] else None
        else:
            yield Sign(-5.0, f"tagged {role or 'otherwise'}")
    if listed:
        key = letters_of(candidate.text)
        if key in listed:
            yield Sign(4.5, "in the table of contents")
        elif candidate.number is not None or len(listed) >= 5:
            yield Sign(-0.7, "not in the table of contents")
