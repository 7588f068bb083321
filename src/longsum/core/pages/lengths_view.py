"""Summaries of several lengths prepared for rendering: each sentence once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from longsum.common.wording import counted
from longsum.core.summaries import (
    FinishReason,
    NestedSummaries,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.core.summaries.budget import Budget
from longsum.core.summaries.formats import section_heading, section_label, section_place
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """One sentence, and the lengths that show it.

    Attributes:
        sentence: The sentence.
        rungs: Positions of the summaries that contain it, in order.
        section: Number of the section it is shown under; None if it has no source.
    """

    sentence: SummarySentence
    rungs: tuple[int, ...]
    section: int | None


@dataclass(frozen=True, slots=True)
class LengthsView:
    """The data that all parts of the page are rendered from.

    Attributes:
        nested: The summaries.
        document: Its document.
        tree: The document's section tree.
        lines: All sentences, shared ones once: in document order if every summary has that order,
            or else one summary after the other.
        in_order: Whether several summaries are merged in document order, so that any selection of
            lines can be read as a text.
        uses: For each source sentence, positions in `lines` of the sentences that cite it.
    """

    nested: NestedSummaries
    document: Document
    tree: DocumentTree
    lines: tuple[ShownSentence, ...]
    in_order: bool
    uses: Mapping[int, tuple[int, ...]]

    @classmethod
    def of(cls, nested: NestedSummaries) -> "LengthsView":
        """Prepare summaries. Time grows with the document's length plus theirs."""
        document = nested.summaries[-1].document
        several = len(nested.summaries) > 1
        in_order = several and all(map(_follows_document, nested.summaries))
        lines = tuple(_merged(nested) if in_order else _one_after_another(nested))
        uses: dict[int, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            for source in dict.fromkeys(source.sentence for source in line.sentence.sources):
                uses[source].append(index)
        frozen = {source: tuple(indexes) for source, indexes in uses.items()}
        return cls(nested, document, DocumentTree(document), lines, in_order, frozen)

    @property
    def summary(self) -> Summary:
        """The summary of the requested length."""
        return self.nested.summaries[self.nested.start]

    @property
    def language(self) -> str:
        """The document's language for the attribute `lang`; empty if unknown."""
        return self.document.language or ""

    @property
    def start_numbers(self) -> dict[int, int]:
        """The lines of the requested summary, by index, with their numbers in it, from 1."""
        start = self.nested.start
        shown = [index for index, line in enumerate(self.lines) if start in line.rungs]
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


def _follows_document(summary: Summary) -> bool:
    """Return whether all sentences have sources, in document order."""
    starts = [sentence.sources[0].start for sentence in summary.sentences if sentence.sources]
    return len(starts) == len(summary.sentences) and starts == sorted(starts)


def _merged(nested: NestedSummaries) -> Iterator[ShownSentence]:
    rungs: dict[_Key, list[int]] = defaultdict(list)
    sentences: dict[_Key, SummarySentence] = {}
    for place, summary in enumerate(nested.summaries):
        for sentence in summary.sentences:
            rungs[_key(sentence)].append(place)
            sentences.setdefault(_key(sentence), sentence)
    keys = sorted(sentences, key=lambda key: (sentences[key].sources[0].start, rungs[key][0]))
    yield from _placed((sentences[key], tuple(rungs[key])) for key in keys)


def _one_after_another(nested: NestedSummaries) -> Iterator[ShownSentence]:
    for place, summary in enumerate(nested.summaries):
        yield from _placed((sentence, (place,)) for sentence in summary.sentences)


_Key = tuple[int, str, tuple[SourceSpan, ...], float]


def _key(sentence: SummarySentence) -> _Key:
    return sentence.step, sentence.text, sentence.sources, sentence.score


def _placed(
    shown: Iterable[tuple[SummarySentence, tuple[int, ...]]],
) -> Iterator[ShownSentence]:
    """Show a sentence without a source under the section of the one before."""
    section: int | None = None
    for sentence, rungs in shown:
        section = sentence.sources[0].section if sentence.sources else section
        yield ShownSentence(sentence, rungs, section)


FINISH_NOTES: dict[FinishReason, str] = {
    "budget": "no further sentence fits",
    "document": "it contains the whole text",
    "nothing_fits": "no sentence is short enough to fit",
    "model_end": "the model had no more to say",
    "model_limit": "the model can write no more",
    "complete": "the sentences that still fit would only fill the length",
}
"""Descriptions of finish reasons."""


def length_name(budget: Budget) -> str:
    """Return a length in words: `250 words`, `1 sentence`, `8%`."""
    if budget.unit == "percent":
        return f"{budget.amount:g}%"
    return counted(budget.amount, budget.unit.removesuffix("s"))


def spoken_length(summary: Summary) -> str:
    """Return a length for screen readers: `247 words of 250 requested`."""
    words = counted(summary.words, "word")
    if summary.budget.unit == "words":
        return f"{words} of {summary.budget.amount:,g} requested"
    return f"{words}; {length_name(summary.budget)} requested, {summary.reached:,.3g} reached"


def length_label(summary: Summary) -> str:
    """Return the name of a length and the length reached: `250 words · 247 reached`."""
    requested, unit = length_name(summary.budget), summary.budget.unit
    if unit == "words":
        return f"{requested} · {summary.words:,} reached"
    words = counted(summary.words, "word")
    if unit == "percent":
        return f"{requested} · {summary.reached:.3g}% reached, {words}"
    return f"{requested} · {summary.reached:,g} reached, {words}"
