"""PageRank of sentences by their similarity (MLS, §3, baseline A2; Mihalcea & Tarau 2004)."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from longsum.common.arrays import Array
from longsum.language.embeddings import TermMatrix
from longsum.language.sparse_rows import SparseRows


def centrality(sentences: Sequence[str]) -> Array:
    """Return the PageRank of sentences among each other, a distribution `[n]` without zeros.

    It is read-only, since the features of a document and the scores of its sentences share it.
    """
    return _centrality(tuple(sentences))


@lru_cache(maxsize=2)
def _centrality(sentences: tuple[str, ...]) -> Array:
    rows = TermMatrix(sentences).transform(sentences)
    ranks = page_rank(rows, np.full(len(sentences), 1 / len(sentences)))
    ranks.flags.writeable = False
    return ranks


def page_rank(
    rows: SparseRows, jump: Array, damping: float = 0.85, tolerance: float = 1e-9
) -> Array:
    """Return the PageRank of the complete graph whose weights are `rows @ rows.T`.

    The graph is never built: one step of the iteration is two sparse products, and the cost is
    linear in the text.

    Args:
        rows: `[sentences, terms]`, rows of length 1 or 0, no negative entry.
        jump: Where jumps go, a distribution over sentences.
        damping: Probability of following an edge.
        tolerance: When to stop.

    Returns:
        A distribution over sentences. An edge from a sentence to itself does not count; a sentence
        without edges jumps.
    """
    own = rows.squared_lengths()
    columns = rows.T
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
