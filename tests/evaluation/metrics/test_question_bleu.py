"""BLEU: parity with nltk, and a case by hand."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.evaluation.metrics.bleu import bleu4

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


@pytest.mark.parametrize(("prediction", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_shared_is_zero(prediction: str, reference: str) -> None:
    assert bleu4(prediction, reference) == 0.0
