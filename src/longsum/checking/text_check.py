"""The result of a check: a verdict on each sentence of a text, with sources and reasons."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from longsum.common.wording import counted
from longsum.core.summaries import Doubt, SourceSpan
from longsum.documents.model import Document

Verdict = Literal["confirmed", "differs", "not_found", "not_checkable"]
"""The documents say it; they say something else in its place; its claim was not found in them; or,
like a question, it claims nothing that could be looked up."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
WORDS: Mapping[Verdict, str] = {verdict: verdict.replace("_", " ") for verdict in VERDICTS}
"""The verdicts as shown to readers."""


Label = Literal["entailment", "neutral", "contradiction"]
LABELS: tuple[Label, ...] = get_args(Label)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A model's opinion on a sentence and its sources.

    Attributes:
        label: Whether the sources entail the sentence, contradict it, or neither.
        score: The model's probability for the label, in [0, 1]; None if it gives none.
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
        unmatched: Its content words, regardless of inflection, that are in none of its sources and
            in no finding; if an invention was confirmed, it is among these.
        opinion: A model's opinion on it, if one was asked for (`longsum.checking.judging`).
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
        """A note on its unmatched words, `not in its sources: banned`; empty if there are none."""
        return f"not in its sources: {', '.join(self.unmatched)}" if self.unmatched else ""


@dataclass(frozen=True, slots=True)
class TextCheck:
    """A text that was checked against documents.

    Attributes:
        text: The text.
        document: What it was checked against; several documents are combined into one, each a
            first-level section (`longsum.documents.dossier`).
        sentences: The sentences of the text in order, without headings and the like.
        notices: What readers should know about the check itself, one sentence each.
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
        """Number of headings in the text; they claim nothing and are not checked."""
        return sum(bool(section.title) for section in self.text.walk())

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of sentences with each verdict."""
        counter = Counter(sentence.verdict for sentence in self.sentences)
        return {verdict: counter[verdict] for verdict in VERDICTS}

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{number} {WORDS[name]}" for name, number in self.counts.items())
        return f"<TextCheck of {counted(len(self.sentences), 'sentence')}: {verdicts}>"
