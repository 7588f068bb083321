import os
from pathlib import Path

import pytest

from longsum.evaluation.datasets import Example, datasets, load
from longsum.evaluation.datasets.dataset_statistics import statistics
from longsum.evaluation.datasets.record_files import json_lines

pytestmark = [
    pytest.mark.data,
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("LONGSUM_DATA"), reason="LONGSUM_DATA is not set"),
]
_SHARED = [
    info
    for info in datasets()
    # The whole of Rotowire is a download of one's own.
    if info.variable == "LONGSUM_DATA" and info.kind == "text" and info.name != "rotowire"
]
_SPLITS = [(info.name, split) for info in _SHARED for split in info.splits]


@pytest.mark.parametrize(("name", "split"), _SPLITS)
def test_the_first_examples_parse(name: str, split: str) -> None:
    examples = list(load(name, split, limit=2))
    assert len(examples) == 2
    for example in examples:
        assert example.split == split
        assert example.license
        assert example.references
        assert all(text == text.strip() != "" for text in example.references)
        document = example.document
        assert document.sentences
        for sentence in document.sentences:
            assert document.text[sentence.start : sentence.end] == sentence.text


def test_every_shared_folder_is_in_the_catalogue() -> None:
    folders = {path.name for path in Path(os.environ["LONGSUM_DATA"]).iterdir() if path.is_dir()}
    # realsumm, summeval and neusum_sample100 share one folder.
    assert folders - {"cnndm_eval_samples"} <= {info.name for info in datasets()}


def test_sumpubmed_has_a_sentence_a_line() -> None:
    example, record = _first("sumpubmed")
    lines = [
        " ".join(line.split())
        for section in record["sections"]
        for paragraph in section["paragraphs"]
        if "\n" in paragraph.strip()
        for line in paragraph.splitlines()
        if line.strip()
    ]
    assert len(lines) > 20
    assert set(lines) <= {sentence.text for sentence in example.document.sentences}


def test_scisummnet_has_a_sentence_a_paragraph() -> None:
    example, record = _first("scisummnet")
    assert record["paragraph_unit"] == "sentence"
    paragraphs = [
        " ".join(paragraph.split())
        for section in record["sections"]
        for paragraph in section["paragraphs"]
    ]
    assert [sentence.text for sentence in example.document.sentences] == paragraphs


def _first(name: str) -> tuple[Example, dict]:
    path = Path(os.environ["LONGSUM_DATA"]) / name / "test.jsonl.xz"
    return next(load(name, "test")), next(json_lines(path))


def test_statistics_agree_with_those_measured_for_the_readme() -> None:
    # openstax_sections/README.md: 106 test documents, 2068 words (median 1882), summaries of 168,
    # 4.3 sections, to level 3; in 98 of them the first section only says the title again,
    # which makes no section and no level.
    found = statistics("openstax_sections", "test")
    assert found.documents == 106
    assert found.document_words_mean == pytest.approx(2068, rel=0.01)
    assert found.document_words_median == pytest.approx(1882, rel=0.01)
    assert found.summary_words_mean == pytest.approx(168, abs=1)
    assert found.sections_mean == pytest.approx(4.3 - 98 / 106, abs=0.1)
    assert found.deepest_level == 2
