"""A ladder prepared for rendering: each sentence once, with the rungs that show it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from longsum.core.summaries import Ladder, SourceSpan, Summary, SummarySentence
from longsum.documents.citation import section_heading, section_label, section_place
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the ladder.

    Attributes:
        sentence: The sentence.
        rung: Position of the first rung that contains it.
        last: Position of the last; all rungs between contain it too.
        section: Number of the section it is shown under; None if it has no source.
    """

    sentence: SummarySentence
    rung: int
    last: int
    section: int | None


@dataclass(frozen=True, slots=True)
class LadderView:
    """The data that all parts of the page are rendered from.

    Attributes:
        ladder: The ladder shown.
        document: Its document.
        tree: The document's section tree.
        lines: The sentences of the longest rung in order; or, if rungs do not nest, those of each
            rung after those of the previous one.
        uses: For each source sentence, positions in `lines` of the sentences that cite it.
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
        """The rung of the requested length."""
        return self.ladder.rungs[self.ladder.start]

    @property
    def language(self) -> str:
        """The document's language for the attribute `lang`; empty if unknown."""
        return self.document.language or ""

    @property
    def start_numbers(self) -> dict[int, int]:
        """The lines that the starting rung shows, each with its number there, from 1."""
        start = self.ladder.start
        shown = [index for index, line in enumerate(self.lines) if line.rung <= start <= line.last]
        return {index: number for number, index in enumerate(shown, start=1)}

    def label(self, section: int) -> str:
        """Return the section's printed number, `§2.1`."""
        return section_label(self.tree, section)

    def heading(self, section: int) -> str:
        """Return the section's title, or a stand-in."""
        return section_heading(self.tree, section)

    def place(self, section: int) -> str:
        """Name a section as a citation does: label and heading, or the document's title alone."""
        return section_place(self.tree, section) or self.title

    @property
    def title(self) -> str:
        """The document's title, or its file's name."""
        return self.document.title or self.document.source.name or "Untitled document"

    def citation(self, source: SourceSpan) -> str:
        """Return the citation of a source: `(§2.1 Title, p. 3)`."""
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
