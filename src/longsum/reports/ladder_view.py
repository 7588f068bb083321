"""A ladder prepared for the page: each sentence once, with the rung that first shows it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from longsum.documents.citation import section_heading, section_label, section_place
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree
from longsum.summaries.summary import Ladder, SourceSpan, Summary, SummarySentence


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the longest rung.

    Attributes:
        sentence: The sentence.
        rung: Position of the first rung that holds it; every later rung holds it too.
        section: Number of the section it is shown under; None where no source is known.
    """

    sentence: SummarySentence
    rung: int
    section: int | None


@dataclass(frozen=True, slots=True)
class LadderView:
    """What every part of the page is made from.

    Attributes:
        ladder: The ladder shown.
        document: Its document.
        tree: The document's section tree.
        lines: The sentences of the longest rung in their order.
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
    def start_numbers(self) -> dict[int, int]:
        """The lines that the starting rung shows, each with its number there, from 1."""
        shown = [index for index, line in enumerate(self.lines) if line.rung <= self.ladder.start]
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
    first_rung: dict[tuple[int, str, tuple[SourceSpan, ...]], int] = {}
    for rung, summary in enumerate(ladder.rungs):
        for sentence in summary.sentences:
            first_rung.setdefault((sentence.step, sentence.text, sentence.sources), rung)
    section: int | None = None
    for sentence in ladder.rungs[-1].sentences:
        section = sentence.sources[0].section if sentence.sources else section
        key = (sentence.step, sentence.text, sentence.sources)
        yield Line(sentence, first_rung[key], section)
