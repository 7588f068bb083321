"""Blocks of text in reading order, and the plain text, offsets and sections that they become."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from longsum.documents.item_marks import INNER_NUMBER, after_mark, numbers_paragraphs
from longsum.documents.model import (
    Document,
    Evidence,
    Kind,
    Omission,
    Paragraph,
    Section,
    Sentence,
    Source,
)
from longsum.documents.speakers import Label, find_labels, find_speakers
from longsum.language.sentences import split_sentences

DEEPEST_LEVEL = 32
"""Headings nested deeper are placed at this level, so that hostile input cannot recurse deeply."""

# A stage direction before speech: `[Rising] It is late.`
_ASIDE = re.compile(r"[\[(]_?[^\W\d_][^\[\]()]{2,120}[\])](?=\s+\W{0,2}[^\W\d_a-z])")


@dataclass(slots=True)
class _OpenSection:
    """A section under construction: its heading, and its text so far."""

    number: int
    title: str
    rank: int
    level: int
    start: int
    end: int
    evidence: Evidence | None = None
    paragraphs: list[Paragraph] = field(default_factory=list)
    children: list["_OpenSection"] = field(default_factory=list)


@dataclass(slots=True)
class Heading:
    """A heading among the blocks of a document; see `DocumentBuilder.heading`."""

    rank: int
    title: str
    evidence: Evidence | None = None


@dataclass(slots=True)
class TextBlock:
    """A paragraph among the blocks of a document.

    Attributes:
        text: Its text on one line.
        starts: Where its pieces start: lines, or sentences.
        pages: The page of each piece.
        divided: Whether the pieces are sentences.
        kind: Its kind according to the format; None if the format does not say.
        known: The original sentences, if they come from another document.
        speaker: The speaker, if the format states one.
    """

    text: str
    starts: Sequence[int]
    pages: Sequence[int | None]
    divided: bool
    kind: Kind | None = None
    known: Sequence[Sentence] = ()
    speaker: str = ""

    def spans(self, opening: int) -> list[tuple[int, int]]:
        """Return the spans of its sentences, starting at `opening`."""
        if not self.divided:
            return [(opening + a, opening + b) for a, b in split_sentences(self.text[opening:])]
        bounds = []
        for start, after in pairwise([*self.starts, len(self.text) + 1]):
            start = max(start, opening)
            if stripped := self.text[start:after].strip():
                bounds.append((start, start + len(stripped)))
        return bounds


Block = Heading | TextBlock


@dataclass(slots=True)
class OmittedPart:
    """An omitted part: its kind, text and page, and the number of preceding blocks."""

    kind: str
    text: str
    page: int | None
    before: int


class TextLayout:
    """Assembles the plain text and the open sections, then freezes them."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._parts: list[str] = []
        self._position = 0
        self._top: list[_OpenSection] = []
        self._open: list[_OpenSection] = []
        self._count = 0
        self.stated: dict[int, Kind] = {}
        """Kinds stated by the format, by the start of the sentence."""
        self.known: dict[int, Kind] = {}
        """Kinds taken from another document, likewise."""
        self._numbered = False
        # Where each block ends, by identity.
        self._ends: dict[int, int] = {}
        if title:
            self._append(title)

    def document(
        self, blocks: Iterable[Block], source: Source, warnings: tuple[str, ...]
    ) -> Document:
        """Return the document of some blocks, before omissions and kinds of sentences."""
        blocks = list(blocks)
        texts = [_unknown_text(block) for block in blocks]
        self._numbered = numbers_paragraphs(filter(None, texts))
        labels = find_labels(texts)
        if any(label and label.speaker for label in labels):
            # Few documents have speakers.
            from longsum.documents.speech import only_spoken

            labels = only_spoken(texts, labels)
        speakers = find_speakers(texts, labels)
        for block, label, speaker in zip(blocks, labels, speakers, strict=True):
            if isinstance(block, Heading):
                self._start_section(block.rank, block.title, block.evidence)
            else:
                self._add_paragraph(block, label, block.speaker or speaker)
            self._ends[id(block)] = self._position
        sections = tuple(_freeze(section) for section in self._top)
        return Document(self._title, "".join(self._parts), sections, source, warnings)

    def omissions(
        self, left_out: Iterable[OmittedPart], blocks: Iterable[Block]
    ) -> tuple[Omission, ...]:
        """Return the omissions, each placed after the last kept block before it, or the title.

        `blocks` include removed ones.
        """
        ends, last = [0], len(self._title)
        for block in blocks:
            last = self._ends.get(id(block), last)
            ends.append(last)
        return tuple(
            Omission(part.kind, part.text.replace("\n\n", "\n"), ends[part.before], part.page)
            for part in left_out
        )

    def _append(self, text: str) -> int:
        """Append a block of text after a blank line; return where it starts."""
        if self._parts and text:
            self._parts.append("\n\n")
            self._position += 2
        start = self._position
        self._parts.append(text)
        self._position += len(text)
        return start

    def _start_section(self, rank: int, title: str, evidence: Evidence | None = None) -> None:
        while self._open and (self._open[-1].rank >= rank or len(self._open) >= DEEPEST_LEVEL):
            self._open.pop()
        siblings = self._open[-1].children if self._open else self._top
        start = self._append(title) if title else -1
        level = len(self._open) + 1
        section = _OpenSection(self._count, title, rank, level, start, self._position, evidence)
        self._count += 1
        siblings.append(section)
        self._open.append(section)
        self._extend(start)

    def _add_paragraph(self, block: TextBlock, label: Label | None, speaker: str) -> None:
        """Add a paragraph; labels and list marks stay in the text between sentences."""
        if not self._open:
            # Any heading, whatever its rank, ends the text before the first one.
            self._start_section(_PREAMBLE_RANK, "")
        start = self._append(block.text)
        paragraph: list[Sentence] = []
        # A turn without words stays a paragraph, since data sets count turns.
        opening = label.end if label and block.text[label.end :].strip() else 0
        if not block.divided:
            opening, is_item = after_mark(block.text, opening, numbered=self._numbered)
            if is_item:
                self.stated.setdefault(start + opening, "list_item")
        spans = block.spans(opening)
        if label and not block.divided and (aside := _ASIDE.match(block.text, opening)):
            spans = [(opening, aside.end()), *block.spans(aside.end() + 1)]
        for number, (first, last) in enumerate(spans):
            if not block.divided and (mark := INNER_NUMBER.match(block.text, first, last)):
                first = mark.end()
            page = block.pages[bisect_right(block.starts, first) - 1]
            if block.known:
                speaker = block.known[number].speaker
                self.known[start + first] = block.known[number].kind
            elif block.kind is not None:
                self.stated[start + first] = block.kind
            text = block.text[first:last]
            paragraph.append(Sentence(text, start + first, start + last, page, speaker=speaker))
        if paragraph:
            self._open[-1].paragraphs.append(tuple(paragraph))
        self._extend(start)

    def _extend(self, start: int) -> None:
        """Extend all open sections to the current position; one without a heading starts here."""
        for section in self._open:
            if section.start < 0:
                section.start = start
            section.end = self._position


_PREAMBLE_RANK = 2**31


def _unknown_text(block: Block) -> str | None:
    """Return the text of a paragraph that may be speech, "" for a stage direction."""
    if isinstance(block, Heading) or block.known:
        return None
    return "" if block.kind == "stage_direction" else block.text


def _freeze(section: _OpenSection) -> Section:
    children = tuple(_freeze(child) for child in section.children)
    # A section without heading and text starts where the preceding text ends; its empty children
    # may start before its own first sentence.
    start = section.start if section.start >= 0 else section.end
    return Section(
        number=section.number,
        title=section.title,
        level=section.level,
        paragraphs=tuple(section.paragraphs),
        children=children,
        start=min([start, *(child.start for child in children)]),
        end=section.end,
        evidence=section.evidence,
    )
