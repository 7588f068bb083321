"""Which lines of a PDF may be headings, and what speaks for and against each."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from longsum.documents.readers.pdf.pdf_page import Line, Usual
from longsum.documents.readers.structure.heading_candidates import (
    PRIOR,
    HeadingCandidate,
    Type,
    is_upper,
    letters_of,
)
from longsum.documents.readers.structure.heading_numbers import Number, heading_number
from longsum.documents.readers.structure.heading_signs import (
    LARGER,
    MOST_WORDS,
    compare,
    present,
    signs_of_place,
    signs_of_type,
    signs_of_words,
)
from longsum.language.prose import ends_as_sentence, opens_lower

_HEADING_TAG = re.compile("H(?P<level>[1-6]?)")
_MOST_LINES = 4
_TEXT_WIDTH = 0.8
"""Least width of a line of running text against the usual."""
_DISPLAY = 1.3
"""Least size of display type against the text."""
_FULL = 0.92
"""Least width of a line that fills its column."""
_SOME_SPACE, _MUCH_SPACE = 1.2, 1.55
"""Least distance to the line above, against that of lines of its size."""


def type_of(line: Line) -> Type:
    """Return the type of a line."""
    font = line.font
    return Type(line.size, font.bold, font.italic, False, font.small_caps, font.mono, font.family)


def candidates(
    lines: Sequence[Line], usual: Usual, listed: AbstractSet[str]
) -> list[HeadingCandidate]:
    """Return what may be headings, with its signs.

    Args:
        lines: The lines of the document in reading order, without running heads.
        usual: The usual setting of the text.
        listed: The titles in tables of contents, as `letters_of` has them.
    """
    tagged = any(_HEADING_TAG.fullmatch(line.role) for line in lines)
    texts = _text_places(lines, usual)
    own = type_of(Line("", 0, size=usual.size, font=usual.font))
    found = []
    for first, last in _blocks(lines, usual):
        line, text = lines[first], _joined(lines[first:last])
        heading = _HEADING_TAG.fullmatch(line.role)
        if tagged and not heading:
            continue
        each = HeadingCandidate(first, last, text, type_of(line), line.is_centred)
        each.is_set_off = not _is_plain(line, usual)
        each.number = _number(text, line, usual)
        each.signs = present(
            {
                PRIOR: 1,
                **signs_of_words(text, each.number),
                **signs_of_type(text, each.type, own, centred=line.is_centred),
                **signs_of_place(each, texts),
                **_space(lines, usual, each),
                **_listed(text, listed),
                # Where no line is set off, it says nothing of one that it is not.
                **({} if usual.is_spaced else {"set as the text": 0}),
            }
        )
        if heading:
            each.stated = "tagged as a heading"
            each.level = int(heading["level"]) if heading["level"] else None
        found.append(each)
    compare(found)
    return found


def _number(text: str, line: Line, usual: Usual) -> Number | None:
    """Return the number of a heading; in upright type, initials of names and the like are none."""
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
            # Lines in the font of the text stand each for itself.
            if _may_be_plain(line):
                yield place, place + 1
            place += 1
            continue
        if end - place <= _MOST_LINES and line.listing is None and not line.is_note:
            yield place, end
        place = end


def _is_plain(line: Line, usual: Usual) -> bool:
    """Return whether a line is set as the text."""
    as_large = abs(line.size - usual.size) < (LARGER - 1) * usual.size
    return as_large and line.font == usual.font and not is_upper(line.text)


def _may_be_plain(line: Line) -> bool:
    if line.listing is not None or line.is_note or len(line.text.split()) > MOST_WORDS:
        return False
    return line.role.startswith("H") or not (
        opens_lower(line.text) or line.text.endswith((",", ";")) or line.broken
    )


def _wraps(line: Line, after: Line, usual: Usual) -> bool:
    """Return whether a heading goes on in the next line, since its next word had no room."""
    # The lines of a title may end left and right of where columns meet below.
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


def _text_places(lines: Sequence[Line], usual: Usual) -> list[int]:
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


def _space(lines: Sequence[Line], usual: Usual, candidate: HeadingCandidate) -> dict[str, float]:
    """Return what the space around a line, and the lines next to it, say."""
    first, last, line = candidate.first, candidate.last, lines[candidate.first]
    above, below = _step(lines, first - 1, first), _step(lines, last - 1, last)
    own = usual.leading * max(1.0, line.size / usual.size)
    # No space is needed below what stands out too.
    after_heading = first > 0 and (
        lines[first - 1].size > LARGER * usual.size
        or (lines[first - 1].font.bold and not usual.font.bold)
    )
    near = [*lines[max(first - 1, 0) : first], *lines[last : last + 1]]
    return {
        "space above": above is not None and above > _MUCH_SPACE * own,
        "below a heading": above is not None and above <= _SOME_SPACE * own and after_heading,
        "alone after a sentence": first > 0
        and line.width < 0.6
        and ends_as_sentence(lines[first - 1].text),
        "space below": below is not None
        and above is not None
        and below > 1.15 * usual.leading
        and (above >= below - 1 or after_heading),
        "fills its line": last - first == 1 and line.width > _FULL and not line.is_centred,
        "among rows with gaps": line.gaps > 1
        or (line.gaps > 0 and any(each.gaps for each in near)),
    }


def _step(lines: Sequence[Line], before: int, after: int) -> float | None:
    """Return how far a line is below another of its column."""
    if before < 0 or after >= len(lines):
        return None
    a, b = lines[before], lines[after]
    return a.baseline - b.baseline if a.column == b.column else None


def _listed(text: str, listed: AbstractSet[str]) -> dict[str, float]:
    is_listed = letters_of(text) in listed
    return {
        "in the table of contents": is_listed,
        "not in the table of contents": bool(listed) and not is_listed,
    }
