"""Divides the lines of a PDF into running heads, notes and paragraphs, and rejoins broken words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median

from longsum.documents.fitness.forms import is_caption, note_number
from longsum.documents.readers.pdf.pdf_content import PLAIN, Font, Line, Usual
from longsum.documents.readers.structure.furniture import find_furniture
from longsum.documents.speakers import find_labels
from longsum.language.broken_words import keeps_hyphen, kept_hyphens, known_words
from longsum.language.characters import BULLETS
from longsum.language.sentences import ends_as_sentence, opens_lower

_SENTENCE_END = tuple(".!?:;”\"')")
_SHORT = 0.85
"""Least width of a line that reaches the right edge."""
_APART = 1.25
"""Distance of lines between paragraphs, relative to that within them."""
_INDENT = 0.8
"""Least indent of a first line, in multiples of the font size."""
_BULLET = re.compile(rf"[{BULLETS}–—·*-]\s|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})[.)]\s")
_SIGN = re.compile(rf"[{BULLETS}]\s")
_NUMBER = re.compile(r"(\d{1,2})[.)]\s+\S")
_SAME_EDGE = 1.5
_NOTE_MARK = re.compile(r"(?:\d{1,3}|[*†‡§¶∗]+)\s?\S")
_RULE = re.compile(r"\s*(?P<sign>[~=_*#.-])(?P=sign){3,}\s*")
"""A line that is drawn with signs."""
_SMALLER = 0.93
_ADDRESS = re.compile(r"https?://|www\.|doi\.org/")
_IN_ADDRESS = re.compile(r"\w[/=?&%#_~]|[^\W\d]\.\w")
_SUSPENDED = frozenset(["and", "or", "to", "nor", "but", "und", "oder", "et", "ou", "y", "o", "e"])


def mend_words(lines: Sequence[Line]) -> None:
    """Join words that are broken at the end of a line, also across columns and pages.

    The hyphen is kept before a capital or digit, and if the document elsewhere has the word with a
    hyphen but not without; if it has neither, the hyphen is kept if most of its other hyphens at
    line ends belong to words.
    """
    breaks = [
        (line, after, line.text.rpartition(" ")[2], after.text.partition(" ")[0])
        for line, after in pairwise(lines)
        if line.broken or _is_divided(line, after)
    ]
    if not breaks:
        return
    known = known_words("\n".join(line.text for line in lines))
    broken = [(head, word) for line, _, head, word in breaks if line.broken]
    otherwise = kept_hyphens(broken, known) > 0
    for line, after, head, word in breaks:
        if line.broken:
            line.text += "-" * keeps_hyphen(head, word, known, otherwise=otherwise)
        line.text += word
        line.broken = False
        after.text = after.text.partition(" ")[2]


def _is_divided(line: Line, after: Line) -> bool:
    """Return whether a line ends at a hyphen, a dash or in an address that the next continues."""
    word = after.text.partition(" ")[0]
    if _ADDRESS.search(line.text.rpartition(" ")[2]) and _address_goes_on(line.text, word):
        return True
    ends = len(line.text) > 1 and line.text[-1] in "-—" and line.text[-2].isalpha()
    # "pre- and post-processing".
    return ends and word[:1].isalpha() and word not in _SUSPENDED


def _address_goes_on(line: str, word: str) -> bool:
    """Return whether the address at the end of a line continues at the start of the next one."""
    match line[-1]:
        case "=" | "&" | "_" | "%" | "#":
            return True
        case "?":
            # A query has a name and a value; here it may be the end of a question.
            return "=" in word
        case "/":
            # A word of prose may follow.
            return _IN_ADDRESS.search(word) is not None
        case ".":
            # Here it may be the end of a sentence.
            return line[-2].isalnum() and (word[:1].islower() or "/" in word[1:-1])
        case end:
            return end.isalnum() and word[:1] in tuple("/=?&")


def mark_notes(pages: Sequence[Sequence[Line]], usual: Usual) -> None:
    """Mark footnotes: small lines at the foot of a column, from the first with a mark."""
    for lines in pages:
        for _, column in groupby(lines, key=lambda line: line.column):
            own = list(column)
            start = len(own)
            while start and own[start - 1].size <= _SMALLER * usual.size:
                start -= 1
            notes = own[start:]
            if not start or not notes or is_caption(notes[0].text):
                continue
            marked = (n for n, line in enumerate(notes) if _NOTE_MARK.match(line.text))
            for line in notes[next(marked, len(notes)) :]:
                line.is_note = True


def paragraphs(lines: Sequence[Line], usual: Usual) -> Iterator[list[Line]]:
    """Divide lines into paragraphs; the footnotes of a page follow the paragraph they interrupt."""
    labels = find_labels([line.text for line in lines])
    paragraph: list[Line] = []
    notes: list[Line] = []
    for line, label in zip(lines, labels, strict=True):
        if line.is_note:
            notes.append(line)
            continue
        if paragraph and (label is not None or _begins(paragraph, line, usual)):
            yield paragraph
            paragraph = []
        if not paragraph:
            yield from _divided_notes(notes)
            notes = []
        paragraph.append(line)
    if paragraph:
        yield paragraph
    yield from _divided_notes(notes)


def _begins(paragraph: Sequence[Line], line: Line, usual: Usual) -> bool:
    """Return whether a line begins a new paragraph."""
    before = paragraph[-1]
    if _RULE.fullmatch(before.text) or _RULE.fullmatch(line.text):
        return True
    if abs(before.size - line.size) > 0.12 * usual.size:
        return True
    if before.font.mono != line.font.mono and not _takes_code(paragraph):
        return True
    if before.gaps and line.gaps:
        return True
    if before.column == line.column:
        step = before.baseline - line.baseline
        if step > _APART * usual.leading * max(1.0, line.size / usual.size):
            return True
        if _is_indented(paragraph, line):
            return True
    if _is_next_item(paragraph, line):
        return True
    if (
        _BULLET.match(line.text)
        and not opens_lower(line.text)
        and before.text.endswith(_SENTENCE_END)
    ):
        return True
    return before.text.endswith(_SENTENCE_END) and before.width < _SHORT


def _takes_code(paragraph: Sequence[Line]) -> bool:
    """Return whether code may continue the last line of a paragraph, or prose its code.

    It is prose, and a line before code is full and ends no sentence.
    """
    before = paragraph[-1]
    if paragraph[0].font.mono:
        return False
    return before.font.mono or not (before.text.endswith(_SENTENCE_END) or before.width < _SHORT)


def _is_next_item(paragraph: Sequence[Line], line: Line) -> bool:
    """Return whether a line begins the item after that of a paragraph, however that ends."""
    first = paragraph[0]
    if _SIGN.match(line.text):
        # Bullets within a line divide something else, such as an address.
        inner = (_SIGN.search(each.text, each is first) for each in paragraph)
        return _SIGN.match(first.text) is not None and not any(inner)
    numbers = [_NUMBER.match(each.text) for each in (first, line)]
    if numbers[0] is None or numbers[1] is None or first.column != line.column:
        return False
    follows = int(numbers[1][1]) == int(numbers[0][1]) + 1
    return follows and abs(first.left - line.left) <= _SAME_EDGE


def _is_indented(paragraph: Sequence[Line], line: Line) -> bool:
    """Return whether a line is indented relative to the one before, which ends a sentence."""
    before = paragraph[-1]
    indent = line.left - before.left
    first = len(paragraph) == 1
    deep = _INDENT * max(line.size, 1) <= indent <= 6 * max(line.size, 1)
    return deep and not first and before.text.endswith(_SENTENCE_END)


def _divided_notes(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield each of several footnotes."""
    note: list[Line] = []
    for line in lines:
        if note and note_number(line.text) is not None:
            yield note
            note = []
        note.append(line)
    if note:
        yield note


