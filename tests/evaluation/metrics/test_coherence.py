"""Coherence: by hand with a given encoder, and with the default one."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from longsum.evaluation.metrics import coherence, coherence_difference

VECTORS = {"One.": [2.0, 0.0], "Two.": [0.0, 3.0], "Three.": [1.0, 1.0], "Zero.": [0.0, 0.0]}


def embed(sentences: Sequence[str]) -> NDArray[np.float64]:
    return np.array([VECTORS[sentence] for sentence in sentences])


def test_by_hand() -> None:
    # cos(One, Two) = 0, cos(Two, Three) = 1/√2
    assert coherence(["One.", "Two.", "Three."], embed) == pytest.approx(0.5 / np.sqrt(2))


def test_a_zero_vector_is_alike_to_none() -> None:
    assert coherence(["One.", "Zero.", "One."], embed) == 0


@pytest.mark.parametrize("sentences", [[], ["One."]])
def test_no_pair_gives_zero(sentences: list[str]) -> None:
    assert coherence(sentences, embed) == 0


def test_the_difference_has_no_sign() -> None:
    # 0 against 1
    assert coherence_difference("One. Two.", "One. One.", embed) == pytest.approx(1.0)
    assert coherence_difference("One. One.", "One. Two.", embed) == pytest.approx(1.0)


def test_the_default_encoder_is_fitted_to_the_document() -> None:
    document = "Whales swim in oceans. Oceans feed whales. Taxes fund budgets. Budgets need taxes."
    assert coherence_difference(document, document) == 0
    alternating = "Whales swim in oceans. Taxes fund budgets. Oceans feed whales."
    assert coherence_difference(alternating, document) > 0.1


@pytest.mark.parametrize(
    ("summary", "document"), [("", "A cat sat."), ("A cat sat.", ""), ("", "")]
)
def test_empty_sides_are_defined(summary: str, document: str) -> None:
    assert coherence_difference(summary, document) == 0
