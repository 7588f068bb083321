"""Builds a `Document` from headings and paragraphs in reading order; every reader uses it."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from longsum.documents.conservation import RUNNING_HEAD, divide, tell_omissions
from longsum.documents.fitness.dependence import dependence
from longsum.documents.fitness.kinds import with_kinds
from longsum.documents.heading_titles import bare_title, is_statement
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
from longsum.documents.speakers import Label, find_speakers, find_spoken
from longsum.language.broken_words import space_between
from longsum.language.characters import clean, letters_of
from longsum.language.identify import language_tag
from longsum.language.sentences import split_sentences

DEEPEST_LEVEL = 32
"""Headings nested deeper are placed at this level, so that hostile input cannot recurse deeply."""

_MOST_LONGER = 2
_GAPS = re.compile(r"\n{3,}")
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
        found = []
        for start, after in pairwise([*self.starts, len(self.text) + 1]):
            start = max(start, opening)
            if stripped := self.text[start:after].strip():
                found.append((start, start + len(stripped)))
        return found


Block = Heading | TextBlock


@dataclass(slots=True)
class Left:
    """An omitted part: its kind, text and page, and the number of preceding blocks."""

    kind: str
    text: str
    page: int | None
    before: int


class DocumentBuilder:
    """Collects blocks in reading order, then lays out text, offsets and the section tree.

    Heading ranks may be any integers, with gaps, in any order (1, 4, 2): a heading goes under the
    nearest earlier one of lower rank, and its level is its depth in the resulting tree. Text before
    the first heading goes into an untitled section.
    """

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        # Including those that are removed again.
        self._ever: list[Block] = []
        self._left_out: list[Left] = []
        self.warnings: list[str] = []
        self.language: str | None = None
        """The language that the source declares."""
        self.speaker = ""
        """The speaker of the paragraphs being added, if the format states one."""

    def heading(self, rank: int, title: str) -> None:
        """Start a section. A lower `rank` is higher in the tree. Overlong headings become text."""
        bare = bare_title(clean(title))
        if is_statement(bare):
            self.paragraph(title)
        else:
            self._add(Heading(rank, bare))

    def inferred_heading(self, rank: int, title: str, evidence: Evidence | None = None) -> None:
        """Start a section whose heading is found, or known from another document.

        Unlike in `heading`, it stays one however much it says.
        """
        self._add(Heading(rank, bare_title(clean(title)), evidence))

    def paragraph(self, text: str, page: int | None = None, kind: Kind | None = None) -> None:
        """Add a paragraph of running text; `split_sentences` finds its sentences.

        Args:
            text: The text; a label that names the speaker may open it.
            page: The page it starts on.
            kind: Its kind according to the format; by default inferred from place and form.
        """
        self.lines([(text, page)], kind)

    def lines(self, lines: Iterable[tuple[str, int | None]], kind: Kind | None = None) -> None:
        """Add a paragraph given as pieces, each with its page.

        Pieces are joined with or without a space, see `longsum.language.broken_words`.
        """
        self._pieces(((clean(line), page) for line, page in lines), kind=kind)

    def sentences(self, sentences: Iterable[str]) -> None:
        """Add a paragraph whose sentences are already known; they are not split further."""
        self._pieces(((clean(sentence), None) for sentence in sentences), divided=True)

    def omit(self, kind: str, text: str = "", page: int | None = None) -> None:
        """Omit a part of the source here; it becomes an `Omission` of the document.

        Args:
            kind: What it is, in the singular.
            text: Its text; line breaks separate rows, tabs cells, blank lines paragraphs.
            page: Its page.
        """
        rows = ("\t".join(map(clean, row.split("\t"))).rstrip("\t") for row in text.split("\n"))
        kept = _GAPS.sub("\n\n", "\n".join(row if row.strip() else "" for row in rows)).strip("\n")
        self._left_out.append(Left(kind, kept, page, len(self._ever)))

    def copies(self, sentences: Iterable[Sentence]) -> None:
        """Add a paragraph of sentences from another document, keeping their kinds and speakers."""
        known = [(text, sentence) for sentence in sentences if (text := clean(sentence.text))]
        self._pieces(
            ((text, sentence.page) for text, sentence in known),
            divided=True,
            known=tuple(sentence for _, sentence in known),
        )

    def _pieces(
        self,
        pieces: Iterable[tuple[str, int | None]],
        *,
        divided: bool = False,
        kind: Kind | None = None,
        known: Sequence[Sentence] = (),
    ) -> None:
        joined: list[str] = []
        starts, pages, position = [], [], 0
        for text, page in pieces:
            if not text:
                continue
            if joined:
                joined.append(space_between(joined[-1], text))
                position += len(joined[-1])
            joined.append(text)
            starts.append(position)
            pages.append(page)
            position += len(text)
        if joined:
            self._add(TextBlock("".join(joined), starts, pages, divided, kind, known, self.speaker))

    def _add(self, block: Block) -> None:
        self._blocks.append(block)
        self._ever.append(block)

    def _finish(self) -> None:
        """Make the decisions that require the whole document."""

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
        self._finish()
        blocks = self._with_prose()
        if title is None:
            title, blocks = _promote_title(blocks)
        elif title:
            blocks = _without_title(blocks, title)
        layout = _Layout(clean(title) or clean(otherwise))
        document = layout.document(
            blocks, replace(source, name=clean(source.name)), tuple(map(clean, self.warnings))
        )
        document = replace(
            document,
            language=language_tag(self.language) or document.language,
            omitted=layout.omissions(self._left_out, self._ever),
        )
        warnings = (*document.warnings, *tell_omissions(document))
        return with_kinds(replace(document, warnings=warnings), layout.stated, layout.known)

    def _with_prose(self) -> list[Block]:
        """Return the blocks, with the prose among omitted parts restored in place.

        Text that is also in a heading or another part is not repeated.
        """
        said = {letters_of(block.title) for block in self._blocks if isinstance(block, Heading)}
        present = {id(block) for block in self._blocks}
        # The last block at each count of blocks, except removed ones.
        above: list[Block | None] = [None]
        for block in self._ever:
            above.append(block if id(block) in present else above[-1])
        # A heading that opens the document may be its title, and stays first.
        first = self._blocks[0] if self._blocks else None
        back: dict[int, list[Block]] = defaultdict(list)
        kept: list[Left] = []
        for part in self._left_out:
            prose, rest = divide(part.kind, part.text)
            lost = [text for text in prose if letters_of(text) not in said]
            if rest or not lost:
                kept.append(replace(part, text=rest) if lost else part)
            said.update(map(letters_of, lost))
            # The place of text that occurs on many pages is meaningless.
            runs = part.kind == RUNNING_HEAD
            after = above[-1] if runs else above[part.before]
            if after is None and isinstance(first, Heading):
                after = first
            for text in lost:
                # `This …` in a cell refers to another cell, which is omitted.
                torn = part.kind == "table" and "reference" in dependence(text)
                kind: Kind | None = "boilerplate" if runs else "fragment" if torn else None
                back[id(after)].append(TextBlock(text, [0], [part.page], False, kind))
        self._left_out = kept
        return [each for own in (None, *self._blocks) for each in (own, *back[id(own)]) if each]


def _promote_title(blocks: list[Block]) -> tuple[str, list[Block]]:
    headings = [block for block in blocks if isinstance(block, Heading)]
    if not headings or headings[0] is not blocks[0]:
        return "", blocks
    first, rest = headings[0], headings[1:]
    if first.title and all(heading.rank > first.rank for heading in rest):
        return first.title, blocks[1:]
    return "", blocks


def _without_title(blocks: list[Block], title: str) -> list[Block]:
    """Return blocks without headings that merely repeat the title.

    They open the document, perhaps with a word or two more, or are above all others without text of
    their own.
    """
    stated = letters_of(title)
    highest = min((block.rank for block in blocks if isinstance(block, Heading)), default=0)
    following = [*blocks, None][1:]
    kept: list[Block] = []
    for block, after in zip(blocks, following, strict=True):
        if isinstance(block, Heading) and (own := letters_of(block.title)):
            longer = len(block.title.split()) - len(title.split())
            opens = not kept and own.endswith(stated) and longer <= _MOST_LONGER
            above = own == stated and block.rank == highest and isinstance(after, Heading)
            if opens or above:
                continue
        kept.append(block)
    return kept


class _Layout:
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
        blocks = list(blocks)
        texts = [_unknown_text(block) for block in blocks]
        self._numbered = numbers_paragraphs(filter(None, texts))
        labels = find_spoken(texts)
        speakers = find_speakers(texts, labels)
        for block, label, speaker in zip(blocks, labels, speakers, strict=True):
            if isinstance(block, Heading):
                self._start_section(block.rank, block.title, block.evidence)
            else:
                self._add_paragraph(block, label, block.speaker or speaker)
            self._ends[id(block)] = self._position
        sections = tuple(_freeze(section) for section in self._top)
        return Document(self._title, "".join(self._parts), sections, source, warnings)

    def omissions(self, left_out: Iterable[Left], blocks: Iterable[Block]) -> tuple[Omission, ...]:
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
