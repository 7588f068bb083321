"""Latent Dirichlet allocation by variational Bayes (Blei et al. 2003; Hoffman et al. 2010)."""

import numpy as np

from longsum.common.arrays import Array
from longsum.language.sparse_rows import SparseRows

# Of the inference of one passage: at most so many steps, until its topics change by less than this.
_STEPS = 100
_LEAST_CHANGE = 1e-3
# The start: gamma variates with mean 1 and variance 0.01, as in Hoffman's program.
_SHAPE, _SCALE = 100.0, 0.01
_TINY = float(np.finfo(np.float64).eps)
# Above this the series is exact to 1e-13.
_SHIFT = 10
# Of ψ(x) ~ log x − 1/2x − Σ B₂ₙ / 2n x²ⁿ, the factors B₂ₙ / 2n for n = 1 to 5.
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132)


def fit_latent_dirichlet(
    counts: Array, topics: int, *, iterations: int, seed: int
) -> tuple[Array, Array]:
    """Fit topics to passages, in batch (Hoffman, Blei and Bach 2010, Algorithm 1).

    Both Dirichlet priors are symmetric, with 1 / topics for each topic and each word. A passage's
    inference ends when its topics change by less than 0.001 on average, or after 100 steps.

    Args:
        counts: How often each word occurs in each passage, `[passages, words]`, each passage with
            at least one.
        topics: Number of topics.
        iterations: Number of passes over all passages.
        seed: Seed of the start, and of each pass's start, below 2³².

    Returns:
        The distribution of each passage over topics, `[passages, topics]`, and of each topic over
        words, `[topics, words]`.
    """
    passages, words = counts.shape
    prior = 1 / topics
    rows = SparseRows.of(counts)
    # NumPy keeps the numbers of this generator the same for ever.
    random = np.random.RandomState(seed)
    in_topics = random.gamma(_SHAPE, _SCALE, (topics, words))
    for _ in range(iterations):
        start = random.gamma(_SHAPE, _SCALE, (passages, topics)).T
        by_word = _expected(in_topics.T).T
        by_passage = _expected(_infer(rows, by_word, start, prior))
        in_topics = prior + by_word * _word_sums(rows, by_passage, by_word)
    found = _infer(rows, _expected(in_topics.T).T, np.ones((topics, passages)), prior)
    return (found / found.sum(axis=0)).T, in_topics / in_topics.sum(axis=1, keepdims=True)


def _infer(rows: SparseRows, by_word: Array, start: Array, prior: float) -> Array:
    """Return the Dirichlet parameters of each passage's topics: `[topics, passages]`.

    All passages take a step together; those that have come to rest take no more.
    """
    found = start.copy()
    moving = np.arange(found.shape[1])
    gathered = by_word[:, rows.columns]
    for _ in range(_STEPS):
        before = found[:, moving]
        by_passage = _expected(before)
        terms = _ratios(rows, by_passage, gathered) * gathered
        after = prior + by_passage * np.add.reduceat(terms, rows.starts[:-1], axis=1)
        found[:, moving] = after
        still = np.abs(after - before).mean(axis=0) >= _LEAST_CHANGE
        if not still.all():
            gathered = gathered[:, np.repeat(still, rows.lengths)]
            rows, moving = rows.only(still), moving[still]
        if not len(moving):
            break
    return found


def _word_sums(rows: SparseRows, by_passage: Array, by_word: Array) -> Array:
    """Return how often each topic has each word, over the word's own factor: `[topics, words]`."""
    ratios = _ratios(rows, by_passage, by_word[:, rows.columns])
    sums = (
        np.bincount(rows.columns, np.repeat(topic, rows.lengths) * ratios, minlength=rows.width)
        for topic in by_passage
    )
    return np.stack(list(sums))


def _ratios(rows: SparseRows, by_passage: Array, gathered: Array) -> Array:
    """Return each count over the sum that makes the topics of its word there a distribution.

    Args:
        rows: The counts.
        by_passage: exp E[log θ]: `[topics, passages]`.
        gathered: exp E[log β] of the word of each count: `[topics, entries]`.
    """
    norms: Array = np.einsum("te,te->e", np.repeat(by_passage, rows.lengths, axis=1), gathered)
    return rows.values / (norms + _TINY)


def _expected(parameters: Array) -> Array:
    """Return exp E[log p] of Dirichlet distributions over p, one in each column."""
    logarithms = digamma(np.vstack([parameters, parameters.sum(axis=0)]))
    found: Array = np.exp(logarithms[:-1] - logarithms[-1])
    return found


def digamma(x: Array) -> Array:
    """Return ψ(x) of each positive number, within 1e-12 of it, relatively where |ψ| is above 1.

    By the recurrence ψ(x) = ψ(x + 1) − 1/x and the asymptotic series (Abramowitz and Stegun 1964,
    6.3.5 and 6.3.18).
    """
    below = (1 / (x + np.arange(_SHIFT).reshape(-1, *[1] * x.ndim))).sum(axis=0)
    shifted = x + _SHIFT
    inverse = 1 / shifted
    square = inverse * inverse
    series = np.zeros_like(x)
    for factor in reversed(_SERIES):
        series += factor
        series *= square
    found: Array = np.log(shifted) - 0.5 * inverse - series - below
    return found
