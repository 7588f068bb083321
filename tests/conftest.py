"""Fixtures that several rooms share."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from longsum.documents import Document, DocumentBuilder

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def example_path() -> Path:
    return ROOT / "examples" / "crypto-mining.md"


@pytest.fixture(scope="session")
def example(example_path: Path) -> Document:
    from longsum.documents.readers import read

    return read(example_path)


@pytest.fixture(scope="session")
def small() -> Document:
    """Two sections, nine sentences on three subjects, one of them twice."""
    builder = DocumentBuilder()
    builder.heading(1, "Rivers")
    builder.paragraph(
        "The river carries water from the mountains to the sea every single year. "
        "Water from the river feeds the fields of the valley in dry summers. "
        "The river carries water from the mountains to the sea each single year. "
        "Fishermen of the valley sell river trout at the market."
    )
    builder.heading(2, "Floods")
    builder.paragraph(
        "Floods of the river damaged bridges and roads in the valley twice. "
        "Engineers built dams so that floods of the river do less damage."
    )
    builder.heading(1, "Railways")
    builder.paragraph(
        "The railway company runs trains through the valley to the coast. "
        "Trains carry passengers and coal along the railway. "
        "New bridges let the railway cross the river safely."
    )
    return builder.build("The valley")


@pytest.fixture(scope="session")
def tokenizer(example: Document) -> "PreTrainedTokenizerFast":
    """A byte-level tokenizer with marks of structure, trained on the example document."""
    from longsum.tasks.tokens import train_tokenizer

    return train_tokenizer([example.text], 600)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("LONGSUM_DATA"):
        return
    skip = pytest.mark.skip(reason="LONGSUM_DATA does not name the folder of the data sets")
    for item in items:
        if "data" in item.keywords:
            item.add_marker(skip)
