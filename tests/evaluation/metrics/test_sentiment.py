"""Sentiment: vectors of sentences, and their divergence."""

import numpy as np
import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from longsum.evaluation.metrics import sentiment_divergence, sentiment_vector
from longsum.evaluation.metrics.representativeness import kl_divergence

GOOD = "The report is wonderful and happy."
BAD = "The war was a terrible disaster."


def test_one_sentence_has_its_own_scores() -> None:
    scores = SentimentIntensityAnalyzer().polarity_scores(GOOD)
    assert sentiment_vector(GOOD) == pytest.approx(
        [scores["pos"], scores["neu"], scores["neg"]], abs=1e-3
    )


def test_two_sentences_have_their_mean() -> None:
    both = sentiment_vector(f"{GOOD} {BAD}")
    assert both == pytest.approx((sentiment_vector(GOOD) + sentiment_vector(BAD)) / 2, abs=1e-3)


def test_a_sentence_without_words_does_not_count() -> None:
    assert sentiment_vector(f"{GOOD}\n\n…") == pytest.approx(sentiment_vector(GOOD))


def test_the_one_sided_summary_is_further_away() -> None:
    document = f"{GOOD} {BAD}"
    assert sentiment_divergence(document, document) == 0
    assert sentiment_divergence(GOOD, document) > sentiment_divergence(f"{BAD} {GOOD}", document)
    sides = sentiment_vector(document), sentiment_vector(GOOD)
    assert (
        sentiment_divergence(GOOD, document) == kl_divergence(*sides) != kl_divergence(*sides[::-1])
    )


@pytest.mark.parametrize(("summary", "document"), [("", GOOD), (GOOD, ""), ("", "")])
def test_empty_sides_are_defined(summary: str, document: str) -> None:
    assert np.isfinite(sentiment_divergence(summary, document))
    assert not sentiment_vector("").any()
