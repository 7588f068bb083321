"""Readers without a model: the phrase whose context is most like that of the question's blank."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.lab.checking.apes import BLANK, Answerer, ClozeMaker
from longsum.language.sentences import sentence_texts
from longsum.language.words import content_terms


@dataclass(frozen=True, slots=True)
class ClosestPhrase:
    """Answers with the phrase whose sentence is most like the question once it is left out.

    It only finds what a text words nearly like the question, so it is a lower bound for what a
    reader finds there.

    Attributes:
        cloze: Finds the phrases that may be answers.
    """

    cloze: ClozeMaker = field(default_factory=ClozeMaker)

    def answer(self, question: str, context: str) -> str:
        """Return the phrase that shares most with the question: words, then pairs of words.

        Of equally good ones the first; nothing where the context has no phrase.
        """
        asked = rouge_tokens(question)
        best, found = (0.0, 0.0), ""
        for each in self.cloze.questions(context):
            tokens = rouge_tokens(each.question)
            score = (_recall(asked, tokens), _recall(pairwise(asked), pairwise(tokens)))
            if score > best:
                best, found = score, each.answer
        return found


@dataclass(frozen=True, slots=True)
class Cautious:
    """A reader that answers only if a sentence with its answer covers the question.

    A model that labels a span always finds one, where people ask for more information.

    Attributes:
        reader: The reader.
        least: The least share of the question's content words that a sentence with the answer must
            have, in [0, 1].
    """

    reader: Answerer
    least: float = 0.5

    def answer(self, question: str, context: str) -> str:
        """Return the reader's answer, or nothing."""
        answer = self.reader.answer(question, context)
        asked = _content(question.replace(BLANK, " "))
        shares = (
            _recall(asked, _content(sentence))
            for sentence in sentence_texts(context)
            if answer and answer in sentence
        )
        return answer if max(shares, default=0.0) >= self.least else ""


def _content(text: str) -> list[str]:
    """Return the stems of a text's content words."""
    return rouge_tokens(" ".join(content_terms(text)))


def _recall(asked: Iterable[Hashable], said: Iterable[Hashable]) -> float:
    """Return the share of the question's words that a sentence has; 1 if it has none."""
    wanted = Counter(asked)
    return (wanted & Counter(said)).total() / wanted.total() if wanted else 1.0
