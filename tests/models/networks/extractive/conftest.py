from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    EtcConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import ExtractiveModel, Units, join

Model = TypeVar("Model", bound=torch.nn.Module)
MakeHibert = Callable[[SentenceEncoderConfig], Hibert]

VOCABULARY = 29
SMALL_ETC = EtcConfig(
    vocabulary=30,
    size=16,
    layers=2,
    heads=2,
    feed_forward=24,
    long_tokens=80,
    global_tokens=24,
    summary_tokens=20,
    summary_sentences=4,
    radius=3,
    relative=2,
    dropout=0.0,
)


def score(model: ExtractiveModel, units: Units, plans: torch.Tensor) -> torch.Tensor:
    return model.logits(model.read(units), plans)


@dataclass
class Text:
    tokens: NDArray[np.int32]
    ends: NDArray[np.int64]
    headings: NDArray[np.int32]
    places: NDArray[np.int32]


def text_of(lengths: Any, generator: np.random.Generator, headings: Any, first: int = 2) -> Text:
    """Make a document of texts of these lengths, of random tokens from `first` on."""
    return Text(
        tokens=generator.integers(first, VOCABULARY, sum(lengths)).astype(np.int32),
        ends=np.cumsum(lengths),
        headings=headings,
        places=generator.integers(0, 3, (len(headings), 2)).astype(np.int32),
    )


def _document(sentences: int, seed: int, longest: int) -> Text:
    """A document whose first half stands under a heading, which is its last text."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(2, longest + 1, sentences + 1)
    headings = np.where(np.arange(sentences) < (sentences + 1) // 2, sentences, -1)
    return text_of(lengths, generator, headings)


def units_of(*documents: list[int]) -> Units:
    """Join documents of sentences of these lengths, with special tokens below 4."""
    generator = np.random.default_rng(0)
    made = [text_of(each, generator, np.full(len(each), -1), 4) for each in documents]
    return join(made, pad=0)


def units(*counts: int, seeds: Sequence[int] | None = None, longest: int = 6) -> Units:
    """Join documents of the given numbers of sentences; number and seed determine a document."""
    each = zip(counts, seeds or range(len(counts)), strict=True)
    return join([_document(count, seed, longest) for count, seed in each], pad=1)


@pytest.fixture(scope="session")
def tiny() -> SentenceEncoderConfig:
    return SentenceEncoderConfig(
        vocabulary=VOCABULARY, size=8, layers=2, heads=2, feed_forward=12, positions=24
    )


def randomised(make: Callable[[], Model]) -> Model:
    """Make a model whose every weight, bias and norm has a value that shows when it is left out."""
    torch.manual_seed(0)
    model = make()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.3)
    return model.eval()


def hibert(*, stepwise: bool = True, representation: str = "first", **settings: Any) -> MakeHibert:
    document = DocumentEncoderConfig(
        **{"layers": 3, "feed_forward": 12, "sentences": 9, "plan": 4, **settings}
    )
    return lambda tiny: Hibert(
        HibertConfig(stepwise, replace(tiny, representation=representation), document)
    )
