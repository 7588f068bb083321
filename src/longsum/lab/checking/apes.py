"""APES and APES_src: whether a summary answers questions as its reference and its source do.

HEPOS (Huang et al. 2021), §5; APES is from Eyal et al. 2019.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.lab.checking.cloze import ClozeMaker
from longsum.lab.checking.consistency import Contexts


class Answerer(Protocol):
    """A model that answers questions with a span of a text."""

    def answer(self, question: str, context: str) -> str:
        """Return the answer to a cloze question, in the words of the context."""
        ...


@dataclass(frozen=True, slots=True)
class Apes:
    """The scores of a summary, in [0, 1], higher is better.

    Attributes:
        apes: Mean F1 of the answers by the summary and the reference's.
        apes_src: Mean F1 of the answers by the summary and by the source.
        questions: Number of questions; without any, the scores are 0.
    """

    apes: float
    apes_src: float
    questions: int


@dataclass(frozen=True, slots=True)
class ApesScorer:
    """Scores summaries with a model that answers questions.

    Attributes:
        answerer: The model.
        cloze: Makes the questions.
    """

    answerer: Answerer
    cloze: ClozeMaker = field(default_factory=ClozeMaker)

    def score(self, summary: str, references: Sequence[str], source: Sequence[str]) -> Apes:
        """Score a summary by the questions of all references.

        Args:
            summary: The summary. An empty one answers nothing, which scores 0.
            references: The references that questions are made of.
            source: The document's sentences; the source is asked in those of them that
                `Contexts` chooses for the reference.
        """
        by_reference: list[float] = []
        by_source: list[float] = []
        contexts = Contexts(source)
        for reference in references:
            context = contexts.text(reference)
            for each in self.cloze.questions(reference):
                answer = self._answer(each.question, summary)
                by_reference.append(unigram_f1(answer, each.answer))
                by_source.append(unigram_f1(answer, self._answer(each.question, context)))
        count = len(by_reference)
        return Apes(sum(by_reference) / max(count, 1), sum(by_source) / max(count, 1), count)

    def _answer(self, question: str, context: str) -> str:
        return self.answerer.answer(question, context) if context.strip() else ""


def unigram_f1(answer: str, gold: str) -> float:
    """Return the F1 of two answers' words, in [0, 1]; 0 where either has none.

    Words are `rouge_tokens` without stemming, each counted as often as it occurs. The paper says
    only "unigram F1".
    """
    ours, theirs = (Counter(rouge_tokens(text, stemmer=False)) for text in (answer, gold))
    shared = (ours & theirs).total()
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0
