"""Divergence of a summary's sentiment from its document's (MLS, §3 B, Table 3)."""

from functools import cache
from typing import Protocol, cast

import numpy as np

from longsum.evaluation.metrics.divergence import Array, kl_divergence
from longsum.language.sentences import sentence_texts
from longsum.language.words import terms

_PARTS = ("pos", "neu", "neg")


class _Analyzer(Protocol):
    def polarity_scores(self, text: str) -> dict[str, float]: ...


def sentiment_divergence(summary: str, document: str) -> float:
    """Return KL(document‖summary) of the two `sentiment_vector`s in nats, smoothed.

    Lower is better. A text without words counts as uniform (see `kl_divergence`).
    """
    return kl_divergence(sentiment_vector(document), sentiment_vector(summary))


def sentiment_vector(text: str) -> Array:
    """Return the shares of positive, neutral and negative words of English text, sum 1.

    They are VADER's (Hutto and Gilbert 2014), which is made for single sentences, so we take the
    mean over the sentences that have words; MLS does not say how it treats long texts. All zeros if
    no sentence has words.
    """
    # VADER would count lone punctuation as a neutral word.
    vectors = [_scores(sentence) for sentence in sentence_texts(text) if terms(sentence)]
    total = np.sum(vectors or [np.zeros(3)], axis=0)
    # VADER rounds to three digits, so the parts of a sentence need not sum to 1.
    return np.asarray(total / (total.sum() or 1.0))


def _scores(sentence: str) -> Array:
    scores = _analyzer().polarity_scores(sentence)
    return np.array([scores[part] for part in _PARTS])


@cache
def _analyzer() -> _Analyzer:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return cast(_Analyzer, SentimentIntensityAnalyzer())
