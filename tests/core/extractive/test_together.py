"""Documents encoded together get the same summaries as alone."""

from collections.abc import Sequence

import numpy as np
import pytest

import longsum
from longsum import load_system
from longsum.common.arrays import Ints
from longsum.core.encoder.encode_units import TextVectors
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.recursive.parts import RecursiveConfig
from longsum.core.recursive.summarizer import RecursiveSummarizer
from longsum.core.summaries import Budget

TEXTS = [
    "The river feeds the valley. Dams hold its water back in spring.",
    "A mill stood by the river for two centuries. Dams hold its water back in spring.",
    "The town has a market. Its bridge was built of stone in 1720. Carts cross it on Fridays.",
]


@pytest.fixture(scope="module")
def extractor() -> NeuralExtractor:
    system = load_system("stepwise")
    assert isinstance(system, NeuralExtractor)
    return system


class Counting:
    """Encodes texts as their length and first token, and records the size of each call."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, texts: Sequence[Ints]) -> np.ndarray:
        self.asked.append(len(texts))
        return np.array([[len(text), text[0]] for text in texts], dtype=np.float32)


def tokens(*values: int) -> Ints:
    return np.array(values, dtype=np.int32)


def test_equal_texts_are_encoded_once_and_known_ones_not_again():
    encode = Counting()
    vectors = TextVectors(encode, [tokens(1, 2), tokens(3), tokens(1, 2)])
    assert vectors([tokens(3), tokens(1, 2), tokens(3)]).tolist() == [[1, 3], [2, 1], [1, 3]]
    assert vectors([tokens(9, 9), tokens(3), tokens(8)]).tolist() == [[2, 9], [1, 3], [1, 8]]
    assert encode.asked == [2, 2]


def test_documents_summarized_together_get_the_same_summaries_as_alone(
    extractor: NeuralExtractor,
) -> None:
    for system in (extractor, "lead"):
        alone = [longsum.summarize(text, "1s", system).text for text in TEXTS]
        together = longsum.summarize_all(iter(TEXTS), "1s", system)
        assert [summary.text for summary in together] == alone


def test_a_divided_document_is_encoded_once(extractor, brief, monkeypatch) -> None:
    asked: list[int] = []
    encode = extractor.network.encode
    monkeypatch.setattr(
        extractor.network, "encode", lambda texts: asked.append(len(texts)) or encode(texts)
    )
    settings = RecursiveConfig("stepwise", "stepwise", undivided=90, part_words=200)
    divided = RecursiveSummarizer("divided", settings, extractor, extractor)
    summary = divided.summarize(brief, Budget.parse("60w"))
    assert len(summary.levels) == 1
    assert len(summary.levels[0].parts) > 3
    first, *later = asked
    assert first > 0.9 * len({sentence.text for sentence in brief.sentences})
    # Titles of parts are not always headings of the document.
    assert sum(later) <= len(summary.levels[0].parts)


def test_documents_are_read_in_groups_as_summaries_are_requested(extractor, monkeypatch) -> None:
    monkeypatch.setattr("longsum.core.library._TOGETHER", 100)
    taken: list[str] = []

    def documents():
        for text in TEXTS:
            taken.append(text)
            yield text

    summaries = longsum.summarize_all(documents(), "1s", extractor)
    assert taken == []
    next(summaries)
    assert taken == TEXTS[:2]
    assert len(list(summaries)) == 2


def test_an_error_takes_the_place_of_its_document(extractor: NeuralExtractor) -> None:
    found = list(longsum.summarize_all([TEXTS[0], "", b"\0\1", TEXTS[1]], "1s", extractor))
    kinds = [type(each).__name__ for each in found]
    assert kinds == ["Summary", "LongsumError", "LongsumError", "Summary"]
    assert "is empty" in str(found[1])


def test_wrong_options_are_reported_before_anything_is_read() -> None:
    with pytest.raises(TypeError, match="several documents"):
        longsum.summarize_all("a text", "1s")  # type: ignore[arg-type]
    with pytest.raises(longsum.LongsumError, match="no fill"):
        longsum.summarize_all(iter(()), fill="full")  # type: ignore[arg-type]
    with pytest.raises(longsum.LongsumError):
        longsum.summarize_all(iter(()), "-3w")
