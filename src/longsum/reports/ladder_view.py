"""A ladder prepared for the page: each sentence once, with the rungs that show it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from longsum.documents.citation import section_heading, section_label, section_place
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree
from longsum.summaries import Ladder, SourceSpan, Summary, SummarySentence


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the ladder.

    Attributes:
        sentence: The sentence.
        rung: Position of the first rung that holds it.
        last: Position of the last; all rungs between hold it too.
        section: Number of the section it is shown under; None where no source is known.
    """

    sentence: SummarySentence
    rung: int
    last: int
    section: int | None


@dataclass(frozen=True, slots=True)
class LadderView:
    """What every part of the page is made from.

    Attributes:
        ladder: The ladder shown.
        document: Its document.
        tree: The document's section tree.
        lines: The sentences of the longest rung in their order; or, of rungs that do not hold each
            other, those of each rung after those of the one before.
        uses: For each source sentence, positions in `lines` of the sentences that rest on it.
    """

    ladder: Ladder
    document: Document
    tree: DocumentTree
    lines: tuple[Line, ...]
    uses: Mapping[int, tuple[int, ...]]

    @classmethod
    def of(cls, ladder: Ladder) -> "LadderView":
        """Prepare a ladder. Time grows with the document's length plus the rungs' lengths."""
        document = ladder.rungs[-1].document
        lines = tuple(_lines(ladder))
        uses: dict[int, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            for source in dict.fromkeys(source.sentence for source in line.sentence.sources):
                uses[source].append(index)
        frozen = {source: tuple(indexes) for source, indexes in uses.items()}
        return cls(ladder, document, DocumentTree(document), lines, frozen)

    @property
    def summary(self) -> Summary:
        """The rung whose length was asked for."""
        return self.ladder.rungs[self.ladder.start]

    @property
    def language(self) -> str:
        """The document's language as HTML's `lang` has it: empty where it is not known."""
        return self.document.language or ""

    @property
    def start_numbers(self) -> dict[int, int]:
        """The lines that the starting rung shows, each with its number there, from 1."""
        start = self.ladder.start
        shown = [index for index, line in enumerate(self.lines) if line.rung <= start <= line.last]
        return {index: number for number, index in enumerate(shown, start=1)}

    def label(self, section: int) -> str:
        """Return the section's number for a reader, `§2.1`."""
        return section_label(self.tree, section)

    def heading(self, section: int) -> str:
        """Return the section's title, or what to call it."""
        return section_heading(self.tree, section)

    def place(self, section: int) -> str:
        """Name a section as a citation does: label and heading, or the document's title alone."""
        return section_place(self.tree, section) or self.title

    @property
    def title(self) -> str:
        """The document's title, or its file's name."""
        return self.document.title or self.document.source.name or "Untitled document"

    def citation(self, source: SourceSpan) -> str:
        """Return what stands behind a quotation: `(§2.1 Title, p. 3)`."""
        page = "" if source.page is None else f", p. {source.page}"
        return f"({self.place(source.section)}{page})"


def _lines(ladder: Ladder) -> Iterator[Line]:
    rungs = [[_key(sentence) for sentence in summary.sentences] for summary in ladder.rungs]
    if all(set(shorter) <= set(longer) for shorter, longer in pairwise(rungs)):
        first = {key: place for place in reversed(range(len(rungs))) for key in rungs[place]}
        yield from _placed(
            (sentence, first[_key(sentence)], len(rungs) - 1)
            for sentence in ladder.rungs[-1].sentences
        )
        return
    for place, summary in enumerate(ladder.rungs):
        yield from _placed((sentence, place, place) for sentence in summary.sentences)


def _key(sentence: SummarySentence) -> tuple[int, str, tuple[SourceSpan, ...]]:
    return sentence.step, sentence.text, sentence.sources


def _placed(shown: Iterable[tuple[SummarySentence, int, int]]) -> Iterator[Line]:
    """Show a sentence without a source under the section of the one before."""
    section: int | None = None
    for sentence, first, last in shown:
        section = sentence.sources[0].section if sentence.sources else section
        yield Line(sentence, first, last, section)
