"""BLEU: parity with nltk, and a case by hand."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.evaluation.question_bleu import bleu4

words = st.lists(st.sampled_from(["What", "is", "it", "the", "?"]), max_size=12).map(" ".join)


@settings(max_examples=examples(200))
@given(words, words)
def test_equal_to_nltk(prediction: str, reference: str) -> None:
    bleu = pytest.importorskip(
        "nltk.translate.bleu_score", reason="nltk, the peer of this test, is not installed"
    )
    own, other = (re.findall(r"\w+|\?", text.lower()) for text in (prediction, reference))
    smoothing = bleu.SmoothingFunction().method2
    theirs = bleu.sentence_bleu([other], own, smoothing_function=smoothing)
    assert bleu4(prediction, reference) == pytest.approx(theirs, abs=1e-12)


def test_by_hand() -> None:
    # what is it ? (4) against what is that thing ? (5): words 3/4 (what, is, ?), pairs (1+1)/(3+1),
    # threes (0+1)/(2+1), fours (0+1)/(1+1); brevity exp(1 - 5/4).
    expected = math.exp(1 - 5 / 4) * (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25
    assert bleu4("What is it?", "what is THAT thing?") == pytest.approx(expected)


@pytest.mark.parametrize(("prediction", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_shared_is_zero(prediction: str, reference: str) -> None:
    assert bleu4(prediction, reference) == 0.0


def test_a_text_scores_itself() -> None:
    assert bleu4("Why does it rain in June?", "why does it rain in june?") == pytest.approx(1.0)
