"""Coherence, sentiment and topics of a summary against those of its document."""

from collections.abc import Sequence
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from longsum.evaluation.metrics.representativeness import (
    SMOOTHING,
    cheapest_pairing,
    coherence,
    coherence_difference,
    divergences,
    kl_divergence,
    min_mean_cost,
    sentiment_divergence,
    sentiment_vector,
    topic_divergence,
)

VECTORS = {"One.": [2.0, 0.0], "Two.": [0.0, 3.0], "Three.": [1.0, 1.0], "Zero.": [0.0, 0.0]}


def embed(sentences: Sequence[str]) -> NDArray[np.float64]:
    return np.array([VECTORS[sentence] for sentence in sentences])


@pytest.mark.parametrize(
    ("sentences", "value"),
    [
        # cos(One, Two) = 0, cos(Two, Three) = 1/√2
        (["One.", "Two.", "Three."], 0.5 / np.sqrt(2)),
        (["One.", "Zero.", "One."], 0),  # a zero vector is alike to none
        *(([], 0), (["One."], 0)),  # no pair
    ],
)
def test_coherence_by_hand(sentences: list[str], value: float) -> None:
    assert coherence(sentences, embed) == pytest.approx(value)


def test_the_difference_has_no_sign() -> None:
    # 0 against 1
    assert coherence_difference("One. Two.", "One. One.", embed) == pytest.approx(1.0)
    assert coherence_difference("One. One.", "One. Two.", embed) == pytest.approx(1.0)


def test_the_default_encoder_is_fitted_to_the_document() -> None:
    document = "Whales swim in oceans. Oceans feed whales. Taxes fund budgets. Budgets need taxes."
    assert coherence_difference(document, document) == 0
    alternating = "Whales swim in oceans. Taxes fund budgets. Oceans feed whales."
    assert coherence_difference(alternating, document) > 0.1


weights = st.lists(st.floats(0, 10), min_size=3, max_size=3)


def test_divergence_by_hand() -> None:
    # 0.75·log(0.75/0.5) + 0.25·log(0.25/0.5)
    expected = 0.75 * log(1.5) + 0.25 * log(0.5)
    assert kl_divergence([3, 1], [1, 1], smoothing=0) == pytest.approx(expected)


@given(weights, weights)
def test_finite_never_negative_zero_for_equal_sides(p: list[float], q: list[float]) -> None:
    assert 0 <= kl_divergence(p, q) <= log(3 / SMOOTHING)
    assert 0 <= kl_divergence(p, p) < 1e-12


def test_rows_against_rows() -> None:
    p, q = np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([[1.0, 1.0], [0.0, 4.0], [2.0, 1.0]])
    matrix = divergences(p, q)
    assert matrix.shape == (2, 3)
    assert matrix[1, 2] == pytest.approx(kl_divergence([3, 1], [2, 1]))


def test_rounding_never_makes_it_negative() -> None:
    # Unclamped, some of these come out as -1e-16.
    rows = np.random.default_rng(0).random((50, 300))
    assert (np.diag(divergences(rows, rows)) >= 0).all()


GOOD = "The report is wonderful and happy."
BAD = "The war was a terrible disaster."


def test_a_vector_is_the_mean_of_the_sentences_that_have_words() -> None:
    told = [SentimentIntensityAnalyzer().polarity_scores(each) for each in (GOOD, BAD)]
    scores = np.array([[each[part] for part in ("pos", "neu", "neg")] for each in told])
    assert sentiment_vector(f"{GOOD}\n\n…") == pytest.approx(scores[0], abs=1e-3)
    assert sentiment_vector(f"{GOOD} {BAD}") == pytest.approx(scores.mean(axis=0), abs=1e-3)


def test_the_one_sided_summary_is_further_away() -> None:
    document = f"{GOOD} {BAD}"
    assert sentiment_divergence(document, document) == 0
    assert sentiment_divergence(GOOD, document) > sentiment_divergence(f"{BAD} {GOOD}", document)
    sides = sentiment_vector(document), sentiment_vector(GOOD)
    assert (
        sentiment_divergence(GOOD, document) == kl_divergence(*sides) != kl_divergence(*sides[::-1])
    )


ABOUT = {
    "money": "Taxes, budgets and revenue grew. The budget taxed revenue. Taxes fund the budget.",
    "sea": "Whales and sharks swim in the ocean. The ocean feeds whales. Sharks hunt in the ocean.",
    "music": "Violins and pianos play sonatas. The sonata needs a piano. Violins open the sonata.",
}
DOCUMENT = " ".join(ABOUT.values())


def test_a_summary_of_all_topics_is_nearer_than_one_of_another_subject() -> None:
    balanced = " ".join(text.split(". ")[0] + "." for text in ABOUT.values())
    assert topic_divergence(balanced, DOCUMENT) < topic_divergence("Nothing of it.", DOCUMENT)


@pytest.mark.parametrize(("summary", "document"), [("", DOCUMENT), (DOCUMENT, ""), ("", "")])
def test_empty_sides_are_defined(summary: str, document: str) -> None:
    # A sentence alone has no neighbour.
    assert coherence_difference(summary and GOOD, document and GOOD) == 0
    for divergence in (sentiment_divergence, topic_divergence):
        assert np.isfinite(divergence(summary, document))
    assert not sentiment_vector("").any()


COSTS = st.integers(0, 9).flatmap(
    lambda count: arrays(
        np.float64,
        (count, count),
        elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6)),
    )
)


@given(COSTS)
def test_the_sum_of_the_cheapest_pairing_is_scipys(costs: np.ndarray) -> None:
    columns = cheapest_pairing(costs)
    assert sorted(columns) == list(range(len(costs)))
    found = costs[np.arange(len(costs)), columns].sum()
    least = costs[linear_sum_assignment(costs)].sum()
    np.testing.assert_allclose(found, least, atol=1e-6)
    assert not columns.size or min_mean_cost(costs) == pytest.approx(found / columns.size)
