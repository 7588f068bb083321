"""Numbers in words and digits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.tables.matching.spoken_numbers import (
    NUMBER,
    ORDINAL,
    ordinal_like,
    rank_of,
    value_of,
    written_like,
)


@given(st.integers(0, 99), st.sampled_from(["5", "five", "Five"]))
def test_written_numbers_can_be_read_back(value, like):
    assert value_of(written_like(value, like).lower()) == value


@given(st.integers(1, 200), st.sampled_from(["2nd", "second"]))
def test_ordinals_are_read_again(rank, like):
    word = re.sub(r"(\d)([a-z])", r"\1 \2", ordinal_like(rank, like))
    assert re.fullmatch(ORDINAL, word)
    assert rank_of(word) == rank


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("twenty - one", 21), ("forty five", 45), ("1,234", 1234), ("0.5", 0.5), ("a", 1)),
        *(("pair", 2), ("one hundred", 100), ("a hundred and three", 103)),
        ("one hundred twenty - one", 121),
    ],
)
def test_values(text, value):
    assert value_of(text) == value


def test_fractions_and_large_numbers_are_written_in_digits():
    assert [written_like(value, "five") for value in (4.5, 19, 20)] == [*("4.5", "nineteen", "20")]


@pytest.mark.parametrize("text", ["", "anyone", "twenty point"])
def test_other_words_are_no_numbers(text):
    assert not re.fullmatch(NUMBER, text)
    with pytest.raises(ValueError, match="not a number"):
        value_of(text)
