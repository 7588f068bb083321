"""Representativeness: divergence of a summary's topics from its document's (MLS, §3 B, Table 3)."""

from functools import lru_cache

import numpy as np

from longsum.evaluation.metrics.assignment import cheapest_pairing
from longsum.evaluation.metrics.divergence import Array, divergences
from longsum.language.sentences import sentence_texts
from longsum.language.topics import TopicModel, fit_topics
from longsum.language.words import content_terms

TOPICS = 3


def topic_divergence(summary: str, document: str, *, topics: int = TOPICS, seed: int = 0) -> float:
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
    known = _document_topics(document, topics, seed)
    found = fit_topics(_passages(summary), topics=topics, vocabulary=known.vocabulary, seed=seed)
    return min_mean_cost(divergences(known.word_given_topic, found.word_given_topic))


def min_mean_cost(costs: Array) -> float:
    """Return the mean cost of the best one-to-one pairing of rows with columns."""
    return float(costs[np.arange(len(costs)), cheapest_pairing(costs)].mean())


@lru_cache(maxsize=1)
def _document_topics(document: str, topics: int, seed: int) -> TopicModel:
    """Fit a document's topics, cached since its summaries are scored one after the other."""
    return fit_topics(_passages(document), topics=topics, seed=seed)


def _passages(text: str) -> list[list[str]]:
    return [content_terms(sentence) for sentence in sentence_texts(text)]
