"""Splitting outliers leaves products unchanged, with finer rounding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.core.encoder.onnx_runtime.sentence_graph import Split, sample


def rounded(states: np.ndarray) -> np.ndarray:
    """Round to 8 bits, scaled by the largest value of each row."""
    steps = np.abs(states).max(axis=1, keepdims=True) / 127
    return np.round(states / steps) * steps


@given(arrays(np.float32, 9, elements=st.floats(0, 100, width=32)))
def test_a_feature_has_as_many_copies_as_it_is_divided_by(largest: np.ndarray) -> None:
    split = Split.of(largest)
    entries = np.bincount(split.again, minlength=9) + 1
    assert entries.tolist() == split.divisors.tolist()
    allowed = np.maximum(2 * np.median(largest), largest.max() / 16)
    if np.median(largest):
        assert (largest / split.divisors).max() <= allowed * (1 + 1e-5)


def test_the_product_is_the_same_and_its_rounding_finer() -> None:
    generator = np.random.default_rng(0)
    states = generator.normal(size=(50, 16)).astype(np.float32)
    states[:, 5] *= 20
    weight = generator.normal(size=(16, 8)).astype(np.float32)
    split = Split.of(np.abs(states).max(axis=0))
    assert set(split.again) == {5}
    assert len(Split.of(np.linspace(1, 1.9, 8, dtype=np.float32)).again) == 0  # none stands out
    divided = states / split.divisors
    longer = np.concatenate([divided, divided[:, split.again]], axis=1)
    higher = np.concatenate([weight, weight[split.again]])
    exact = states @ weight
    assert longer @ higher == pytest.approx(exact, abs=1e-4)
    error = np.abs(rounded(longer) @ higher - exact).mean()
    assert error < np.abs(rounded(states) @ weight - exact).mean() / 2


@pytest.mark.parametrize(("positions", "offset", "width"), [(512, 0, 32), (12, 2, 10)])
def test_the_sample_fits_the_model(positions: int, offset: int, width: int) -> None:
    config = SentenceEncoderConfig(50, 24, 2, 3, 40, positions=positions, position_offset=offset)
    tokens = sample(config)
    assert tokens.shape == (64, width)
    assert tokens.min() >= 0
    assert tokens.max() < 50
