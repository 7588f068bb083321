"""APES and APES_src: whether a summary answers questions as its reference and its source do.

They are cloze questions: sentences of a reference with a name, number or date left out (Eyal et al.
2019, §3.1; HEPOS, Huang et al. 2021, §5).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.lab.checking.consistency import Contexts
from longsum.language.entities import entities
from longsum.language.sentences import split_sentences

BLANK = "@placeholder"
"""The placeholder for the answer, as in the data that APES's reader was trained on."""

Span = tuple[int, int]
Finder = Callable[[str], Iterable[Span]]
"""Finds the phrases of a sentence to leave out, as offsets."""


@dataclass(frozen=True, slots=True)
class Cloze:
    """A cloze question.

    Attributes:
        question: The sentence, with `BLANK` in place of the answer.
        answer: The phrase that was left out.
    """

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class ClozeMaker:
    """Makes cloze questions. Events, which the paper leaves out too, are kept, as `variant` says.

    Attributes:
        phrases: Finds names, numbers and dates; by default by rules.
        source: The name of `phrases` in `variant`.
    """

    phrases: Finder = lambda text: ((entity.start, entity.end) for entity in entities(text))
    source: str = "rules"

    @classmethod
    def with_spacy(cls, model: str) -> "ClozeMaker":
        """Return a maker that finds phrases with a spaCy model, such as `en_core_web_sm`.

        Raises:
            LongsumError: spaCy or the model is not installed.
        """
        try:
            import spacy

            pipeline = spacy.load(model)
        except (ImportError, OSError):
            raise LongsumError(
                f"The spaCy model '{model}' is not installed; run pip install spacy && python -m "
                f"spacy download {model}, or leave it out to find entities by rules."
            ) from None

        def phrases(text: str) -> Iterator[Span]:
            return ((entity.start_char, entity.end_char) for entity in pipeline(text).ents)

        return cls(phrases, source=f"spaCy's {model}")

    def questions(self, summary: str) -> Iterator[Cloze]:
        """Yield a question for each phrase of each sentence; a line break ends a sentence too."""
        for line in summary.splitlines():
            for start, end in split_sentences(line):
                sentence = line[start:end]
                for first, last in sorted(set(self.phrases(sentence))):
                    yield Cloze(f"{sentence[:first]}{BLANK}{sentence[last:]}", sentence[first:last])

    @property
    def variant(self) -> str:
        """A description of which phrases are left out."""
        return f"names, numbers and dates by {self.source}; no events: no extractor is given"


class Answerer(Protocol):
    """A model that answers questions with a span of a text."""

    def answer(self, question: str, context: str) -> str:
        """Return the answer to a cloze question, in the words of the context."""
        ...


@dataclass(frozen=True, slots=True)
class Apes:
    """The scores of a summary, in [0, 1], higher is better.

    Attributes:
        apes: Mean F1 of the answers from the summary against those of the reference.
        apes_src: Mean F1 of the answers from the summary against those from the source.
        questions: Number of questions; if there are none, the scores are 0.
    """

    apes: float
    apes_src: float
    questions: int


@dataclass(frozen=True, slots=True)
class ApesScorer:
    """Scores summaries with a model that answers questions."""

    answerer: Answerer
    cloze: ClozeMaker = field(default_factory=ClozeMaker)

    def score(self, summary: str, references: Sequence[str], source: Sequence[str]) -> Apes:
        """Score a summary with the questions from all references.

        Args:
            summary: The summary. An empty one has no answers, which scores 0.
            references: The references that questions are made from.
            source: The document's sentences; questions are answered from those that `Contexts`
                chooses for the reference.
        """
        by_reference: list[float] = []
        by_source: list[float] = []
        contexts = Contexts(source)
        for reference in references:
            context = contexts.text(reference)
            for cloze in self.cloze.questions(reference):
                answer = self._answer(cloze.question, summary)
                by_reference.append(unigram_f1(answer, cloze.answer))
                by_source.append(unigram_f1(answer, self._answer(cloze.question, context)))
        count = len(by_reference)
        return Apes(sum(by_reference) / max(count, 1), sum(by_source) / max(count, 1), count)

    def _answer(self, question: str, context: str) -> str:
        return self.answerer.answer(question, context) if context.strip() else ""


def unigram_f1(answer: str, gold: str) -> float:
    """Return the F1 of two answers' words, in [0, 1]; 0 if either has none.

    Words are `rouge_tokens` without stemming, counted with their repetitions. The paper says only
    "unigram F1".
    """
    ours, theirs = (Counter(rouge_tokens(text, stemmer=False)) for text in (answer, gold))
    shared = (ours & theirs).total()
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0
