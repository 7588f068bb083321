"""LDA by variational Bayes: scikit-learn's, from the same start."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import LatentDirichletAllocation

from effort import examples
from longsum.language.latent_dirichlet import fit_latent_dirichlet


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


@pytest.mark.parametrize(
    ("count", "words", "longest", "topics"), [(40, 60, 30, 3), (12, 5, 400, 2), (25, 40, 1, 5)]
)
def test_topics_are_scikit_learns(count: int, words: int, longest: int, topics: int) -> None:
    counts = passages(count, count, words, longest)
    found = fit_latent_dirichlet(counts, topics, iterations=20, seed=7)
    for ours, theirs in zip(found, scikit_learns(counts, topics, 20, 7), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 6),
    words=st.integers(1, 8),
    topics=st.integers(1, 4),
)
@settings(max_examples=examples(40), derandomize=True, deadline=None)
def test_small_texts_are_scikit_learns(seed: int, count: int, words: int, topics: int) -> None:
    counts = passages(seed, count, words, 9)
    found = fit_latent_dirichlet(counts, topics, iterations=3, seed=seed)
    for ours, theirs in zip(found, scikit_learns(counts, topics, 3, seed), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_passages_that_come_to_rest_early_leave_the_others_as_they_are() -> None:
    few, many = passages(1, 6, 20, 3), passages(2, 6, 20, 300)
    counts = np.vstack([few, many])
    together, _ = fit_latent_dirichlet(counts, 3, iterations=5, seed=0)
    expected, _ = scikit_learns(counts, 3, 5, 0)
    np.testing.assert_allclose(together[:6], expected[:6], atol=1e-9)
    np.testing.assert_allclose(together[6:], expected[6:], atol=1e-9)
