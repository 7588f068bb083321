"""A sentence of a summary and where it came from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from longsum.documents.model import Document
from longsum.wording import quote

Method = Literal["copied", "aligned", "attention"]
"""How a source was found: its words stand in the summary, they resemble those of the summary, or
the model attended to it while it wrote."""


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A stretch of the document that a summary sentence rests on.

    Attributes:
        sentence: Position of the source sentence in `document.sentences`.
        section: Number of the section it stands in.
        page: Its page, where the format has pages.
        start: Offset in `document.text`.
        end: Offset after it.
        score: How far the summary sentence rests on it, in [0, 1]; 1 for a copied sentence.
        method: How it was found.
    """

    sentence: int
    section: int
    page: int | None
    start: int
    end: int
    score: float = 1.0
    method: Method = "copied"

    @classmethod
    def of(
        cls, document: Document, sentence: int, score: float = 1.0, method: Method = "copied"
    ) -> "SourceSpan":
        """Return the span of a whole sentence of the document."""
        found = document.sentences[sentence]
        section = document.section_of(sentence).number
        return cls(sentence, section, found.page, found.start, found.end, score, method)


Origin = Literal["copied", "expanded", "generated"]
"""How a sentence came to stand there: the document has it, the document has it and it says more of
what a sentence of the prototype says (MLS, §2.2 C), or a model wrote it."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Sentences of the document that might have stood in the place of an expanded sentence.

    Attributes:
        sentences: Their positions.
        score: How like the prototype's sentence they are: similarity times overlap.
        repeats: Word bigrams and trigrams that the summary would have held once more; of the best
            four by score the one with the fewest was taken.
    """

    sentences: tuple[int, ...]
    score: float
    repeats: int


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """One sentence of a summary.

    Attributes:
        text: The sentence.
        sources: Where it came from, the strongest first.
        score: What it was chosen by, at the moment it was chosen; of a sentence that a model wrote,
            how far it rests on its first source.
        reasons: Named shares that add up to `score`; a share that spoke against it is negative.
        step: When it was chosen or written, from 0; chosen sentences stand in the document's order,
            not in this.
        runner_up: Position of the sentence that would have been chosen instead, if any was left.
        doubts: What it says that its sources do not, a clause each.
        expands: The sentence of the prototype in whose place it stands, if it is not that one.
        rivals: What might have stood there instead.
    """

    text: str
    sources: tuple[SourceSpan, ...]
    score: float
    reasons: Mapping[str, float]
    step: int
    runner_up: int | None = None
    doubts: tuple[str, ...] = ()
    expands: str | None = None
    rivals: tuple[Rival, ...] = ()

    @property
    def origin(self) -> Origin:
        """How it came to stand there."""
        if self.expands is not None:
            return "expanded"
        copied = bool(self.sources) and self.sources[0].method == "copied"
        return "copied" if copied else "generated"

    @property
    def verified(self) -> bool:
        """Whether it has sources, and a check against them left no doubt."""
        return bool(self.sources) and not self.doubts

    def lifted(self, document: Document, positions: Sequence[int], step: int) -> "SummarySentence":
        """Return a sentence about part of a document as one about the whole.

        Args:
            document: The whole.
            positions: Where each sentence of the part stands in the whole.
            step: Its place in the whole summary.
        """
        return replace(
            self,
            sources=tuple(
                SourceSpan.of(document, positions[source.sentence], source.score, source.method)
                for source in self.sources
            ),
            step=step,
            runner_up=None if self.runner_up is None else positions[self.runner_up],
            rivals=tuple(
                replace(rival, sentences=tuple(positions[place] for place in rival.sentences))
                for rival in self.rivals
            ),
        )

    def __repr__(self) -> str:
        places = ", ".join(str(source.sentence) for source in self.sources) or "nowhere"
        return f"<SummarySentence {quote(self.text)} from {places}: {self.origin}>"
