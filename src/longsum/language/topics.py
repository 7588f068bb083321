"""Topics of one document by latent Dirichlet allocation (Blei et al. 2003)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Array
from longsum.language.latent_dirichlet import fit_latent_dirichlet

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
    return tuple(term for term, _ in _count(passages).most_common(size))


def _count(passages: Iterable[Sequence[str]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for passage in passages:
        counts.update(passage)
    return counts


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
