"""Rankings for a focus: relevance to it, weighed against importance in the document."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np

from longsum.common.arrays import Array
from longsum.core.extractive.selection import Ranking, Share
from longsum.core.extractive.summarizer import ShareOf
from longsum.documents.model import Document
from longsum.language.words import content_terms

FOCUS = "focus"
K1, B = 1.2, 0.75
"""BM25: saturation of a term's count, and how much long passages are penalized (§3.2)."""

# If no cosine reaches this, the document has nothing to do with the focus. The highest cosines of
# unrelated words are 0.15 to 0.25.
_MIN_COSINE = 0.2


def relevance(document: Document, focus: str, cosines: Array) -> Array:
    """Return how relevant each sentence is to a focus, `[n]` from 0 to 1.

    It is the mean of two numbers, each relative to its maximum in the document: the BM25 score of
    the sentence with its speaker's name for the focus, without stop words; and the cosine, clipped
    at 0. Relevance is 0 throughout if no sentence contains a word of the focus and no cosine
    reaches 0.2.

    Args:
        document: The document.
        focus: What the reader wants to know about.
        cosines: Cosine of each sentence's vector with that of the focus, `[n]`.
    """
    passages = [
        content_terms(f"{sentence.speaker} {sentence.text}") for sentence in document.sentences
    ]
    related = cosines.max() >= _MIN_COSINE
    similarity = np.maximum(cosines, 0.0) if related else np.zeros(len(passages))
    return (_relative(bm25(passages, content_terms(focus))) + _relative(similarity)) / 2


class FocusedRanking:
    """A weighted sum of a ranking's scores and each sentence's relevance to a focus.

    Both are divided by their standard deviation in the document, so that the weight means the same
    for every model and every focus.

    Args:
        ranking: Scores the sentences regardless of the focus; −∞ for those that are not candidates.
        relevance: `[n]`.
        weight: Weight of the relevance, from 0 to 1; the rest is that of the ranking.
    """

    def __init__(self, ranking: Ranking, relevance: Array, weight: float) -> None:
        self._ranking = ranking
        scores = ranking.scores()[0]
        self._scale = (1 - weight) / _deviation(scores[np.isfinite(scores)])
        self._focus = weight * relevance / _deviation(relevance)

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the sums, and the ranking's terms with that of the focus."""
        scores, shares = self._ranking.scores()
        scaled = {name: ShareOf(partial(self._scaled, share)) for name, share in shares.items()}
        return self._scale * scores + self._focus, {**scaled, FOCUS: self._focus}

    def _scaled(self, share: Share, sentence: int) -> float:
        return self._scale * float(share[sentence])

    def choose(self, sentence: int) -> None:
        """Condition on a sentence being chosen."""
        self._ranking.choose(sentence)


def _relative(values: Array) -> Array:
    """Return values relative to their maximum; zeros stay."""
    return values / (values.max() or 1.0)


def _deviation(values: Array) -> float:
    """Return the standard deviation, or 1 if all values are equal."""
    return float(values.std()) or 1.0 if len(values) else 1.0


def bm25(passages: Sequence[Sequence[str]], query: Collection[str]) -> Array:
    """Return the BM25 score of each passage for a query (Robertson and Zaragoza 2009), `[n]`.

    Scores are at least 0, and take time linear in the text.

    A term of the query that df of n passages contain adds
    `log(1 + (n − df + ½) / (df + ½)) · tf · (K1 + 1) / (tf + K1 · (1 − B + B · length / mean))` to
    a passage that contains it tf times. The 1 in the logarithm is not in the paper: without it,
    terms that most passages contain would count against a passage.

    Passages and query are given as terms; a repeated query term counts once.
    """
    columns = {term: column for column, term in enumerate(dict.fromkeys(query))}
    counts = np.zeros((len(passages), len(columns)))
    for row, passage in enumerate(passages):
        for term, count in Counter(term for term in passage if term in columns).items():
            counts[row, columns[term]] = count
    lengths = np.array([len(passage) for passage in passages], dtype=np.float64)
    relative = lengths / max(lengths.mean(), 1.0) if len(lengths) else lengths
    frequency = (counts > 0).sum(axis=0)
    weights = np.log1p((len(passages) - frequency + 0.5) / (frequency + 0.5))
    saturated = counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative)[:, None])
    scores: Array = saturated @ weights
    return scores
