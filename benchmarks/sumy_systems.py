"""sumy's summarizers behind longsum's interface: the same sentences, the same budget.

sumy splits sentences and words with data that nltk would have to download; here it gets longsum's
sentences and a word pattern, so that only the ranking is compared. Ranking, stemmer and stop words
are sumy's, set up as in its README.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from longsum.common.arrays import Array
from longsum.core.extractive.selection import FixedRanking
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.systems.system import Request

METHODS = ("lexrank", "textrank", "lsa")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-])*")


@dataclass(frozen=True, slots=True)
class SumyConfig:
    """The choice of a sumy summarizer."""

    method: str


class _Tokenizer:
    """The interface that sumy needs of a tokenizer, without data files."""

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(_WORD.findall(sentence))


class Sumy(ExtractiveSummarizer):
    """One of sumy's summarizers; its scores of sentences are the ranking."""

    def __init__(self, method: str) -> None:
        super().__init__(f"sumy-{method}", SumyConfig(method))
        self._method = method

    def rank(self, request: Request) -> Ranked:
        """Score the sentences with sumy."""
        texts = [sentence.text for sentence in request.document.sentences]
        return Ranked(FixedRanking(rate(self._method, texts), self._method))


def rate(method: str, texts: Sequence[str]) -> Array:
    """Return sumy's score of each sentence, intercepted before sumy selects sentences."""
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence

    tokenizer = _Tokenizer()
    sentences = [Sentence(text, tokenizer) for text in texts]
    ratings: list[float] = []

    def catch(found: Sequence[Any], _count: int, rating: Any) -> tuple[()]:
        # LSA passes a function that returns the next sentence's score; the others a mapping.
        rated = rating if callable(rating) else rating.__getitem__
        ratings.extend(float(rated(sentence)) for sentence in found)
        return ()

    summarizer = _summarizer(method)
    summarizer._get_best_sentences = catch
    summarizer(ObjectDocumentModel([Paragraph(sentences)]), len(sentences))
    return np.array(ratings) if ratings else np.zeros(len(texts))


def _summarizer(method: str) -> Any:
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.lsa import LsaSummarizer
    from sumy.summarizers.text_rank import TextRankSummarizer
    from sumy.utils import get_stop_words

    kinds = {"lexrank": LexRankSummarizer, "textrank": TextRankSummarizer, "lsa": LsaSummarizer}
    summarizer = kinds[method](Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")
    return summarizer
