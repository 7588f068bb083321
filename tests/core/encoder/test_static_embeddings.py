"""Rough vectors: a fitted linear map of mean embeddings, and its file."""

import numpy as np
import pytest
from safetensors.numpy import save

from longsum.common.arrays import Ints
from longsum.common.errors import LongsumError
from longsum.core.encoder.encode_units import ROUGH_VECTORS, RoughVectors

SIZE, WORDS = 6, 40


@pytest.fixture
def table() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(WORDS, SIZE)).astype(np.float32)


@pytest.fixture
def texts() -> list[Ints]:
    random = np.random.default_rng(1)
    return [random.integers(0, WORDS, random.integers(1, 9)).astype(np.int32) for _ in range(200)]


def mapped(table: np.ndarray, texts: list[Ints], matrix: np.ndarray) -> np.ndarray:
    """Compute the definition, one text at a time."""
    means = [np.append(sum(table[token] for token in text) / len(text), 1) for text in texts]
    return np.array([mean @ matrix for mean in means])


def test_the_vector_of_a_text_is_the_mapped_mean_of_its_embeddings(table, texts) -> None:
    matrix = np.random.default_rng(2).normal(size=(SIZE + 1, SIZE)).astype(np.float32)
    found = RoughVectors(lambda: table, matrix)(texts)
    np.testing.assert_allclose(found, mapped(table, texts, matrix), rtol=1e-4, atol=1e-5)


def test_the_fitted_matrix_is_the_best_possible(table: np.ndarray, texts: list[Ints]) -> None:
    vectors = np.random.default_rng(3).normal(size=(len(texts), SIZE)).astype(np.float32)
    fitted = RoughVectors.fit(table, texts, vectors)
    best = np.square(fitted(texts) - vectors).sum()
    for seed in range(20):
        other = fitted.projection + np.random.default_rng(seed).normal(0, 0.02, (SIZE + 1, SIZE))
        assert np.square(mapped(table, texts, other) - vectors).sum() > best


def test_the_file_stores_half_precision(table, texts, tmp_path) -> None:
    assert RoughVectors.of(tmp_path, SIZE, lambda: table) is None
    matrix = np.random.default_rng(2).normal(size=(SIZE + 1, SIZE)).astype(np.float32)
    written = RoughVectors(lambda: table, matrix)
    assert written.write(tmp_path) == tmp_path / ROUGH_VECTORS
    read = RoughVectors.of(tmp_path, SIZE, lambda: table)
    np.testing.assert_allclose(read(texts), written(texts), atol=0.02)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no tensors", "is damaged"),
        (save({"other": np.zeros((SIZE + 1, SIZE), np.float16)}), "is damaged"),
        (save({"projection": np.zeros((SIZE, SIZE), np.float16)}), "does not fit the weights"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused(content, message, table, tmp_path) -> None:
    (tmp_path / ROUGH_VECTORS).write_bytes(content)
    with pytest.raises(LongsumError, match=f"{message}.*longsum export --skim"):
        RoughVectors.of(tmp_path, SIZE, lambda: table)
