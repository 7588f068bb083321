"""Weighted PageRank over sentence similarity (MLS, §3, baseline A2; Mihalcea & Tarau 2004)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from longsum.language.embeddings import TermMatrix
from longsum.systems.extractive.selection import Array, FixedRanking
from longsum.systems.extractive.summarizer import (
    ExtractiveSummarizer,
    Ranked,
    Request,
    unlike_focus,
)


@dataclass(frozen=True, slots=True)
class GraphConfig:
    """Settings of the system `graph`.

    Attributes:
        damping: Probability of following an edge rather than jumping; less than 1, or the ranks
            need not come to rest.
        tolerance: Iteration ends when the ranks together move less than this; not below what
            rounding moves them by.
    """

    damping: Annotated[float, Field(ge=0, lt=1)] = 0.85
    tolerance: Annotated[float, Field(ge=1e-12)] = 1e-9


class Graph(ExtractiveSummarizer):
    """Sentences are the nodes of a complete graph, weighted by TF–IDF cosine; PageRank orders them.

    The graph is never built: with rows X of length 1 the weights are X Xᵀ, so that one step of the
    iteration is two sparse products, and the cost is linear in the text. A focus makes the jumps
    go to sentences in proportion to their cosine with it (topic-sensitive PageRank).
    """

    takes_focus = True

    def __init__(self, name: str, config: GraphConfig) -> None:
        super().__init__(name, config)
        self._config = config

    def rank(self, request: Request) -> Ranked:
        """Run PageRank."""
        sentences = [sentence.text for sentence in request.document.sentences]
        terms = TermMatrix(sentences)
        rows = terms.transform(sentences)
        jump = np.full(len(sentences), 1 / len(sentences))
        warnings: tuple[str, ...] = ()
        if request.focus is not None:
            likeness = np.asarray((rows @ terms.transform([request.focus]).T).todense()).ravel()
            if likeness.any():
                jump = likeness / likeness.sum()
            else:
                warnings = (unlike_focus(request.focus),)
        ranks = page_rank(rows, jump, self._config.damping, self._config.tolerance)
        return Ranked(FixedRanking(ranks, "centrality"), warnings=warnings)


def centrality(sentences: Sequence[str]) -> Array:
    """Return the PageRank of sentences among each other, a distribution `[n]` without zeros."""
    rows = TermMatrix(sentences).transform(sentences)
    return page_rank(rows, np.full(len(sentences), 1 / len(sentences)))


def page_rank(rows: Any, jump: Array, damping: float = 0.85, tolerance: float = 1e-9) -> Array:
    """Return the PageRank of the complete graph whose weights are `rows @ rows.T`.

    Args:
        rows: Sparse `[sentences, terms]`, rows of length 1 or 0, no negative entry.
        jump: Where jumps go, a distribution over sentences.
        damping: Probability of following an edge.
        tolerance: When to stop.

    Returns:
        A distribution over sentences. An edge from a sentence to itself does not count; a sentence
        without edges jumps.
    """
    own = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    columns = rows.T.tocsr()
    strength = rows @ (columns @ np.ones(rows.shape[0])) - own
    linked = strength > 1e-12
    ranks: Array = jump.copy()
    while True:
        outflow = np.where(linked, ranks / np.where(linked, strength, 1.0), 0.0)
        received = rows @ (columns @ outflow) - own * outflow
        stranded = ranks[~linked].sum()
        following: Array = damping * (received + stranded * jump) + (1 - damping) * jump
        following /= following.sum()
        if np.abs(following - ranks).sum() < tolerance:
            return following
        ranks = following
