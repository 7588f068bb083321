"""What a check found: a verdict on each sentence of a text, with its sources and the reasons."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from longsum.common.wording import counted
from longsum.core.summaries import Doubt, SourceSpan
from longsum.documents.model import Document

Verdict = Literal["confirmed", "differs", "not_found", "not_checkable"]
"""The documents say it; they say something else in its place; what it says was not found in them;
or it claims nothing that could be looked for, as a question does not."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
WORDS: Mapping[Verdict, str] = {
    "confirmed": "confirmed",
    "differs": "differs",
    "not_found": "not found",
    "not_checkable": "not checkable",
}
"""The verdicts as readers see them."""


Label = Literal["entailment", "neutral", "contradiction"]
LABELS: tuple[Label, ...] = get_args(Label)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model says of a sentence and its sources.

    Attributes:
        label: Whether the sources entail the sentence, contradict it, or neither.
        score: How probable the model finds that, in [0, 1]; None if it does not say.
    """

    label: Label
    score: float | None = None

    def __str__(self) -> str:
        """Return it in words: `contradiction (0.93)`."""
        return self.label if self.score is None else f"{self.label} ({self.score:.2f})"


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of the text.

    Attributes:
        text: The sentence.
        start: Offset of its first code point in the text.
        end: Offset after its last.
        verdict: What the check found.
        sources: Where the documents say it, the closest first; empty if nowhere.
        findings: What differs or was not found, in the order of the sentence.
        unmatched: Its words of content that none of its sources has, whatever the ending, and no
            finding is about; where an invention is confirmed, it is in these.
        opinion: What a model says of it, if one was asked (`longsum.checking.judging`).
    """

    text: str
    start: int
    end: int
    verdict: Verdict
    sources: tuple[SourceSpan, ...] = ()
    findings: tuple[Doubt, ...] = ()
    unmatched: tuple[str, ...] = ()
    opinion: Opinion | None = None

    @property
    def unmatched_note(self) -> str:
        """What is told of its unmatched words: `not in its sources: banned`; empty without any."""
        return f"not in its sources: {', '.join(self.unmatched)}" if self.unmatched else ""


@dataclass(frozen=True, slots=True)
class TextCheck:
    """A text that was checked against documents.

    Attributes:
        text: The text.
        document: What it was checked against; several documents are one here, each a section of the
            first level (`longsum.documents.dossier`).
        sentences: The sentences of the text in order, headings and the like left out.
        notices: What readers should know of the check itself, one sentence each.
        timings: Seconds by stage; the only part that differs between two runs.
        judge: The model that was asked for second opinions; empty if none was.
    """

    text: Document
    document: Document
    sentences: tuple[CheckedSentence, ...]
    notices: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    judge: str = ""

    @property
    def headings(self) -> int:
        """How many headings the text has; they claim nothing, and are not checked."""
        return sum(bool(section.title) for section in self.text.walk())

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many sentences have each verdict."""
        held = Counter(sentence.verdict for sentence in self.sentences)
        return {verdict: held[verdict] for verdict in VERDICTS}

    def __repr__(self) -> str:
        told = ", ".join(f"{number} {WORDS[name]}" for name, number in self.counts.items())
        return f"<TextCheck of {counted(len(self.sentences), 'sentence')}: {told}>"
