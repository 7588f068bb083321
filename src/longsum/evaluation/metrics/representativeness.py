"""Distance of topics, sentiment and coherence from the document's (MLS, §3)."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from longsum.common.arrays import Array, Places
from longsum.language.embeddings import Embed, LatentSemanticAnalysis
from longsum.language.sentences import sentence_texts
from longsum.language.topics import TopicModel, fit_topics
from longsum.language.words import content_terms, terms

SMOOTHING = 1e-3
"""Weight of the uniform distribution that is mixed into both sides."""


def kl_divergence(p: ArrayLike, q: ArrayLike, smoothing: float = SMOOTHING) -> float:
    """Return KL(p‖q) = Σ p log(p / q) in nats: the information lost when q approximates p.

    Args:
        p: The true distribution; non-negative weights, which need not sum to 1.
        q: Its approximation; as long as `p`.
        smoothing: Weight of the uniform distribution mixed into both, so that the result is finite
            (at most log(length / smoothing)); it is still 0 for equal sides and never negative.

    All-zero weights count as uniform. MLS (§3 B) states neither smoothing nor direction; we take
    the document as the true distribution, so that omissions of a summary cost more than its
    emphases.
    """
    return float(divergences(np.atleast_2d(p), np.atleast_2d(q), smoothing)[0, 0])


def divergences(p: ArrayLike, q: ArrayLike, smoothing: float = SMOOTHING) -> Array:
    """Return `kl_divergence` of each row of `p` from each row of `q`: `[rows of p, rows of q]`."""
    truth, other = _smooth(p, smoothing), _smooth(q, smoothing)
    entropy = (truth * np.log(truth)).sum(axis=1, keepdims=True)
    difference: Array = entropy - truth @ np.log(other).T
    return np.maximum(difference, 0.0)  # rounding gives -1e-17 for equal distributions


def _smooth(weights: ArrayLike, smoothing: float) -> Array:
    rows = np.asarray(weights, dtype=np.float64)
    totals = rows.sum(axis=1, keepdims=True)
    uniform = 1 / rows.shape[1]
    shares = np.where(totals > 0, rows / np.where(totals > 0, totals, 1.0), uniform)
    return np.asarray((1 - smoothing) * shares + smoothing * uniform)


TOPICS = 3


def topic_divergence(summary: str, document: str) -> float:
    """Return the mean divergence, in nats, of a summary's topic vectors from its document's.

    "The average KL-divergence score between the top-3 topic vectors of a summary and its input
    document." Topics are those of `longsum.language.topics.fit_topics`, fitted to each text
    separately, with its sentences as passages. The paper does not state the rest; here:

    - Both models use the document's vocabulary, so that their vectors are in one space.
    - LDA's topics are unordered, so topics of the document and the summary are paired one to one
      such that the sum is smallest (not by weight, whose order is unstable).
    - The direction is KL(document‖summary), smoothed as in `kl_divergence`.

    Lower is better. A summary without any word of the document has uniform topics, a poor score.
    Fitting is deterministic, so the divergence of a text from itself is 0.
    """
    expected = _document_topics(document)
    actual = fit_topics(_passages(summary), topics=TOPICS, vocabulary=expected.vocabulary)
    return min_mean_cost(divergences(expected.word_given_topic, actual.word_given_topic))


def min_mean_cost(costs: Array) -> float:
    """Return the mean cost of the best one-to-one pairing of rows with columns."""
    return float(costs[np.arange(len(costs)), cheapest_pairing(costs)].mean())


@lru_cache(maxsize=1)
def _document_topics(document: str) -> TopicModel:
    """Fit a document's topics, cached since its summaries are scored one after the other."""
    return fit_topics(_passages(document), topics=TOPICS)


def _passages(text: str) -> list[list[str]]:
    return [content_terms(sentence) for sentence in sentence_texts(text)]


_PARTS = ("pos", "neu", "neg")


def sentiment_divergence(summary: str, document: str) -> float:
    """Return KL(document‖summary) of the two `sentiment_vector`s in nats, smoothed.

    Lower is better. A text without words counts as uniform (see `kl_divergence`).
    """
    return kl_divergence(sentiment_vector(document), sentiment_vector(summary))


def sentiment_vector(text: str) -> Array:
    """Return the shares of positive, neutral and negative words of English text, sum 1.

    They are VADER's (Hutto and Gilbert 2014), which is made for single sentences, so we take the
    mean over the sentences that have words; MLS does not say how it treats long texts. All zeros if
    no sentence has words.
    """
    # VADER would count lone punctuation as a neutral word.
    vectors = [_scores(sentence) for sentence in sentence_texts(text) if terms(sentence)]
    total = np.sum(vectors or [np.zeros(3)], axis=0)
    # VADER rounds to three digits, so the parts of a sentence need not sum to 1.
    return np.asarray(total / (total.sum() or 1.0))


def _scores(sentence: str) -> Array:
    scores = _analyzer().polarity_scores(sentence)
    return np.array([scores[part] for part in _PARTS])


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


def coherence_difference(summary: str, document: str, embed: Embed | None = None) -> float:
    """Return |coherence of the summary − coherence of the document|, in [0, 2]; lower is better.

    Args:
        summary: The summary.
        document: Its document.
        embed: Sentence encoder. MLS does not name its own; the default is latent semantic analysis
            fitted to the document, which needs no model.
    """
    summary_sentences, document_sentences = sentence_texts(summary), sentence_texts(document)
    embed = embed or LatentSemanticAnalysis.fit(document_sentences)
    return abs(coherence(summary_sentences, embed) - coherence(document_sentences, embed))


def coherence(sentences: Sequence[str], embed: Embed) -> float:
    """Return the mean cosine similarity of consecutive sentences, in [−1, 1].

    A zero vector has cosine 0 with any other. Fewer than two sentences have no consecutive pair;
    not stated in the paper, we return 0.
    """
    if len(sentences) < 2:
        return 0.0
    vectors = np.asarray(embed(sentences), dtype=np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(norms > 0, norms, 1.0)
    return float((units[:-1] * units[1:]).sum(axis=1).mean())


def cheapest_pairing(costs: Array) -> Places:
    """Return the column that each row is paired with, so that the sum of costs is smallest.

    Rows are added one by one, each along the cheapest augmenting path, with prices that keep all
    reduced costs at 0 or above (the Hungarian method with Dijkstra's search: Edmonds and Karp 1972,
    Tomizawa 1971), in O(n³).

    Args:
        costs: `[n, n]`, finite.
    """
    count = len(costs)
    row_prices, column_prices = np.zeros(count), np.zeros(count)
    row_of = np.full(count, -1)
    column_of = np.full(count, -1)
    for row in range(count):
        distances = np.full(count, np.inf)
        before = np.full(count, -1)
        reached = np.zeros(count, dtype=bool)
        current, distance, column = row, 0.0, -1
        while current >= 0:
            through = distance + costs[current] - row_prices[current] - column_prices
            nearer = ~reached & (through < distances)
            distances[nearer], before[nearer] = through[nearer], current
            column = int(np.where(reached, np.inf, distances).argmin())
            distance = distances[column]
            reached[column] = True
            current = int(row_of[column])
        row_prices[row] += distance
        paired = reached & (row_of >= 0)
        row_prices[row_of[paired]] += distance - distances[paired]
        column_prices[reached] -= distance - distances[reached]
        while column >= 0:
            exchanged = before[column]
            row_of[column] = exchanged
            column_of[exchanged], column = column, int(column_of[exchanged])
    return column_of
