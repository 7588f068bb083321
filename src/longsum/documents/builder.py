"""Builds a `Document` from headings and paragraphs in reading order; every reader uses it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from longsum.documents.heading_titles import bare_title
from longsum.documents.model import Document, Paragraph, Section, Sentence, Source
from longsum.language.characters import without_hidden
from longsum.language.identify import language_tag
from longsum.language.sentences import split_sentences
from longsum.language.spacing import join_pieces, space_between

DEEPEST_LEVEL = 32
"""Headings nested deeper are placed at this level, so that hostile input cannot recurse deeply."""

# Terminal escapes, NUL and other controls do not belong in text that people read.
_ESCAPES = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
# A soft hyphen before a line break is removed together with the break.
_SOFT_BREAK = re.compile(r"\u00ad[^\S\n]*\n\s*")


def clean(text: str) -> str:
    """Clean text and put it on one line.

    White space is collapsed; a line break between characters that are written without spaces is
    removed, as are terminal escapes, control characters and invisible characters
    (`longsum.language.characters`); lone surrogates become U+FFFD. All text of a document passes
    through here.
    """
    if text.isascii():
        return " ".join(_CONTROLS.sub(" ", _ESCAPES.sub("", text)).split())
    text = without_hidden(_SOFT_BREAK.sub("", _SURROGATES.sub("\ufffd", text)))
    text = without_hidden(_CONTROLS.sub(" ", _ESCAPES.sub("", text)))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return join_pieces(filter(None, lines))


@dataclass(slots=True)
class _OpenSection:
    """A section under construction: its heading, and its text so far."""

    number: int
    title: str
    rank: int
    level: int
    start: int
    end: int
    paragraphs: list[Paragraph] = field(default_factory=list)
    children: list["_OpenSection"] = field(default_factory=list)


@dataclass(slots=True)
class Heading:
    """A heading among the blocks of a document; see `DocumentBuilder.heading`."""

    rank: int
    title: str


Block = Heading | Sequence[tuple[str, int | None]]
"""A heading, or the sentences of a paragraph, each with its page."""


class DocumentBuilder:
    """Collects blocks in reading order, then lays out text, offsets and the section tree.

    Heading ranks may be any integers, with gaps, in any order (1, 4, 2): a heading goes under the
    nearest earlier one of lower rank, and its level is its depth in the resulting tree. Text before
    the first heading goes into an untitled section.
    """

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self.warnings: list[str] = []
        self.language: str | None = None
        """The language that the source declares."""

    def heading(self, rank: int, title: str) -> None:
        """Start a section. A lower `rank` is higher in the tree."""
        self._blocks.append(Heading(rank, bare_title(clean(title))))

    def paragraph(self, text: str, page: int | None = None) -> None:
        """Add a paragraph of running text; `split_sentences` finds its sentences."""
        self.lines([(text, page)])

    def lines(self, lines: Iterable[tuple[str, int | None]]) -> None:
        """Add a paragraph given as pieces, each with its page.

        Pieces are joined with or without a space, see `longsum.language.spacing`.
        """
        cleaned: list[str] = []
        starts, page_of, position = [], [], 0
        for line, page in lines:
            if text := clean(line):
                if cleaned:
                    cleaned.append(space_between(cleaned[-1], text))
                    position += len(cleaned[-1])
                cleaned.append(text)
                starts.append(position)
                page_of.append(page)
                position += len(text)
        paragraph = "".join(cleaned)
        self._sentences(
            (paragraph[start:end], page_of[bisect_right(starts, start) - 1])
            for start, end in split_sentences(paragraph)
        )

    def sentences(self, sentences: Iterable[str]) -> None:
        """Add a paragraph whose sentences are already known; they are not split further."""
        self._sentences((clean(sentence), None) for sentence in sentences)

    def _sentences(self, sentences: Iterable[tuple[str, int | None]]) -> None:
        if found := [(text, page) for text, page in sentences if text]:
            self._blocks.append(found)

    def build(
        self,
        title: str | None = None,
        source: Source = Source(),  # noqa: B008
        *,
        otherwise: str = "",
    ) -> Document:
        """Lay out the document.

        Args:
            title: The title where the format states one. With None, a heading that opens the
                document and is the only one of the highest rank becomes the title.
            source: Where the document came from.
            otherwise: The title if none is stated and no heading qualifies.
        """
        blocks = self._blocks
        if title is None:
            title, blocks = _promote_title(blocks)
        document = _Layout(clean(title) or clean(otherwise)).document(
            blocks, replace(source, name=clean(source.name)), tuple(map(clean, self.warnings))
        )
        language = language_tag(self.language)
        return document if language is None else replace(document, language=language)


def _promote_title(blocks: list[Block]) -> tuple[str, list[Block]]:
    headings = [block for block in blocks if isinstance(block, Heading)]
    if not headings or headings[0] is not blocks[0]:
        return "", blocks
    first, rest = headings[0], headings[1:]
    if first.title and all(heading.rank > first.rank for heading in rest):
        return first.title, blocks[1:]
    return "", blocks


class _Layout:
    """Assembles the plain text and the open sections, then freezes them."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._parts: list[str] = []
        self._position = 0
        self._top: list[_OpenSection] = []
        self._open: list[_OpenSection] = []
        self._count = 0
        if title:
            self._append(title)

    def document(
        self, blocks: Iterable[Block], source: Source, warnings: tuple[str, ...]
    ) -> Document:
        for block in blocks:
            if isinstance(block, Heading):
                self._start_section(block.rank, block.title)
            else:
                self._add_paragraph(block)
        sections = tuple(_freeze(section) for section in self._top)
        return Document(self._title, "".join(self._parts), sections, source, warnings)

    def _append(self, text: str) -> int:
        """Add one block of text after a blank line; return where it starts."""
        if self._parts and text:
            self._parts.append("\n\n")
            self._position += 2
        start = self._position
        self._parts.append(text)
        self._position += len(text)
        return start

    def _start_section(self, rank: int, title: str) -> None:
        while self._open and (self._open[-1].rank >= rank or len(self._open) >= DEEPEST_LEVEL):
            self._open.pop()
        siblings = self._open[-1].children if self._open else self._top
        start = self._append(title) if title else -1
        section = _OpenSection(self._count, title, rank, len(self._open) + 1, start, self._position)
        self._count += 1
        siblings.append(section)
        self._open.append(section)
        self._extend(start)

    def _add_paragraph(self, sentences: Sequence[tuple[str, int | None]]) -> None:
        if not self._open:
            # Any heading, whatever its rank, ends the text before the first one.
            self._start_section(_PREAMBLE_RANK, "")
        start = self._append(join_pieces(text for text, _ in sentences))
        paragraph: list[Sentence] = []
        for text, page in sentences:
            if paragraph:
                start += len(space_between(paragraph[-1].text, text))
            paragraph.append(Sentence(text, start, start + len(text), page))
            start += len(text)
        self._open[-1].paragraphs.append(tuple(paragraph))
        self._extend(paragraph[0].start)

    def _extend(self, start: int) -> None:
        """Extend all open sections to the current position; one without a heading starts here."""
        for section in self._open:
            if section.start < 0:
                section.start = start
            section.end = self._position


_PREAMBLE_RANK = 2**31


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
    )
