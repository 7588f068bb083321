"""Extractive fragments: equal to the published procedure, statistics by hand."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.evaluation.metrics import Extractiveness, Fragment, extractiveness, fragments


def published(summary: list[str], article: list[str]) -> list[Fragment]:
    """The pseudo-code of Grusky et al. 2018, Figure 3, step by step."""
    result = []
    i = 0
    while i < len(summary):
        best = Fragment(i, 0, 0)
        j = 0
        while j < len(article):
            if summary[i] == article[j]:
                i2, j2 = i, j
                while i2 < len(summary) and j2 < len(article) and summary[i2] == article[j2]:
                    i2, j2 = i2 + 1, j2 + 1
                if best.length < i2 - i:
                    best = Fragment(i, j, i2 - i)
                j = j2
            else:
                j += 1
        i += max(best.length, 1)
        if best.length:
            result.append(best)
    return result


tokens = st.lists(st.sampled_from("abc"), max_size=25)


@settings(max_examples=examples(300))
@given(tokens, tokens)
def test_equal_to_the_published_procedure(summary: list[str], article: list[str]) -> None:
    assert fragments(summary, article) == published(summary, article)


def test_by_hand() -> None:
    # "the cat" and "on the mat" are copied, "slept" is not: coverage 5/6, density (2² + 3²)/6,
    # compression 8/6.
    summary = "The cat slept on the mat."
    document = "Yesterday the cat sat down on the mat."
    assert extractiveness(summary, document) == Extractiveness(5 / 6, 13 / 6, 8 / 6)


@pytest.mark.parametrize("document", ["", "a cat"])
def test_an_empty_summary_has_zeros(document: str) -> None:
    assert extractiveness(" … ", document) == Extractiveness(0.0, 0.0, 0.0)


def test_an_empty_document_covers_nothing() -> None:
    assert extractiveness("a cat", "") == Extractiveness(0.0, 0.0, 0.0)


@pytest.mark.timing
def test_long_texts_take_little_time() -> None:
    # One word over and over is the worst for a scan of all its places.
    start = time.perf_counter()
    assert len(fragments(["a"] * 2_000, ["a"] * 100_000)) == 1
    assert time.perf_counter() - start < 2
