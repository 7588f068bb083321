"""BM25 by hand, and properties for any text."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.extractive.focus import bm25

WORDS = st.lists(st.sampled_from("abcde"), max_size=6)


def test_by_hand() -> None:
    # Of three passages of mean length 2, "dam" is in two and "river" in one. The second holds
    # "dam" twice: 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 3 / 2)) = 4.4 / 3.65.
    dam, river = log(1 + 1.5 / 2.5), log(1 + 2.5 / 1.5)
    found = bm25([["dam", "river"], ["dam", "dam", "coal"], ["coal"]], ["dam", "river", "dam"])
    assert found == pytest.approx([dam + river, dam * 4.4 / 3.65, 0])
    # Nothing to match.
    assert bm25([], ["dam"]).shape == (0,)
    assert bm25([[], []], ["dam"]).tolist() == [0, 0]
    assert bm25([["dam"]], []).tolist() == [0]


@given(st.lists(WORDS, min_size=1, max_size=5), WORDS)
def test_only_passages_with_a_term_of_the_query_score(passages, query) -> None:
    found = bm25(passages, query)
    assert (found > 0).tolist() == [not set(query).isdisjoint(each) for each in passages]
    # The order of the passages and of their terms does not matter.
    turned = bm25([each[::-1] for each in passages[::-1]], query[::-1])
    assert np.allclose(turned[::-1], found)
