from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.language.embeddings import LatentSemanticAnalysis, TermMatrix

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
