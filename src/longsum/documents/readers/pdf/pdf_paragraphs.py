"""Divides the lines of a PDF into paragraphs, and mends words broken across lines."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from longsum.documents.fitness.forms import is_caption, note_number
from longsum.documents.readers.pdf.pdf_page import Line, Usual
from longsum.documents.speakers import find_labels
from longsum.language.broken_words import keeps_hyphen, known_words
from longsum.language.prose import opens_lower

_SENTENCE_END = tuple(".!?:;”\"')")
_SHORT = 0.85
"""Least width of a line that runs to the right edge."""
_APART = 1.25
"""Distance of lines between paragraphs, against that within them."""
_INDENT = 0.8
"""Least indent of a first line, in sizes of the font."""
_BULLET = re.compile(r"[•‣◦▪–—·∙*-]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s")
_NOTE_MARK = re.compile(r"(?:\d{1,3}|[*†‡§¶∗]+)\s?\S")
_RULE = re.compile(r"\s*(?P<sign>[~=_*#.-])(?P=sign){3,}\s*")
"""A line that is drawn with signs."""
_SMALLER = 0.93


def mend_words(lines: Sequence[Line]) -> None:
    """Join words that are broken at the end of a line, also over columns and pages.

    The hyphen stays before a capital or digit, and where the document writes the whole word with
    one and not without; otherwise it goes.
    """
    broken = any(line.broken for line in lines)
    known = known_words("\n".join(line.text for line in lines)) if broken else {}
    for line, after in pairwise(lines):
        if not line.broken:
            continue
        word, _, rest = after.text.partition(" ")
        head = line.text.rpartition(" ")[2]
        line.text += ("-" if keeps_hyphen(head, word, known, otherwise=False) else "") + word
        line.broken = False
        after.text = rest


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
    if before.font.mono != line.font.mono or abs(before.size - line.size) > 0.12 * usual.size:
        return True
    if before.gaps and line.gaps:
        return True
    if before.column == line.column:
        step = before.baseline - line.baseline
        if step > _APART * usual.leading * max(1.0, line.size / usual.size):
            return True
        if _is_indented(paragraph, line):
            return True
    if (
        _BULLET.match(line.text)
        and not opens_lower(line.text)
        and before.text.endswith(_SENTENCE_END)
    ):
        return True
    return before.text.endswith(_SENTENCE_END) and before.width < _SHORT


def _is_indented(paragraph: Sequence[Line], line: Line) -> bool:
    """Return whether a line is indented against the one before, which ends a sentence."""
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
