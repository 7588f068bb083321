from pathlib import Path

import pytest

from longsum.evaluation.datasets import load

_BILL = {"text": "SECTION 1. SHORT TITLE.\n\nThis Act is short.", "summary": "Short.", "title": "A"}


@pytest.mark.parametrize(
    ("split", "file", "key"),
    [
        ("train", "us_train_data_final_OFFICIAL.jsonl", "bill_id"),
        ("us_train", "us_train_data_final_OFFICIAL.jsonl", "bill_id"),
        ("test", "us_test_data_final_OFFICIAL.jsonl", "bill_id"),
        ("ca_test", "ca_test_data_final_OFFICIAL.jsonl", "external_id"),
        ("us_test", "us_test.jsonl", "bill_id"),
        ("test", "test.jsonl", "bill_id"),
    ],
)
def test_bills(tmp_path: Path, write_lines, split: str, file: str, key: str) -> None:
    write_lines(tmp_path / file, [_BILL | {key: "110_hr37", "text_len": 40}])
    (example,) = load("billsum", split, root=tmp_path)
    assert example.id == "110_hr37"
    assert example.split == split.removeprefix("us_")
    assert example.document.title == "A"
    assert "This Act is short." in [sentence.text for sentence in example.document.sentences]
    assert example.references == ("Short.",)
    assert example.extra == {key: "110_hr37", "text_len": 40}


def test_bills_without_an_id_are_numbered(tmp_path: Path, write_lines) -> None:
    write_lines(tmp_path / "train.jsonl", [_BILL, _BILL])
    found = [example.id for example in load("billsum", "train", root=tmp_path)]
    assert found == ["train_0", "train_1"]
