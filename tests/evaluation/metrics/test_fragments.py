"""Extractive fragments: equal to the published procedure, statistics by hand."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.metrics.fragments import (
    Extractiveness,
    Fragment,
    extractiveness,
    fragments,
    novel_ngrams,
    repeated_ngrams,
)


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


@pytest.mark.parametrize(("summary", "document"), [(" … ", ""), (" … ", "a cat"), ("a cat", "")])
def test_an_empty_side_gives_zeros(summary: str, document: str) -> None:
    assert extractiveness(summary, document) == Extractiveness(0.0, 0.0, 0.0)


@pytest.mark.timing
def test_long_texts_take_little_time() -> None:
    # One word over and over is the worst for a scan of all its places.
    start = time.perf_counter()
    assert len(fragments(["a"] * 2_000, ["a"] * 100_000)) == 1
    assert time.perf_counter() - start < 2


DOCUMENT = "The cat sat on the mat."


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, 1 / 4),  # the, cat, sat known; here new
        (2, 1 / 3),  # the cat, cat sat known; sat here new
        (4, 1.0),
        (5, 0.0),  # no n-gram so long
    ],
)
def test_novelty_by_hand(n: int, expected: float) -> None:
    assert novel_ngrams("The cat sat here.", DOCUMENT, n) == expected
    assert novel_ngrams("The cat sat here.", "", n) == float(n < 5)
    # Each occurrence counts.
    assert novel_ngrams("dog dog dog cat", DOCUMENT, 1) == 3 / 4


def test_impossible_n_is_refused() -> None:
    with pytest.raises(LongsumError, match="give n as 1 or more"):
        novel_ngrams("a", "a", 0)
    with pytest.raises(LongsumError, match="give n as 1 or more"):
        repeated_ngrams("a", 0)


def test_repetitions_by_hand() -> None:
    # the cat, cat saw, saw the, the cat, cat sleep: one of five a second time.
    assert repeated_ngrams("The cat saw. The cat sleep.", 2) == pytest.approx(1 / 5)
    assert repeated_ngrams("the cat saw the cat sleep", 3) == 0.0
    assert repeated_ngrams("no no no", 1) == pytest.approx(2 / 3)
    assert repeated_ngrams("", 2) == 0.0
