"""Records, their numbers and their ranks."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.tables import Entity, RecordType, make_table
from longsum.tables.table import as_number

HIGH = RecordType("size", "size", ranked=True)
LOW = RecordType("time", "time", ranked=True, best="low")
ROWS = [Entity(name, "thing") for name in "abcde"]


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=5))
def test_a_rank_counts_the_better_values(values):
    table = make_table((row, HIGH, str(value)) for row, value in zip(ROWS, values, strict=False))
    for record, value in zip(table.records, values, strict=True):
        assert record.rank == 1 + sum(other > value for other in values)


def test_the_lowest_may_be_best_and_missing_values_have_no_rank():
    table = make_table([(ROWS[0], LOW, "9"), (ROWS[1], LOW, "8.5"), (ROWS[2], LOW, "N/A")])
    assert [record.rank for record in table.records] == [2, 1, None]
    assert [record.whole for record in table.records] == [9, 8, 0]
    assert len({table, replace(table)}) == 1


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("38", 38), ("-3", -3), ("−3", -3), ("1,234.5", 1234.5), ("45%", 45), ("$3.5", 3.5)),
        *((".5", 0.5), ("1e3", 1000), ("1,23", None), ("1e999", None), ("N/A", None)),
        *(("nan", None), ("9" * 5000, None), ("٣", None), ("", None)),
    ],
)
def test_numbers(text, number):
    assert as_number(text) == number


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ((ROWS[0], HIGH, "2"), "two values of 'size' for 'a'"),
        ((Entity("a", "other"), LOW, "2"), "has 'a' twice"),
    ],
)
def test_repeated_records_are_refused(second, says):
    with pytest.raises(LongsumError, match=says):
        make_table([(ROWS[0], HIGH, "1"), second])
