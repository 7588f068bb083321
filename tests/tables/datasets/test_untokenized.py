"""Tokenized text as it is printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.tables.datasets.games import untokenized


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("The Celtics ( 32 - 18 ) won , 113 - 107 .", "The Celtics (32-18) won, 113-107."),
        ("Thomas 's double - double was n't enough", "Thomas's double-double wasn't enough"),
        ("The Lakers ' bench shot 8 - of - 15", "The Lakers' bench shot 8-of-15"),
        ("He was `` on fire '' ; they lost", 'He was "on fire"; they lost'),
        ("It 's Larry Nance Jr .", "It's Larry Nance Jr."),
        ("Already printed (32-18), Thomas's.", "Already printed (32-18), Thomas's."),
    ],
)
def test_marks_and_words_join_as_in_print(tokens: str, text: str) -> None:
    assert untokenized(tokens) == text


@given(st.text("ab1 .,'-()\"\n", max_size=40))
def test_only_spaces_are_removed(text: str) -> None:
    assert untokenized(text).replace(" ", "") == text.replace("''", '"').replace(" ", "").replace(
        "\n", ""
    )


@given(st.text("ab1 .,'-()", max_size=40))
def test_untokenizing_twice_changes_nothing(text: str) -> None:
    once = untokenized(text)
    assert untokenized(untokenized(once)) == untokenized(once)
