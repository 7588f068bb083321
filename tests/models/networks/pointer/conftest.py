"""A tiny network with weights wide enough that its distributions differ."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from longsum.models.networks.pointer import LongsumPointerConfig, LongsumPointerGenerator

SIZES: dict[str, Any] = {
    "vocab_size": 12,
    "embedding_size": 6,
    "hidden_size": 5,
    "lstm_init": 0.5,
    "init_std": 0.5,
    "max_target_tokens": 8,
    "min_target_tokens": 2,
}


@pytest.fixture
def make_pointer() -> Callable[..., LongsumPointerGenerator]:
    def make(**changes: Any) -> LongsumPointerGenerator:
        torch.manual_seed(0)
        return LongsumPointerGenerator(LongsumPointerConfig(**{**SIZES, **changes})).eval()

    return make
