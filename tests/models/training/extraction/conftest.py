from typing import Any

import pytest

from longsum.evaluation.datasets import Example
from longsum.models.tasks.extraction.histories import HistoryConfig
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit, make_examples
from longsum.models.training.extraction.extraction_settings import ExtractorSettings

MODELS: dict[str, dict[str, Any]] = {
    "hibert": {
        "sentence_encoder": {"layers": 1},
        "document_encoder": {
            "layers": 2,
            "feed_forward": 24,
            "summary_layers": 1,
            "positions": "places",
            "headings": True,
        },
    },
    "etc": {
        "layers": 1,
        "radius": 8,
        "relative": 4,
        "long_tokens": 1200,
        "summary_tokens": 200,
        "summary_sentences": 8,
        "dropout": 0.0,
    },
    "flat": {},
}


@pytest.fixture(scope="session")
def examples(small, example) -> list[Example]:
    texts = [
        (small, "Floods of the river damaged bridges.\nTrains carry coal and passengers."),
        (example, "Miners of coins use much electricity. Laws on mining differ between states."),
        (small, "Fishermen sell trout at the market."),
        # No sentence has a word of it, and the best plan is none.
        (small, "Zebras."),
    ]
    return [Example("x", document, (text,), "train", "cc0", {}) for document, text in texts]


@pytest.fixture(scope="session")
def split(examples: list[Example], pieces) -> ExtractionSplit:
    config = HistoryConfig(steps=5, strays=2, stray_rate=0.5, candidates=6)
    return ExtractionSplit.of(make_examples(examples, pieces, 24, config))


def toy(architecture: Any, model: dict[str, Any] | None = None, **others: Any) -> Any:
    """Make settings of a model of the given architecture that learns in a moment."""
    sizes = {**MODELS[architecture], **(model or {})}
    return ExtractorSettings(architecture=architecture, model=sizes, **others)
