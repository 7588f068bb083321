import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum import LongsumError, load_system
from longsum.language.centrality import page_rank
from longsum.language.sparse_rows import SparseRows


def dense_page_rank(rows, jump, damping):
    """The definition: the complete graph written out, its stationary distribution solved for."""
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


@pytest.mark.parametrize("settings", [{"damping": 1.0}, {"damping": -0.1}, {"tolerance": 0.0}])
def test_ranks_that_might_never_come_to_rest_are_refused(settings):
    """With a damping of 1, those of a star go to and fro for ever."""
    (name,) = settings
    with pytest.raises(LongsumError, match=name):
        load_system("graph", **settings)
