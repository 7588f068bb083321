"""Finds a document's own opening summary: abstract, executive summary or highlights."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from longsum.documents.model import Document, Paragraph
from longsum.language.words import count_words

_NAME = (
    r"abstract|tl[;:,]? ?dr|synopsis|précis|highlights|at a glance|in brief"
    r"|(?:executive|plain[- ]language|lay|technical|report|management|policy) summary"
    r"|summary(?: of (?:the |this )?(?:report|paper|findings|results|conclusions|study))?"
    r"|key (?:points|findings|takeaways|messages|results)|the (?:bottom line|gist)"
    r"|gao highlights|what gao found"
)
_TITLE = re.compile(rf"\W*(?:[\dIVX]{{1,4}}[.)]?\s+)?(?:{_NAME})\W*", re.IGNORECASE)
# "Abstract—We study …", "TL;DR: …": a label that runs into the text.
_LABEL = re.compile(rf"\W{{0,3}}(?P<name>{_NAME})\s*(?:[:—–]|[.-]\s)", re.IGNORECASE)

_FRONT = 0.15
"""Share of the text within which it must begin, after a title page and table of contents."""
_FEWEST_WORDS = 10
_MOST = 1 / 3
"""Maximum share of the document's words: a summary is shorter than what follows it."""


@dataclass(frozen=True, slots=True)
class OwnSummary:
    """The summary that a document opens with.

    Attributes:
        section: Number of the section that it is, or is in.
        title: Its title in the document.
        words: Number of its words.
        sentences: Positions of its sentences in `Document.sentences`.
    """

    section: int
    title: str
    words: int
    sentences: range


def own_summary(document: Document) -> OwnSummary | None:
    """Return the summary that a document opens with, None if it has none.

    It is a section near the beginning with a title such as "Abstract" and everything under it, or a
    paragraph there that opens with such a label, and much shorter than the document. Only English
    titles are known. A document that is only a summary has none, nor one with three of a title.
    """
    counts = [count_words(sentence.text) for sentence in document.sentences]
    titles = [section.title.casefold() for section in document.walk()]
    place = 0
    for section in document.walk():
        if section.start > _FRONT * len(document.text):
            break
        if _TITLE.fullmatch(section.title) and titles.count(section.title.casefold()) < 3:
            size = sum(len(below.sentences) for below in section.walk())
            title, positions = section.title, range(place, place + size)
        else:
            title, positions = _labelled(section.paragraphs, place)
        words = sum(counts[positions.start : positions.stop])
        if _FEWEST_WORDS <= words <= _MOST * sum(counts):
            return OwnSummary(section.number, title, words, positions)
        place += len(section.sentences)
    return None


def _labelled(paragraphs: Sequence[Paragraph], place: int) -> tuple[str, range]:
    """Return the label and the sentences of the opening paragraph that has one."""
    for paragraph in paragraphs[:3]:
        if label := _LABEL.match(paragraph[0].text):
            return label["name"], range(place, place + len(paragraph))
        place += len(paragraph)
    return "", range(0)
