import pytest

from longsum.language.prose import are_prose

_OTHERS = ["A plain sentence stands here.", "Another plain sentence stands here."]


@pytest.mark.parametrize(
    "sentence",
    [
        "This sentence has five words.",
        "Does this one ask you something?",
        '"This one is in quotes," he said.',
        "(This one is in round brackets.)",
        "It rose by 5 percent in 2019.",
        "Größer wird es hier nicht mehr sein …",
        "這是一個很好的句子。",
        "Word " * 49 + "end.",
    ],
)
def test_prose(sentence: str) -> None:
    assert are_prose([sentence, *_OTHERS])[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "Only four words here.",
        "Word " * 50 + "end.",  # 51 words
        "A caption that has no end",
        "An enumeration that goes on:",
        "and opens in lower case here.",
        "“and does so in quotes here.”",
        "1 2 3 4 5 6 7 8.",
        "x = a + b * (c - 1) / 2.",
        "... ... ... ... ... .",
    ],
)
def test_no_prose(sentence: str) -> None:
    assert not are_prose([sentence, *_OTHERS])[0]


def test_a_text_in_lower_case_may_open_so() -> None:
    lower = ["this corpus is all in lower case .", "and so is this sentence of it ."]
    assert are_prose(lower) == [True, True]
    assert are_prose([*lower, *_OTHERS]) == [False, False, True, True]


def test_a_share_of_seventy_per_cent_letters_is_enough() -> None:
    # 14 letters of 20 characters shown; with one digit more, 14 of 21.
    assert are_prose(["Abcd efgh ijkl mn 12345."])[0]
    assert not are_prose(["Abcd efgh ijkl mn 123456."])[0]


def test_one_answer_a_sentence() -> None:
    assert are_prose([]) == []
    assert len(are_prose(["a", "b", "c"])) == 3
