import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.language.words import (
    content_terms,
    count_tokens,
    count_words,
    ngrams,
    placed_terms,
    terms,
)

_ASCII = st.text(alphabet=st.sampled_from("ab1.,'\"-()  \t\n\r\f\v"), max_size=80)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("e.g. a state-of-the-art model -- don't!", 6),
        ("これは日本語", 6),
        ("日本 and 中国", 5),
        ("안녕하세요 세계", 2),  # Hangul is written with spaces
        ("ภาษา", 1),  # words of about four characters
        ("แม่น้ำสายนี้มีต้นกำเนิด จากเนินเขา", 8),
        ("มี 3 ภาษา", 3),
        ("Привет, мир.", 2),
        ("😀 😀", 2),
        ("\U00020000\U00020001", 2),
    ],
)
def test_count_words(text: str, words: int) -> None:
    assert count_words(text) == words


@pytest.mark.skipif(shutil.which("wc") is None, reason="there is no wc")
@given(texts=st.lists(_ASCII, max_size=5))
@settings(max_examples=examples(25), derandomize=True)
def test_count_words_as_wc_does(texts: list[str]) -> None:
    text = "\n".join(texts)
    counted = subprocess.run(["wc", "-w"], input=text.encode(), capture_output=True, check=True)
    assert count_words(text) == int(counted.stdout)


@given(first=st.text(max_size=30), second=st.text(max_size=30))
@settings(max_examples=examples(200), derandomize=True)
def test_words_add_up_over_white_space(first: str, second: str) -> None:
    assert count_words(f"{first} {second}") == count_words(first) + count_words(second)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat's hat.", ["the", "cat's", "hat"]),
        ("Don’t, DON'T", ["don't", "don't"]),
        ("state-of-the-art -- e-mail - x", ["state-of-the-art", "e-mail", "x"]),
        ("snake_case 3.5 covid-19", ["snake", "case", "3", "5", "covid-19"]),
        ("日本x語", ["日", "本", "x", "語"]),
        ("naïve Straße", ["naïve", "straße"]),
        ("'quoted' -dash-", ["quoted", "dash"]),
        ("... !? \u200b", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_terms_with_their_places_tokens_and_runs_of_them() -> None:
    text = "Don’t x_日本-y."
    places = [(0, 5, "don't"), (6, 7, "x"), (8, 9, "日"), (9, 10, "本"), (11, 12, "y")]
    assert [*placed_terms(text)] == places
    assert count_tokens(text) == len([*places, "_", "-", "."])
    assert [*ngrams(["a", "b", "c"], 2)] == [("a", "b"), ("b", "c")]


@given(text=st.text(max_size=80))
@settings(max_examples=examples(300), derandomize=True)
def test_a_term_is_itself_a_term(text: str) -> None:
    for term in terms(text):
        assert terms(term) == [term]
        assert not any(character.isspace() or character == "_" for character in term)


def test_content_terms_leave_out_stop_words_letters_and_numbers() -> None:
    text = "The 5 a B 日 of 2019 x1 covid-19 and THE cats'"
    assert content_terms(text) == ["日", "x1", "covid-19", "cats"]
