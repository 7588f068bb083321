"""A summary and where each of its sentences came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from longsum.documents.model import Document
from longsum.language.spacing import join_pieces
from longsum.language.words import count_words, terms
from longsum.summaries.budget import Budget
from longsum.summaries.importance import Importance
from longsum.summaries.levels import Level
from longsum.summaries.notices import Notice
from longsum.summaries.sentence import SummarySentence
from longsum.views import views
from longsum.wording import counted, quote

FinishReason = Literal["budget", "document", "nothing_fits", "model_end", "model_limit"]
"""Why a summary ends: nothing more fits, the document is exhausted, nothing fits at all, the model
that writes it had done, or that model can write no more."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the document was read. What was not read is named, never cut in silence."""

    sentences_read: int
    sentences_total: int
    unread_sections: tuple[int, ...] = ()

    @classmethod
    def of(cls, document: Document, read: Iterable[int]) -> "Coverage":
        """Return the coverage of a document of which these sentences were read.

        A section is unread if none of its own sentences was read; one without any counts as read.
        """
        sentences = set(read)
        unread = []
        place = 0
        for section in document.walk():
            own = range(place, place + len(section.sentences))
            place = own.stop
            if own and sentences.isdisjoint(own):
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
    """What a system can say of the document that its choices rest on.

    Attributes:
        topics: Each topic's most probable words, the heaviest topic first.
        keywords: The document's keywords with their relative frequency, the most frequent first.
        weights: Each kernel's weight.
    """

    topics: tuple[tuple[str, ...], ...] = ()
    keywords: tuple[tuple[str, float], ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)

    def topics_in(self, text: str) -> dict[int, tuple[str, ...]]:
        """Return the words of each topic, by its number from 1, that a text holds, if any."""
        own = set(terms(text))
        held = {
            number: tuple(word for word in words if word in own)
            for number, words in enumerate(self.topics, start=1)
        }
        return {number: words for number, words in held.items() if words}

    def keywords_in(self, text: str) -> tuple[str, ...]:
        """Return the keywords that a text holds, the most frequent of the document first."""
        padded = f" {' '.join(terms(text))} "
        return tuple(keyword for keyword, _ in self.keywords if f" {keyword} " in padded)

    def __repr__(self) -> str:
        return (
            f"<Explanation: {counted(len(self.topics), 'topic')}, "
            f"{counted(len(self.keywords), 'keyword')}, {counted(len(self.weights), 'weight')}>"
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary, with all that is needed to show and to check it.

    `str(summary)` is its text; a notebook shows it with the places that it comes from.

    Attributes:
        document: The document it is of.
        sentences: Its sentences, in the order in which they are read.
        budget: The length asked for.
        coverage: What was read.
        system: Name of the system.
        settings: The system's settings, all that its output depends on besides document and seed.
        seed: Seed of whatever is random.
        finish_reason: Why it is not longer.
        notices: What the reader should know.
        explanation: What the choices rest on, where the system can say.
        importance: How important the parts of the document are, where the system can say.
        levels: What was summarized on the way to a summary of summaries, the document's own parts
            first; empty where the document was read at once.
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
        """The summary as running text, in `paragraphs`."""
        return "\n\n".join(
            join_pieces(sentence.text for sentence in paragraph) for paragraph in self.paragraphs
        )

    @property
    def paragraphs(self) -> tuple[tuple[SummarySentence, ...], ...]:
        """The sentences, apart for each section that they draw on.

        They all stay together where they do not follow the document's order, as what a model writes
        freely.
        """
        homes: list[int] = []
        for sentence in self.sentences:
            last = homes[-1] if homes else 0
            homes.append(sentence.sources[0].section if sentence.sources else last)
        if homes != sorted(homes):
            return (self.sentences,)
        placed = zip(homes, self.sentences, strict=True)
        return tuple(
            tuple(sentence for _, sentence in members)
            for _, members in groupby(placed, key=lambda member: member[0])
        )

    @property
    def words(self) -> int:
        """Number of words, counted as the budget counts them."""
        return sum(count_words(sentence.text) for sentence in self.sentences)

    @property
    def reached(self) -> float:
        """The length reached, in the unit of the budget."""
        if self.budget.unit != "percent":
            return sum(self.budget.cost(sentence.text) for sentence in self.sentences)
        total = sum(count_words(sentence.text) for sentence in self.document.sentences)
        return round(100 * self.words / total, 4)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON values, as `longsum.summaries.result_file` describes them."""
        return views().to_dict(self)

    def to_html(self, *, shaded: bool = False) -> str:
        """Return one page that loads nothing: the summary beside its document.

        `System.ladder` makes several lengths, and `Ladder.to_html` their page with a slider.

        Args:
            shaded: Whether the importance of the document's parts, where it is known, is shown when
                the page opens.
        """
        return Ladder((self,), 0).to_html(shaded=shaded)

    def _repr_html_(self) -> str:
        return views().to_cell(self)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        document = quote(self.document.title or self.document.source.name)
        return (
            f"<{type(self).__name__} of {document} by {self.system}: "
            f"{counted(len(self.sentences), 'sentence')}, {counted(self.words, 'word')} "
            f"of at most {self.budget}>"
        )


@dataclass(frozen=True, slots=True)
class Ladder:
    """Summaries of one document at growing lengths.

    Attributes:
        rungs: The summaries, the shortest first. Of a system that chooses sentences, each holds
            every sentence of the one before it, at the same `step` with the same score and reasons;
            a model writes each anew.
        start: Position of the rung whose length was asked for.
    """

    rungs: tuple[Summary, ...]
    start: int

    def to_html(self, *, shaded: bool = False) -> str:
        """Return one page that loads nothing: all lengths beside the document; see `Summary`."""
        return views().to_html(self, shaded=shaded)

    def __repr__(self) -> str:
        lengths = ", ".join(str(rung.budget) for rung in self.rungs)
        return f"<Ladder of {len(self.rungs)} summaries: {lengths}>"
