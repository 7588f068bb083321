"""BLEU of a corpus, by hand and against sacrebleu."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.evaluation.metrics.bleu import corpus_bleu

TEXTS = st.lists(st.sampled_from(["a", "b", "c", ",", "12"]), min_size=1, max_size=9).map(" ".join)


def test_by_hand():
    # "a b c d e" for "a b c d f": 4/5, 3/4, 2/3 and 1/2 of the n-grams, and the same length.
    expected = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert corpus_bleu(["a b c d e"], ["a b c d f"]) == pytest.approx(expected)
    # Half as long: all n-grams are there, and the brevity penalty is exp(1 - 8/4).
    assert corpus_bleu(["a b c d"], ["a b c d e f g h"]) == pytest.approx(math.exp(-1))


def test_nothing_in_common_and_nothing_at_all():
    assert corpus_bleu(["x"], ["a"]) == 0
    assert corpus_bleu([""], ["a"]) == 0
    with pytest.raises(ValueError, match="zip"):
        corpus_bleu(["a"], [])


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_it_equals_sacrebleu(pairs):
    sacrebleu = pytest.importorskip("sacrebleu")
    own, other = ([pair[side] for pair in pairs] for side in (0, 1))
    made = sacrebleu.corpus_bleu(own, [other], tokenize="none", smooth_method="none", force=True)
    assert corpus_bleu(own, other) == pytest.approx(made.score / 100)
