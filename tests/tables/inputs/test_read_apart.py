"""Untrusted tables are read in a process that can do nothing else."""

import gzip
from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers.isolation import reading_process
from longsum.documents.readers.limits import ReadLimits
from longsum.tables.inputs.read import read_table, read_table_apart

PLANETS = Path(__file__).parents[3] / "examples" / "tables" / "planets.csv"


def test_a_table_is_the_same_as_if_it_were_read_here(tmp_path: Path) -> None:
    packed = tmp_path / "original"
    packed.write_bytes(gzip.compress(PLANETS.read_bytes()))
    here, warnings = read_table(PLANETS)
    there, told = read_table_apart(packed, PLANETS.name, limits=ReadLimits())
    assert there == here
    assert told == warnings
    assert there.records[0] == here.records[0]


def test_a_file_that_is_not_a_table_is_refused_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "original"
    for text, limits, said in (
        ("  ", ReadLimits(), "is empty"),
        (PLANETS.read_text(), ReadLimits(characters=10), "characters"),
        ('{"a": 1}', ReadLimits(), "table"),
    ):
        file.write_text(text)
        with pytest.raises(LongsumError, match=said):
            read_table_apart(file, "table.csv", limits=limits)


def test_the_answer_of_a_process_that_was_taken_over_is_no_table(monkeypatch) -> None:
    monkeypatch.setattr(reading_process._SERVER, "ask", lambda *_: b'D[{"records": 3}, []]')
    with pytest.raises(LongsumError, match="its answer is damaged"):
        read_table_apart(PLANETS, PLANETS.name, limits=ReadLimits())