_FEWEST_PAGES = 4
_SHARE = 0.6
"""Least share of the pages, or of the left or right ones, with a line at the same height."""
_SAME_HEIGHT = 2
_LARGEST = 1.05
"""Largest size of a running head, relative to the text; titles of slides are larger."""
_APART_FROM_TEXT = 1.45
"""Least distance of a running head from the text, in line distances."""


def without_running(
    pages: Sequence[list[Line]], size: float, font: Font = PLAIN
) -> tuple[list[list[Line]], list[Line]]:
    """Leave out running heads, running feet and page numbers.

    Besides what recurs or counts (`find_furniture`), these are lines at the height where most pages
    have their first or last line, if those lines look different from the text or are set apart from
    it.

    The lines of a page are in reading order; size and font are those of the text.

    Returns:
        The pages without such lines, and these lines from top to bottom.
    """
    ordered = [sorted(lines, key=lambda line: (-line.baseline, line.left)) for lines in pages]
    named = find_furniture([[line.text for line in lines] for lines in ordered])
    gone = {
        id(lines[place]) for lines, places in zip(ordered, named, strict=True) for place in places
    }
    for side in (0, -1):
        gone |= {id(line) for line in _at_one_height(ordered, side, size, font)}
    kept = [[line for line in lines if id(line) not in gone] for lines in pages]
    return kept, [line for lines in ordered for line in lines if id(line) in gone]


def _at_one_height(
    pages: Sequence[Sequence[Line]], side: int, size: float, font: Font
) -> list[Line]:
    """Return the first or last lines of pages that are running heads or feet."""
    filled = [number for number, lines in enumerate(pages) if len(lines) > 1]
    if len(filled) < _FEWEST_PAGES:
        return []
    leading = _leading(pages)
    found: list[Line] = []
    for parity in (0, 1):
        own = [number for number in filled if number % 2 == parity]
        heights = Counter(round(pages[number][side].baseline) for number in own)
        if len(own) < _FEWEST_PAGES / 2 or not heights:
            continue
        height = heights.most_common(1)[0][0]
        at = [n for n in own if abs(pages[n][side].baseline - height) <= _SAME_HEIGHT]
        running = [n for n in at if _is_running(pages[n], side, size, font, leading)]
        if len(running) >= _SHARE * len(own) and len(running) >= 0.8 * len(at):
            for number in running:
                found += [
                    line
                    for line in pages[number]
                    if abs(line.baseline - pages[number][side].baseline) <= _SAME_HEIGHT
                ]
    return found


def _is_running(lines: Sequence[Line], side: int, size: float, font: Font, leading: float) -> bool:
    edge = lines[side]
    if edge.size > _LARGEST * size or (ends_as_sentence(edge.text) and edge.width > 0.5):
        return False
    beyond = (line for line in (lines if side == 0 else reversed(lines)) if line is not edge)
    next_line = next(
        (line for line in beyond if abs(line.baseline - edge.baseline) > _SAME_HEIGHT), None
    )
    if next_line is None:
        return False
    apart = abs(edge.baseline - next_line.baseline) > _APART_FROM_TEXT * leading
    own, usual = ((f.italic, f.bold, f.small_caps) for f in (edge.font, font))
    unlike = edge.size < 0.95 * size or own != usual
    return apart or (unlike and edge.text != next_line.text and edge.size <= size)


def _leading(pages: Sequence[Sequence[Line]]) -> float:
    steps = [
        before.baseline - after.baseline
        for lines in pages
        for before, after in pairwise(lines)
        if before.column == after.column and before.baseline > after.baseline
    ]
    return median(steps) if steps else 1.0
