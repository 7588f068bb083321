"""Finds sentences that begin or end within a quotation, as in `"We lost. We shall win," he said`.

Alone, a sentence from the middle of a quotation would read as the author's own.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

from longsum.documents.model import Document, Paragraph, Sentence

_CLOSING = {"“": "”", "„": "“”", "«": "»", '"': '"'}
_MARK = re.compile(r'[“”„«»"]')
_MOST_QUOTED = 8
"""Maximum paragraphs of one quotation."""
_BEFORE_OPENING = frozenset(" \t\n\u00a0([{—–-/'‘")


@dataclass(frozen=True, slots=True)
class QuotationMark:
    """A quotation mark that a sentence lacks, since it is in another one.

    Attributes:
        text: The mark.
        sentence: Position of the sentence that has it; if it is missing, of the sentence with its
            counterpart.
        place: Its offset in `Document.text`.
    """

    text: str
    sentence: int
    place: int


@dataclass(frozen=True, slots=True)
class Quotations:
    """The quotations that sentences of a document begin or end within.

    Attributes:
        opening: For a sentence that begins within a quotation, the mark that opens it, by position.
        closing: For a sentence that ends within a quotation, the mark that closes it, by position.
        whole: Positions of the sentences that are quoted from their first word to their last.
    """

    opening: Mapping[int, QuotationMark]
    closing: Mapping[int, QuotationMark]
    whole: Set[int]

    @classmethod
    def of(cls, document: Document) -> "Quotations":
        """Find them, paragraph by paragraph.

        A quotation that stays open ends with its paragraph if the next paragraph opens with its
        mark again, as is the custom, and continues if it opens its paragraph and one of the next
        closes it. Other paragraphs whose marks do not pair have none.
        """
        opening: dict[int, QuotationMark] = {}
        closing: dict[int, QuotationMark] = {}
        whole: set[int] = set()
        first = 0
        for paragraph, after in _passages(document):
            spans = _spans(document.text, paragraph, after)
            starts = [start for start, _ in spans]
            begins = [sentence.start for sentence in paragraph]
            for position, sentence in enumerate(paragraph):
                # The last one that opens before the sentence begins, and before it ends.
                begun, ended = (
                    bisect_left(starts, sentence.start),
                    bisect_left(starts, sentence.end),
                )
                if begun and sentence.start < spans[begun - 1][1]:
                    start, end = spans[begun - 1]
                    holder = first + bisect_left(begins, start + 1) - 1
                    opening[first + position] = QuotationMark(document.text[start], holder, start)
                if ended and sentence.end <= spans[ended - 1][1]:
                    start, end = spans[ended - 1]
                    mark = document.text[end : end + 1]
                    if end == paragraph[-1].end:
                        mark, end = _CLOSING[document.text[start]][0], start
                    holder = first + bisect_left(begins, end + 1) - 1
                    closing[first + position] = QuotationMark(mark, holder, end)
                if ended and _is_within(document.text, sentence, spans[ended - 1]):
                    whole.add(first + position)
            first += len(paragraph)
        return cls(opening, closing, whole)


def _passages(document: Document) -> Iterator[tuple[Paragraph, str]]:
    """Yield paragraphs; those that one quotation runs through are joined.

    Each comes with the opening character of the next one.
    """
    paragraphs = [each for section in document.walk() for each in section.paragraphs]
    first = 0
    while first < len(paragraphs):
        last = first + _count_quoted(document.text, paragraphs[first : first + _MOST_QUOTED])
        after = paragraphs[last][0].text[0] if last < len(paragraphs) else ""
        yield tuple(chain.from_iterable(paragraphs[first:last])), after
        first = last


def _count_quoted(text: str, paragraphs: Sequence[Paragraph]) -> int:
    """Return how many paragraphs the quotation that opens the first one runs through; else 1."""
    mark = paragraphs[0][0].text[0]
    if mark == '"' or mark not in _CLOSING or _spans(text, paragraphs[0], ""):
        return 1
    joined = paragraphs[0]
    for count, paragraph in enumerate(paragraphs[1:], start=2):
        joined += paragraph
        if _spans(text, joined, ""):
            return count
    return 1


def _is_within(text: str, sentence: Sentence, span: tuple[int, int]) -> bool:
    """Return whether all words of a sentence are within a quotation."""
    outside = text[sentence.start : max(span[0], sentence.start)] + text[span[1] : sentence.end]
    return not any(map(str.isalnum, outside))


def _spans(text: str, paragraph: Paragraph, after: str) -> list[tuple[int, int]]:
    """Return where the quotations of a paragraph open and close; none if marks do not pair.

    `after` is the opening character of the next paragraph.
    """
    start, end = paragraph[0].start, paragraph[-1].end
    spans: list[tuple[int, int]] = []
    opened = -1
    for found in _MARK.finditer(text, start, end):
        mark, place = found[0], found.start()
        opens = mark in _CLOSING and (mark != '"' or _may_open(text, place))
        if opened >= 0 and mark in _CLOSING[text[opened]] and not (opens and mark == '"'):
            spans.append((opened, place))
            opened = -1
        elif opened < 0 and opens:
            opened = place
        elif opened >= 0 or mark != '"' or not text[place - 1 : place].isdigit():
            # A mark after a number stands for inches.
            return []
    if opened < 0:
        return spans
    return [*spans, (opened, end)] if after == text[opened] else []


def _may_open(text: str, place: int) -> bool:
    """Return whether a straight mark may open a quotation, by the characters around it."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return (not before or before in _BEFORE_OPENING) and not after.isspace()
