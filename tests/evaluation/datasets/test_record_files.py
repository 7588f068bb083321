import gzip
import json
import lzma
from itertools import islice
from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets.record_files import (
    csv_rows,
    first_folder,
    is_record_file,
    json_file,
    json_lines,
    no_split_file,
    records,
    require_split_file,
    split_file,
)


def test_lines_stream(tmp_path) -> None:
    path = tmp_path / "a.jsonl.gz"
    # The end is cut off, so whoever reads the whole file first fails before the first record.
    packed = gzip.compress((json.dumps({"text": "x" * 50}) + "\n").encode() * 20000)
    path.write_bytes(packed[:-20])
    assert len(list(islice(json_lines(path), 3))) == 3
    path.write_bytes(packed[:20] + bytes(99) + packed[119:])
    with pytest.raises(LongsumError, match="cannot be read"):
        list(json_lines(path))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.jsonl", '\n{"id": 1}\n\n[2]\n', r"Line 4 of .*a\.jsonl is not a JSON object"),
        ("a.json", "[1]", "does not contain a single JSON object"),
    ],
)
def test_a_record_that_is_not_an_object_is_reported(
    tmp_path, name: str, text: str, says: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(LongsumError, match=says):
        (json_file if name == "a.json" else lambda path: list(json_lines(path)))(tmp_path / name)


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_records_can_be_written_whatever_they_contain(tmp_path, name: str) -> None:
    rows = {"a.csv": "id,text\n1,a\n"}.get(name, '{"id": "1", "te\\udfffxt": ["a \\uD83d"]}\n')
    (tmp_path / name).write_text("\ufeff" + rows, encoding="utf-8")
    (found,) = records(tmp_path / name)
    assert found["id"] == "1"
    assert json.dumps(found, ensure_ascii=False).encode()


def test_a_damaged_file_is_a_plain_error(tmp_path) -> None:
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(b'{"id": 1}\n' * 1000)[:-30])
    with pytest.raises(LongsumError, match="cannot be read"):
        list(json_lines(path))
    with pytest.raises(LongsumError, match="is missing"):
        list(json_lines(tmp_path / "none.jsonl"))
    for name in ("none.parquet", "none.arrow", "a.parquet", "a.arrow"):
        (tmp_path / "a.parquet").write_bytes(b"no columns")
        (tmp_path / "a.arrow").write_bytes(b"no columns")
        with pytest.raises(LongsumError, match=rf"{name} cannot be read .*; check the file"):
            list(records(tmp_path / name))


def test_csv_keeps_lines_and_long_fields(tmp_path, write_csv) -> None:
    path = tmp_path / "a.csv"
    # The csv module alone refuses fields over 131,072 characters.
    write_csv(path, [{"id": "1", "text": "two\nlines, " + "x" * 200_000}])
    (row,) = csv_rows(path)
    assert row["text"].startswith("two\nlines, x")
    assert len(row["text"]) == 200_011


def test_split_file_prefers_patterns_in_order(tmp_path) -> None:
    (tmp_path / "dev.jsonl.xz").touch()
    assert split_file(tmp_path, "validation", "{split}.jsonl") == tmp_path / "dev.jsonl.xz"
    (tmp_path / "val.txt").touch()
    assert split_file(tmp_path, "validation", "{split}.txt", "{split}.jsonl") == (
        tmp_path / "val.txt"
    )
    assert split_file(tmp_path, "test", "{split}.txt") is None
    assert require_split_file(tmp_path, "validation", "{split}.txt") == tmp_path / "val.txt"
    with pytest.raises(LongsumError) as refused:
        require_split_file(tmp_path, "test", "{split}.txt", "{split}.jsonl")
    assert str(refused.value) == (
        f"{tmp_path} has no files of the split 'test': put test.txt there, or give the folder that "
        "contains them as --root."
    )
    assert "put test.txt or test.csv there" in str(
        no_split_file(tmp_path, "test", "{split}.txt", "{split}.csv")
    )


def test_the_first_folder_there_is_counts(tmp_path) -> None:
    assert first_folder(tmp_path, "a", "b") == tmp_path
    (tmp_path / "a").touch()
    for name in ("c", "b"):
        (tmp_path / name).mkdir()
        assert first_folder(tmp_path, "a", "b", "c") == tmp_path / name


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "json", "csv", "tsv", "parquet", "arrow"])
def test_record_files_are_recognized_by_their_names(ending: str) -> None:
    for packed in ("", ".gz", ".xz"):
        assert is_record_file(Path(f"a.{ending}{packed}"))
    assert not is_record_file(Path(f"{ending}.txt"))
    assert not is_record_file(Path(f"a.{ending}.zip"))
