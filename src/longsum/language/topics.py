"""Topics of one document by latent Dirichlet allocation (Blei et al. 2003).

It is fitted by variational Bayes (Hoffman et al. 2010).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from longsum.common.arrays import Array
from longsum.language.sparse_rows import SparseRows

_MOST_PASSAGES = 2000
_ITERATIONS = 20


@dataclass(frozen=True, slots=True, eq=False)
class TopicModel:
    """Topics as distributions over a small vocabulary.

    Attributes:
        vocabulary: The words, most frequent first.
        word_given_topic: `[topics, words]`, each row a distribution.
        weights: `[topics]`, each topic's share of the text, largest first; sums to 1.
    """

    vocabulary: tuple[str, ...]
    word_given_topic: Array
    weights: Array

    def top_words(self, count: int) -> tuple[tuple[str, ...], ...]:
        """Return each topic's most probable words, equally probable ones as in the vocabulary."""
        # Words of the same passages are equally probable, but for rounding.
        probable = np.round(self.word_given_topic, 9)
        order = np.argsort(-probable, axis=1, kind="stable")[:, :count]
        return tuple(tuple(self.vocabulary[word] for word in row) for row in order)


def frequent_terms(passages: Iterable[Sequence[str]], size: int) -> tuple[str, ...]:
    """Return the `size` most frequent terms, ties in order of first use."""
    counts = Counter(chain.from_iterable(passages))
    return tuple(term for term, _ in counts.most_common(size))


def term_counts(passages: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> Array:
    """Return how often each vocabulary term occurs in each passage: `[passages, words]`."""
    place = {term: column for column, term in enumerate(vocabulary)}
    counts = np.zeros((len(passages), len(vocabulary)))
    for row, passage in enumerate(passages):
        for term in passage:
            if (column := place.get(term)) is not None:
                counts[row, column] += 1
    return counts


def fit_topics(
    passages: Sequence[Sequence[str]],
    *,
    topics: int = 3,
    vocabulary: Sequence[str] | None = None,
    vocabulary_size: int = 300,
    seed: int = 0,
) -> TopicModel:
    """Fit LDA to the passages of one text.

    Args:
        passages: The terms of each passage (paragraphs of a document, sentences of a summary).
        topics: Number of topics (MLS, §2.2 A: the three most dominant).
        vocabulary: The words to use; by default the text's own most frequent ones.
        vocabulary_size: Their number. The paper does not say what the 300 dimensions of its topic
            vectors are; we take the words of the topic–word distribution.
        seed: Seed of the variational inference.

    Of more than 2,000 passages an even sample of 2,000 is used, so that time is bounded; all
    sentences are still compared with the topics found. A text without any term gets one uniform
    word `""`, so that all results stay defined.
    """
    words = tuple(
        vocabulary if vocabulary is not None else frequent_terms(passages, vocabulary_size)
    )
    if not words:
        return TopicModel(("",), np.ones((topics, 1)), np.full(topics, 1 / topics))
    if len(passages) > _MOST_PASSAGES:
        chosen = np.linspace(0, len(passages) - 1, _MOST_PASSAGES).astype(int)
        passages = [passages[index] for index in chosen]
    counts = term_counts(passages, words)
    counts = counts[counts.sum(axis=1) > 0]
    if not len(counts):
        uniform = np.full((topics, len(words)), 1 / len(words))
        return TopicModel(words, uniform, np.full(topics, 1 / topics))
    return _fit(counts, words, topics, seed)


def _fit(counts: Array, words: tuple[str, ...], topics: int, seed: int) -> TopicModel:
    topic_given_passage, word_given_topic = fit_latent_dirichlet(
        counts, topics, iterations=_ITERATIONS, seed=seed
    )
    weights = topic_given_passage.T @ counts.sum(axis=1)
    order = np.argsort(-weights, kind="stable")
    return TopicModel(words, word_given_topic[order], (weights / weights.sum())[order])


# Inference for a passage: the maximum number of steps, and the change of topics that ends it.
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
    parameters = _infer(rows, _expected(in_topics.T).T, np.ones((topics, passages)), prior)
    return (parameters / parameters.sum(axis=0)).T, in_topics / in_topics.sum(axis=1, keepdims=True)


def _infer(rows: SparseRows, by_word: Array, start: Array, prior: float) -> Array:
    """Return the Dirichlet parameters of each passage's topics: `[topics, passages]`.

    All passages take each step together; those that have converged stop.
    """
    parameters = start.copy()
    moving = np.arange(parameters.shape[1])
    gathered = by_word[:, rows.columns]
    for _ in range(_STEPS):
        before = parameters[:, moving]
        by_passage = _expected(before)
        terms = _ratios(rows, by_passage, gathered) * gathered
        after = prior + by_passage * np.add.reduceat(terms, rows.starts[:-1], axis=1)
        parameters[:, moving] = after
        still = np.abs(after - before).mean(axis=0) >= _LEAST_CHANGE
        if not still.all():
            gathered = gathered[:, np.repeat(still, rows.lengths)]
            rows, moving = rows.only(still), moving[still]
        if not len(moving):
            break
    return parameters


def _word_sums(rows: SparseRows, by_passage: Array, by_word: Array) -> Array:
    """Return how often each topic has each word, without the word's factor: `[topics, words]`."""
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
