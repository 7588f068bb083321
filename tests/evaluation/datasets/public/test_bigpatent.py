from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load


def _patent(number: str) -> dict:
    return {
        "publication_number": number,
        "application_number": "US-1",
        "abstract": "A device.",
        "description": "BACKGROUND OF THE INVENTION\nDevices exist. They fail.\nDETAILS\nMore.",
    }


def test_patents_by_class_and_file(tmp_path: Path, write_lines) -> None:
    split = tmp_path / "bigPatentData/val"
    write_lines(split / "h/data_0.gz", [_patent("US-3")])
    write_lines(split / "a/data_1.gz", [_patent("US-2")])
    write_lines(split / "a/data_0.gz", [_patent("US-1")])
    examples = list(load("bigpatent", "validation", root=tmp_path))
    assert [(example.id, example.extra["class"]) for example in examples] == [
        ("US-1", "a"),
        ("US-2", "a"),
        ("US-3", "h"),
    ]
    first = examples[0]
    assert first.references == ("A device.",)
    assert [section.title for section in first.document.walk()] == [
        "BACKGROUND OF THE INVENTION",
        "DETAILS",
    ]
    assert [sentence.text for sentence in first.document.sentences] == [
        "Devices exist.",
        "They fail.",
        "More.",
    ]
    assert first.extra == {"application_number": "US-1", "class": "a"}


def test_a_missing_split_is_named(tmp_path: Path) -> None:
    with pytest.raises(LongsumError, match="put test/<class>"):
        next(load("bigpatent", "test", root=tmp_path))
