"""What a sentence cites, documents ("[2, 3]") and pages ("(p. 34)"), and what it quotes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.core.summaries import Doubt
from longsum.documents.model import Document
from longsum.language.words import terms

_TO = r"\s?[-–]\s?"
# A page after a name belongs to another work.
_CITED = re.compile(
    rf"[(\[](?:see |at )?(?:pp?\.|pages?)\s?(?P<first>\d{{1,5}})(?:{_TO}(?P<last>\d{{1,5}}))?[)\]]"
    r"|\[(?P<numbers>\d{1,3}(?:\s?[-–,;]\s?\d{1,3}){0,20})\]",
    re.IGNORECASE,
)
_NUMBERS = re.compile(rf"(\d+)(?:{_TO}(\d+))?")
_WIDEST = 50
"""A range of numbers wider than this is not a citation."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A mark in a sentence that cites something.

    Attributes:
        text: The mark.
        start: Offset of its first code point in the sentence.
        numbers: The documents or entries that it cites by number; empty if it cites pages.
        pages: The pages that it cites; empty if it cites by number.
    """

    text: str
    start: int
    numbers: tuple[int, ...] = ()
    pages: range = range(0)


def citations_in(text: str) -> list[Citation]:
    """Return what a sentence cites, in order."""
    citations = []
    for match in _CITED.finditer(text):
        if match["numbers"] is None:
            pages = _all(match["first"], match["last"])
            citations.append(Citation(match[0], match.start(), pages=pages))
        else:
            runs = (_all(*run.groups()) for run in _NUMBERS.finditer(match["numbers"]))
            numbers = tuple(number for run in runs for number in run)
            citations.append(Citation(match[0], match.start(), numbers))
    return citations


def without(text: str, citations: Sequence[Citation]) -> str:
    """Return a sentence with citations blanked out, so that all other offsets hold."""
    for each in citations:
        end = each.start + len(each.text)
        text = text[: each.start] + " " * len(each.text) + text[end:]
    return text


def _all(first: str, last: str | None) -> range:
    """Return a range of numbers, both ends included."""
    start, stop = int(first), int(last or first) + 1
    return range(start, stop if start < stop <= start + _WIDEST else start + 1)


# Straight marks open after a space and close after a word, so that the text between two quotations
# is not taken for one.
_QUOTED = re.compile(r"“([^“”]{1,2000})”|(?<![^\s(\[—–])\"(?=[^\s\"])([^\"]{1,2000})(?<=\S)\"")
# Dots for omitted words, and words with the writer's insertions: "[t]he".
_PAUSE = re.compile(r"\[?(?:\.\s?){3}\]?|\[?…\]?|\w{0,20}\[[^\[\]]{0,80}\]\w{0,20}")
_LEAST_WORDS = 3
"""Fewer words in quotation marks are as often a term or scare quotes as a quotation."""


def misquoted(text: str, document: Document) -> Iterator[Doubt]:
    """Yield the quotations of a sentence that the document does not have word for word.

    Case, punctuation and text in brackets may differ, and words may be omitted where dots indicate
    it.
    """
    words = ""
    for match in _QUOTED.finditer(text):
        group = 1 if match[1] is not None else 2
        if len(terms(match[group])) < _LEAST_WORDS:
            continue
        words = words or f" {' '.join(terms(document.text))} "
        pieces = [" ".join(terms(piece)) for piece in _PAUSE.split(match[group])]
        if any(f" {piece} " not in words for piece in pieces if piece):
            start, end = match.span(group)
            yield Doubt("quotation", "missing", "document", match[group], start, end)
