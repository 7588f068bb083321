"""Builds a `Document` from headings and paragraphs in reading order; every reader uses it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from longsum.documents.conservation import RUNNING_HEAD, describe_omissions, divide
from longsum.documents.fitness.complete import lacks_subject
from longsum.documents.fitness.dependence import dependence
from longsum.documents.fitness.kinds import with_kinds
from longsum.documents.heading_titles import bare_title, is_statement
from longsum.documents.model import (
    Document,
    Evidence,
    Kind,
    Sentence,
    Source,
)
from longsum.documents.text_layout import Block, Heading, OmittedPart, TextBlock, TextLayout
from longsum.language.broken_words import space_between
from longsum.language.characters import clean, letters_of
from longsum.language.identify import language_tag

_MOST_LONGER = 2
_GAPS = re.compile(r"\n{3,}")


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
        self._left_out: list[OmittedPart] = []
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
        """Start a section whose heading was inferred, or is known from another document.

        Unlike in `heading`, it stays a heading however long it is.
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
        tidy = _GAPS.sub("\n\n", "\n".join(row if row.strip() else "" for row in rows)).strip("\n")
        self._left_out.append(OmittedPart(kind, tidy, page, len(self._ever)))

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
            title: The title if the format states one. With None, a heading that opens the
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
        layout = TextLayout(clean(title) or clean(otherwise))
        document = layout.document(
            blocks, replace(source, name=clean(source.name)), tuple(map(clean, self.warnings))
        )
        document = replace(
            document,
            language=language_tag(self.language) or document.language,
            omitted=layout.omissions(self._left_out, self._ever),
        )
        warnings = (*document.warnings, *describe_omissions(document))
        return with_kinds(replace(document, warnings=warnings), layout.stated, layout.known)

    def _with_prose(self) -> list[Block]:
        """Return the blocks, with the prose among omitted parts restored in place.

        Text that is also in a heading or another part is not repeated.
        """
        elsewhere = {
            letters_of(block.title) for block in self._blocks if isinstance(block, Heading)
        }
        present = {id(block) for block in self._blocks}
        # The last block at each count of blocks, except removed ones.
        above: list[Block | None] = [None]
        for block in self._ever:
            above.append(block if id(block) in present else above[-1])
        # A heading that opens the document may be its title, and stays first.
        first = self._blocks[0] if self._blocks else None
        back: dict[int, list[Block]] = defaultdict(list)
        kept: list[OmittedPart] = []
        for part in self._left_out:
            prose, rest = divide(part.kind, part.text)
            lost = [text for text in prose if letters_of(text) not in elsewhere]
            if rest or not lost:
                kept.append(replace(part, text=rest) if lost else part)
            elsewhere.update(map(letters_of, lost))
            # The place of text that occurs on many pages is meaningless.
            runs = part.kind == RUNNING_HEAD
            after = above[-1] if runs else above[part.before]
            if after is None and isinstance(first, Heading):
                after = first
            for text in lost:
                # `This …` or `Returns …` in a cell is about another cell, which is omitted.
                torn = part.kind == "table" and (
                    "reference" in dependence(text) or lacks_subject(text)
                )
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
