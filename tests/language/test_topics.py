import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import special
from sklearn.decomposition import LatentDirichletAllocation

from effort import examples
from longsum.language.topics import (
    TopicModel,
    digamma,
    fit_latent_dirichlet,
    fit_topics,
    frequent_terms,
    term_counts,
)

_PLANTED = [
    ["cell", "protein", "gene", "membrane", "enzyme"],
    ["court", "judge", "law", "appeal", "verdict"],
    ["engine", "fuel", "piston", "valve", "gear"],
]


def _planted(passages: int = 60, seed: int = 1) -> list[list[str]]:
    """Make passages of one topic each; five of ten have the first topic, three the second."""
    chance = random.Random(seed)
    share = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2]
    return [chance.choices(_PLANTED[share[n % 10]], k=12) for n in range(passages)]


def _assert_distributions(model: TopicModel, topics: int) -> None:
    assert model.word_given_topic.shape == (topics, len(model.vocabulary))
    assert (model.word_given_topic >= 0).all()
    np.testing.assert_allclose(model.word_given_topic.sum(axis=1), 1)
    assert model.weights.sum() == pytest.approx(1)
    assert (np.diff(model.weights) <= 0).all()


def test_planted_topics_are_found_in_the_order_of_their_shares() -> None:
    model = fit_topics(_planted())
    _assert_distributions(model, 3)
    assert [set(words) for words in model.top_words(5)] == [set(words) for words in _PLANTED]
    np.testing.assert_allclose(model.weights, [0.5, 0.3, 0.2], atol=0.05)


def test_equally_probable_words_come_as_in_the_vocabulary() -> None:
    rounded = np.array([[0.2, 0.3, 0.3 + 1e-16, 0.2 + 1e-13]])
    assert rounded[0, 2] > rounded[0, 1]
    model = TopicModel(("a", "b", "c", "d"), rounded, np.ones(1))
    assert model.top_words(3) == (("b", "c", "a"),)


@given(
    passages=st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=6),
    topics=st.integers(1, 4),
)
@settings(max_examples=examples(15), derandomize=True)
def test_rows_are_distributions_of_any_text(passages: list[list[str]], topics: int) -> None:
    _assert_distributions(fit_topics(passages, topics=topics), topics)


@pytest.mark.parametrize("passages", [[], [[]], [[], []]])
def test_a_text_without_terms(passages: list[list[str]]) -> None:
    model = fit_topics(passages)
    assert model.vocabulary == ("",)
    _assert_distributions(model, 3)


def test_a_given_vocabulary_is_kept_even_if_no_word_of_it_occurs() -> None:
    model = fit_topics([["cell", "court"]], vocabulary=["judge", "gene"])
    assert model.vocabulary == ("judge", "gene")
    np.testing.assert_array_equal(model.word_given_topic, np.full((3, 2), 0.5))
    _assert_distributions(model, 3)
    assert fit_topics(_planted(), vocabulary=["gene", "law"]).vocabulary == ("gene", "law")


def test_the_vocabulary_is_the_most_frequent_words() -> None:
    model = fit_topics([["b", "a", "c", "a"], ["c", "a", "d"]], vocabulary_size=2)
    assert model.vocabulary == ("a", "c")


def test_a_long_text_is_sampled_evenly() -> None:
    # Every tenth passage of 20,000 is of the second topic, in the sample of 2,000 too.
    passages = [["court", "law"] if n % 10 == 3 else ["cell", "gene"] for n in range(20_000)]
    model = fit_topics(passages, topics=2)
    assert [set(words) for words in model.top_words(2)] == [{"cell", "gene"}, {"court", "law"}]
    # The prior of 1/2 a topic gives a passage of two words 2.5/3 of its topic and 0.5/3 of the
    # other: 0.9 · 5/6 + 0.1 · 1/6 = 0.767.
    np.testing.assert_allclose(model.weights, [0.767, 0.233], atol=0.02)


def test_frequent_terms_and_counts_by_hand() -> None:
    passages = [["b", "a"], ["a", "c", "a"], []]
    assert frequent_terms(passages, 2) == ("a", "b")  # a 3 times, b before c
    counts = term_counts(passages, ["c", "a", "z"])
    np.testing.assert_array_equal(counts, [[0, 1, 0], [1, 2, 0], [0, 0, 0]])


def scikit_learns(
    counts: np.ndarray, topics: int, iterations: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    model = LatentDirichletAllocation(
        topics, max_iter=iterations, learning_method="batch", random_state=seed
    )
    found = model.fit_transform(counts)
    return found, model.components_ / model.components_.sum(axis=1, keepdims=True)


def passages(seed: int, count: int, words: int, longest: int) -> np.ndarray:
    """Draw passages of 1 to `longest` words, frequent and rare ones."""
    random = np.random.default_rng(seed)
    chances = 1 / np.arange(1, words + 1)
    lengths = random.integers(1, longest + 1, count)
    drawn = [random.multinomial(length, chances / chances.sum()) for length in lengths]
    return np.array(drawn, dtype=np.float64)


# Some of its passages go on after 100 steps.
@example(seed=0, count=20, words=20, longest=150, topics=3)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 40),
    words=st.integers(1, 60),
    longest=st.sampled_from([1, 9, 150]),
    topics=st.integers(1, 5),
)
@settings(max_examples=examples(20), derandomize=True, deadline=None)
def test_topics_are_scikit_learns(seed, count, words, longest, topics) -> None:
    counts = passages(seed, count, words, longest)
    found = fit_latent_dirichlet(counts, topics, iterations=9, seed=seed)
    for ours, theirs in zip(found, scikit_learns(counts, topics, 9, seed), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


@given(st.floats(1e-300, 1e300))
def test_it_is_scipys(x: float) -> None:
    expected = special.digamma(x)
    assert digamma(np.array([x]))[0] == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert digamma(np.ones(1))[0] == pytest.approx(-np.euler_gamma, abs=1e-13)
