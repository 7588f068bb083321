"""Embeddings, and singular vectors equal to scikit-learn's and to the exact decomposition's."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.extmath import randomized_svd

from effort import examples
from longsum.language.embeddings import LatentSemanticAnalysis, TermMatrix, leading_singular_vectors
from longsum.language.sparse_rows import SparseRows

_SENTENCES = [
    "The cell membrane holds many proteins.",
    "Many proteins are held by the cell membrane.",
    "Enzymes and proteins work within the cell.",
    "The court heard the appeal of the company.",
    "The judge of the court refused the appeal.",
    "Fuel prices rose quickly over the winter.",
    "Winter fuel was dear, and prices stayed high.",
]


def test_term_matrix_by_hand() -> None:
    # Two sentences; dog is in both, cat and bird in one. Columns: dog, cat, bird.
    # Weights log(1 + 2/2) = log 2 and log(1 + 2/1) = log 3; cat twice counts 1 + log 2.
    dog, cat, bird = log(2), (1 + log(2)) * log(3), log(3)
    matrix = TermMatrix(["Cat cat dog.", "The dog, a bird!"]).transform(
        ["Cat cat dog.", "The dog, a bird!", "dog", "No fish"]
    )
    np.testing.assert_allclose(
        matrix @ np.eye(3),
        [
            [dog / sqrt(dog**2 + cat**2), cat / sqrt(dog**2 + cat**2), 0],
            [dog / sqrt(dog**2 + bird**2), 0, bird / sqrt(dog**2 + bird**2)],
            [1, 0, 0],
            [0, 0, 0],
        ],
    )


@pytest.mark.parametrize(
    ("sentences", "terms"), [([], 0), (["", "the of"], 0), (["word"], 1), (["word", "word"], 1)]
)
def test_term_matrix_of_little(sentences: list[str], terms: int) -> None:
    matrix = TermMatrix(sentences).transform(sentences)
    assert matrix.shape == (len(sentences), terms)


def test_near_duplicates_lie_close_and_unrelated_sentences_apart() -> None:
    embedded = LatentSemanticAnalysis.fit(_SENTENCES)(_SENTENCES)
    alike = embedded @ embedded.T
    assert alike[0, 1] > 0.9
    assert alike[3, 4] > alike[3, 0]
    assert alike[5, 6] > alike[5, 3]
    assert abs(alike[0, 3]) < 0.3
    assert abs(alike[0, 5]) < 0.3


def test_rows_have_length_one_or_none() -> None:
    model = LatentSemanticAnalysis.fit(_SENTENCES)
    embedded = model([*_SENTENCES, "Zebras!", "", "the of and"])
    assert embedded.shape == (10, 6)  # one direction less than there are sentences
    np.testing.assert_allclose(np.linalg.norm(embedded, axis=1), [1] * 7 + [0] * 3)


def test_dimensions_are_bounded() -> None:
    assert LatentSemanticAnalysis.fit(_SENTENCES, dimensions=2)(_SENTENCES).shape == (7, 2)
    many = [f"Metal{number} is a metal{number + 1}." for number in range(110)]
    assert LatentSemanticAnalysis.fit(many)(many).shape == (110, 100)


def test_repeated_sentences_add_no_direction() -> None:
    model = LatentSemanticAnalysis.fit([_SENTENCES[0]] * 3 + _SENTENCES[3:5])
    assert model(_SENTENCES).shape == (7, 3)


def test_a_single_sentence_is_like_itself_and_no_other() -> None:
    model = LatentSemanticAnalysis.fit(["Proteins fold quickly."])
    embedded = model(["Proteins fold quickly.", "Quickly proteins fold!", "Courts adjourn."])
    np.testing.assert_allclose(embedded @ embedded[0], [1, 1, 0])


@given(
    sentences=st.lists(
        st.lists(st.sampled_from(["cell", "gene", "the", "a", "日本"]), max_size=5),
        max_size=8,
    )
)
@settings(max_examples=examples(60), derandomize=True)
def test_any_text_embeds_in_finite_numbers(sentences: list[list[str]]) -> None:
    texts = [" ".join(words) for words in sentences]
    model = LatentSemanticAnalysis.fit(texts)
    embedded = model(texts)
    assert (len(embedded), len(model([]))) == (len(texts), 0)
    assert np.isfinite(embedded).all()
    lengths = np.linalg.norm(embedded, axis=1)
    assert all(length == pytest.approx(1) or length == 0 for length in lengths)


def sparse(rows: int, columns: int, filled: float = 0.2, seed: int = 0) -> np.ndarray:
    """Make a matrix with singular values that fall from 1 to 0.01."""
    random = np.random.default_rng(seed)
    dense = random.random((rows, columns)) * (random.random((rows, columns)) < filled)
    left, values, right = np.linalg.svd(dense, full_matrices=False)
    return left * np.geomspace(1, 0.01, len(values)) @ right


def of_rank(rank: int, rows: int, columns: int) -> np.ndarray:
    random = np.random.default_rng(rank)
    return random.normal(size=(rows, rank)) @ random.normal(size=(rank, columns))


MATRICES = {
    "tall": sparse(90, 40),
    "wide": sparse(40, 90),
    "rank 3": of_rank(3, 60, 50),
    "one row": sparse(1, 9, filled=1.0),
    "one column": sparse(9, 1, filled=1.0),
    "one number": np.array([[-2.0]]),
    "duplicates": np.repeat(sparse(15, 40), 3, axis=0),
    "rows and columns of zeros": np.pad(sparse(30, 20), ((0, 20), (5, 0))),
}


def same_span(one: np.ndarray, other: np.ndarray) -> None:
    np.testing.assert_allclose(one @ one.T, other @ other.T, atol=1e-6)


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("iterations", [2, 4])
def test_values_and_span_are_scikit_learns(name: str, iterations: int) -> None:
    dense = MATRICES[name]
    # A multiple singular value would leave it open which vectors span the first few.
    rank = min(12, int(np.linalg.matrix_rank(dense)))
    values, vectors = leading_singular_vectors(
        SparseRows.of(dense), rank, iterations=iterations, seed=5
    )
    _, expected, right = randomized_svd(
        dense, rank, n_iter=iterations, random_state=5, power_iteration_normalizer="QR"
    )
    assert vectors.shape == (dense.shape[1], rank)
    np.testing.assert_allclose(values, expected, atol=1e-6)
    same_span(vectors, right.T)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(rank), atol=1e-12)


@pytest.mark.parametrize("name", ["tall", "wide", "duplicates"])
def test_a_short_side_is_decomposed_exactly(name: str) -> None:
    dense = MATRICES[name][:20]
    values, vectors = leading_singular_vectors(SparseRows.of(dense), 12, iterations=2, seed=0)
    _, expected, right = np.linalg.svd(dense)
    np.testing.assert_allclose(values, expected[:12], atol=1e-12)
    distinct = expected[:12] > 1e-6
    same_span(vectors[:, distinct], right[:12][distinct].T)


def test_singular_values_beyond_the_rank_are_zero() -> None:
    values, vectors = leading_singular_vectors(
        SparseRows.of(MATRICES["rank 3"]), 8, iterations=4, seed=0
    )
    np.testing.assert_allclose(values[3:] / values[0], 0, atol=1e-12)
    np.testing.assert_allclose(MATRICES["rank 3"] @ vectors[:, 3:], 0, atol=1e-10)


def test_signs_and_bits_are_deterministic() -> None:
    matrix = SparseRows.of(MATRICES["wide"])
    first, second = (leading_singular_vectors(matrix, 10, iterations=4, seed=1) for _ in range(2))
    np.testing.assert_array_equal(first[1], second[1])
    other = leading_singular_vectors(matrix, 10, iterations=4, seed=2)[1]
    np.testing.assert_allclose(other, first[1], atol=1e-3)
    assert (np.abs(first[1]).max(axis=0) == first[1].max(axis=0)).all()
