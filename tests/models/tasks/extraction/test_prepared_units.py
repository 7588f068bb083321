import numpy as np
import pytest

from longsum.common.errors import LongsumError
from longsum.documents import Document, DocumentBuilder
from longsum.evaluation.datasets import Example
from longsum.models.tasks.extraction.histories import HistoryConfig
from longsum.models.tasks.extraction.prepared_units import (
    ExtractionExample,
    ExtractionSplit,
    make_examples,
)


def an_example(document: Document, *references: str) -> Example:
    return Example("x", document, references, "train", "cc0", {})


@pytest.fixture(scope="module")
def lessons(small: Document, example: Document, pieces) -> list[ExtractionExample]:
    examples = [
        an_example(small, "Floods damaged bridges. Engineers built dams."),
        an_example(example, "Mining of coins takes power."),
        an_example(small, "Trains carry coal along the railway.", "Trout at the market."),
    ]
    return list(make_examples(examples, pieces, 64, HistoryConfig(steps=4)))


def test_a_saved_split_is_loaded_unchanged(lessons: list[ExtractionExample], tmp_path) -> None:
    split = ExtractionSplit.of(lessons)
    split.save(tmp_path / "split.npz")
    loaded = ExtractionSplit.load(tmp_path / "split.npz")
    assert len(loaded) == len(lessons)
    assert loaded.lengths() == [len(lesson.document.tokens) for lesson in lessons]
    for place, lesson in enumerate(lessons):
        found = loaded[place]
        for part in ("tokens", "ends", "headings", "places"):
            assert np.array_equal(getattr(found.document, part), getattr(lesson.document, part))
        for part in ("plans", "lengths", "candidates"):
            assert np.array_equal(getattr(found.histories, part), getattr(lesson.histories, part))
        assert found.histories.gains == pytest.approx(lesson.histories.gains, abs=1e-3)


def test_documents_with_nothing_to_learn_are_left_out(small: Document, pieces) -> None:
    empty = DocumentBuilder().build("Nothing")
    found = make_examples([an_example(empty, "A"), an_example(small)], pieces, 64, HistoryConfig())
    with pytest.raises(LongsumError, match="nothing to learn"):
        ExtractionSplit.of(found)
