import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.cli.assignments import parse_assignments
from longsum.common.errors import LongsumError

NAMES = st.text("abcxyz_", min_size=1)
VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


@given(st.dictionaries(NAMES, VALUES | st.lists(VALUES) | st.dictionaries(st.text(), VALUES)))
def test_json_values_come_back(settings):
    words = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    assert parse_assignments(words) == settings


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("16384", 16384), ("1e-4", 1e-4), ("0.1", 0.1), ("true", True), ("null", None)),
        *(("", None), ("tile", "tile"), ("[1, two]", [1, "two"])),
        *(("{kind: hepos, stride: 4}", {"kind": "hepos", "stride": 4}), ("a=b", "a=b"), ("-1", -1)),
    ],
)
def test_values(text, value):
    assert parse_assignments([f"key={text}"]) == {"key": value}


def test_dots_lead_into_tables():
    words = ["a.b=1", "a.c.d=2", "e=3", 'f={"g": 4}', "f.h=5"]
    assert parse_assignments(words) == {"a": {"b": 1, "c": {"d": 2}}, "e": 3, "f": {"g": 4, "h": 5}}


@pytest.mark.parametrize(
    "words",
    [
        ["data=pubmed", "data.limit=8"],
        ["data.limit=8", "data=pubmed"],
        ["data={names: pubmed}", "data.limit=8"],
        ["data.limit=8", "data={names: pubmed}"],
    ],
)
def test_a_table_and_its_entries_are_laid_together(words):
    found = parse_assignments(words, {"data": "names"})
    assert found == {"data": {"names": "pubmed", "limit": 8}}


def test_a_shorthand_is_for_one_table_and_for_words():
    assert parse_assignments(["data=pubmed", "a.data=x"], {"data": "names"}) == {
        "data": {"names": "pubmed"},
        "a": {"data": "x"},
    }
    assert parse_assignments(["data=7"], {"data": "names"}) == {"data": 7}
    with pytest.raises(LongsumError, match=r"'data\.names' is set twice"):
        parse_assignments(["data=pubmed", "data.names=arxiv"], {"data": "names"})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["key"], "'key' is not a setting; write key=value"),
        (["=1"], "'=1' is not a setting"),
        (["a..b=1"], "is not a setting"),
        (["a=1", "a=2"], "'a' is set twice"),
        (["a.b=1", "a=2"], "'a' is set twice"),
        (["a=1", "a.b=2"], "'a.b=2' contradicts 'a'"),
        (["a.b=1", 'a={"b": 2}'], "'a.b' is set twice"),
        (["a=[1"], "value of 'a=\\[1' cannot be read"),
    ],
)
def test_unreadable_assignments(words, message):
    with pytest.raises(LongsumError, match=message):
        parse_assignments(words)
