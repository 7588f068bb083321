"""Tables of ratings: what is read, and what is refused."""

from importlib import import_module

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.metrics.agreement import parse_ratings


def test_a_table_is_read() -> None:
    text = 'unit,ann,ben\n"a, or b",1,2\n\nc, ,good\n'
    assert parse_ratings(text, "x.csv") == [["1", "2"], [None, "good"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no ratings"),
        ("unit,ann,ben\n", "has no ratings"),
        ("unit,ann\na,1\n", "has no ratings"),
        ("unit,ann,ben\na,1\n", "line of 'a' in 'x.csv' has 2 cells and the first line 3"),
        ('unit,ann,ben\na,"1,2\n', "no CSV file"),
    ],
)
def test_other_tables_are_refused(text: str, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        parse_ratings(text, "x.csv")


def test_long_tables_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # In its package the name of the module is the function's.
    module = import_module("longsum.evaluation.metrics.agreement")
    monkeypatch.setattr(module, "MOST_CHARACTERS", 9)
    with pytest.raises(LongsumError, match="more than 9 characters"):
        parse_ratings("u,a,b\na,1,1\n", "x.csv")
