"""The centrality of sentences equals PageRank by its definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from longsum.language.centrality import centrality, page_rank
from longsum.language.embeddings import TermMatrix
from longsum.language.sparse_rows import SparseRows


def dense_page_rank(rows, jump, damping):
    """Compute the definition: the stationary distribution of the complete graph."""
    weights = rows @ rows.T
    np.fill_diagonal(weights, 0)
    strength = weights.sum(axis=1)
    n = len(rows)
    transition = np.tile(jump, (n, 1))
    linked = strength > 1e-12
    transition[linked] = weights[linked] / strength[linked, None]
    follow = damping * transition + (1 - damping) * jump
    system = np.vstack([follow.T - np.eye(n), np.ones(n)])
    return np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0]


@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 6))
def test_never_building_the_graph_changes_nothing(seed, sentences, terms):
    generator = np.random.default_rng(seed)
    rows = generator.random((sentences, terms)) * (generator.random((sentences, terms)) < 0.6)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    jump = generator.random(sentences)
    jump /= jump.sum()
    ranks = page_rank(SparseRows.of(rows), jump, damping=0.85, tolerance=1e-12)
    np.testing.assert_allclose(ranks, dense_page_rank(rows, jump, 0.85), atol=1e-8)


def test_sentences_that_share_words_are_central_and_the_rest_is_alike() -> None:
    texts = ["Rivers carry water.", "Water of rivers floods fields.", "Fields dry.", "Coal burns."]
    found = centrality(texts)
    rows = TermMatrix(texts).transform(texts)
    rows = rows @ np.eye(rows.shape[1])
    np.testing.assert_allclose(found, dense_page_rank(rows, np.full(4, 0.25), 0.85), atol=1e-8)
    assert not found.flags.writeable
