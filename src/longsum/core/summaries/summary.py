"""A summary with the sources of its sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from longsum.common.views import views
from longsum.common.wording import counted, quote
from longsum.core.summaries.budget import Budget
from longsum.core.summaries.layout import lay_out, speaker_of
from longsum.core.summaries.notices import Notice
from longsum.core.summaries.sentence import SummarySentence
from longsum.documents.model import Document
from longsum.language.broken_words import join_pieces
from longsum.language.words import count_words, terms

FinishReason = Literal["budget", "document", "nothing_fits", "model_end", "model_limit", "complete"]
"""Why a summary ends: nothing more fits, the document is exhausted, nothing fits at all, the model
stopped by itself, the model reached its limit, or sentences that still fit would be mere filler
(`Fill`)."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the document was read; nothing is truncated silently."""

    sentences_read: int
    sentences_total: int
    unread_sections: tuple[int, ...] = ()

    @classmethod
    def of(cls, document: Document, read: Iterable[int]) -> "Coverage":
        """Return the coverage of a document, given the positions of the sentences that were read.

        A section is unread if none of its own sentences was read; an empty one counts as read.
        """
        sentences = set(read)
        unread = []
        place = 0
        for section in document.walk():
            positions = range(place, place + len(section.sentences))
            place = positions.stop
            if positions and sentences.isdisjoint(positions):
                unread.append(section.number)
        return cls(len(sentences), len(document.sentences), tuple(unread))

    @classmethod
    def whole(cls, document: Document) -> "Coverage":
        """Return the coverage of a document that was read from beginning to end."""
        return cls(len(document.sentences), len(document.sentences))

    def __repr__(self) -> str:
        unread = counted(len(self.unread_sections), "section")
        return (
            f"<Coverage: {self.sentences_read:,} of {counted(self.sentences_total, 'sentence')} "
            f"read, {unread} unread>"
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """The document features that a system's choices are based on.

    Attributes:
        topics: Each topic's most probable words, the topic with the largest weight first.
        keywords: The document's keywords with their relative frequency, the most frequent first.
        weights: Each kernel's weight.
    """

    topics: tuple[tuple[str, ...], ...] = ()
    keywords: tuple[tuple[str, float], ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)

    def topics_in(self, text: str) -> dict[int, tuple[str, ...]]:
        """Return the topic words in a text by topic number, from 1, without empty topics."""
        occurring = set(terms(text))
        by_topic = {
            number: tuple(word for word in words if word in occurring)
            for number, words in enumerate(self.topics, start=1)
        }
        return {number: words for number, words in by_topic.items() if words}

    def keywords_in(self, text: str) -> tuple[str, ...]:
        """Return the keywords in a text, the most frequent of the document first."""
        padded = f" {' '.join(terms(text))} "
        return tuple(keyword for keyword, _ in self.keywords if f" {keyword} " in padded)

    def __repr__(self) -> str:
        return (
            f"<Explanation: {counted(len(self.topics), 'topic')}, "
            f"{counted(len(self.keywords), 'keyword')}, {counted(len(self.weights), 'weight')}>"
        )


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a document with its offsets in the text and its importance."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class Importance:
    """The importance of a document's sentences and, optionally, its words.

    Attributes:
        made_by: Name of what computed it.
        sentences: The weight of each sentence, higher for more important ones; None for sentences
            that were not read.
        words: The words that were read, in order; empty if only sentences have weights.
    """

    made_by: str
    sentences: tuple[float | None, ...]
    words: tuple[Word, ...] = ()

    @property
    def origin(self) -> str:
        """The name of what computed it, and for how many sentences, if not for all."""
        known = sum(weight is not None for weight in self.sentences)
        total = len(self.sentences)
        partly = f", of {known:,} of {total:,} sentences" if known < total else ""
        return f"{self.made_by}{partly}"

    def __repr__(self) -> str:
        return (
            f"<Importance by {self.made_by}: {counted(len(self.sentences), 'sentence')}, "
            f"{counted(len(self.words), 'word')}>"
        )


@dataclass(frozen=True, slots=True)
class PartSummary:
    """The summary of one part of a text.

    Attributes:
        title: Heading of the part; for merged parts, the first and the last heading.
        part_words: Number of words in the part.
        budget: Maximum words (or sentences) of its summary; 0 if it is skipped.
        sentences: Its summary; sources and runners-up refer to the whole document, steps and scores
            to the part.
        warnings: The system's warnings about it.
    """

    title: str
    part_words: int
    budget: int
    sentences: tuple[SummarySentence, ...]
    warnings: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        """Number of words in the summary."""
        return sum(count_words(sentence.text) for sentence in self.sentences)

    def __repr__(self) -> str:
        return (
            f"<PartSummary of {quote(self.title)}: {counted(self.words, 'word')} of "
            f"{counted(self.part_words, 'word')}>"
        )


@dataclass(frozen=True, slots=True)
class Level:
    """The summaries of all parts of one text, in order; together the text of the next level."""

    parts: tuple[PartSummary, ...]

    @property
    def words(self) -> int:
        """Number of words in all summaries."""
        return sum(part.words for part in self.parts)

    def __repr__(self) -> str:
        return f"<Level of {counted(len(self.parts), 'part')} in {counted(self.words, 'word')}>"


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary, with everything needed to show and verify it.

    `str(summary)` is its text laid out, with lists and speakers; a notebook shows it with its
    sources.

    Attributes:
        document: The document.
        sentences: Its sentences, in reading order.
        budget: The requested length.
        coverage: How much of the document was read.
        system: Name of the system.
        settings: Everything that the output depends on besides document and seed.
        seed: Random seed.
        finish_reason: Why it is not longer.
        notices: Notices for the reader.
        explanation: The topics, keywords and weights behind the choices, if the system has any.
        importance: The importance of the document's parts, if the system computes it.
        levels: The intermediate summaries, those of the document's own parts first; empty if the
            document was not divided.
        timings: Seconds by stage; the only part that differs between two runs.
    """

    document: Document
    sentences: tuple[SummarySentence, ...]
    budget: Budget
    coverage: Coverage
    system: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    finish_reason: FinishReason = "budget"
    notices: tuple[Notice, ...] = ()
    explanation: Explanation | None = None
    importance: Importance | None = None
    levels: tuple[Level, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notices as sentences."""
        return tuple(notice.text for notice in self.notices)

    @property
    def text(self) -> str:
        """The sentences alone, in `paragraphs`: what metrics read."""
        return "\n\n".join(
            join_pieces(sentence.text for sentence in paragraph) for paragraph in self.paragraphs
        )

    @property
    def paragraphs(self) -> tuple[tuple[SummarySentence, ...], ...]:
        """The sentences in coherent paragraphs; see `longsum.core.summaries.layout`."""
        return tuple(block.sentences for block in lay_out(self.sentences, self.document))

    @property
    def words(self) -> int:
        """Number of words, including speakers' names, counted as in budgets."""
        return sum(count_words(text) for text in self._printed)

    @property
    def _printed(self) -> list[str]:
        """The sentences, and the speakers' names that the text shows."""
        texts = [sentence.text for sentence in self.sentences]
        if not any(speaker_of(sentence, self.document) for sentence in self.sentences):
            return texts
        lines = (line for block in lay_out(self.sentences, self.document) for line in block.lines)
        return [*texts, *(line.speaker for line in lines if line.speaker)]

    @property
    def reached(self) -> float:
        """The length reached, in the unit of the budget."""
        if self.budget.unit != "percent":
            if self.budget.unit == "sentences":
                return len(self.sentences)
            return sum(map(self.budget.cost, self._printed))
        total = sum(Budget(1).costs(self.document.sentences))
        return round(100 * self.words / total, 4)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON values; see `summaries.result_file`."""
        return views().to_dict(self)

    def to_html(self, *, shaded: bool = False, headings: bool = True) -> str:
        """Return a self-contained HTML page with the summary beside its document.

        For several lengths with a slider, see `System.at_lengths` and `NestedSummaries`.

        Args:
            shaded: Whether the page opens with the importance of the document's parts shown, if it
                is known.
            headings: Whether sentences have their section's title above them.
        """
        return NestedSummaries((self,), 0).to_html(shaded=shaded, headings=headings)

    def _repr_html_(self) -> str:
        return views().to_cell(self)

    def __str__(self) -> str:
        return views().to_text(self)

    def __repr__(self) -> str:
        document = quote(self.document.title or self.document.source.name)
        return (
            f"<{type(self).__name__} of {document} by {self.system}: "
            f"{counted(len(self.sentences), 'sentence')}, {counted(self.words, 'word')} "
            f"of at most {self.budget}>"
        )


@dataclass(frozen=True, slots=True)
class NestedSummaries:
    """Summaries of one document at increasing lengths.

    Attributes:
        summaries: The summaries, the shortest first. An extractive system's summary contains every
            sentence of the one before it, with the same `step`, score and reasons; a model
            generates each one separately.
        start: Index of the summary of the requested length.
    """

    summaries: tuple[Summary, ...]
    start: int

    def to_html(self, *, shaded: bool = False, headings: bool = True) -> str:
        """Return a self-contained HTML page with all lengths; see `Summary.to_html`."""
        return views().to_html(self, shaded=shaded, headings=headings)

    def __repr__(self) -> str:
        lengths = ", ".join(str(summary.budget) for summary in self.summaries)
        return f"<NestedSummaries of {len(self.summaries)} summaries: {lengths}>"
