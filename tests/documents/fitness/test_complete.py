import pytest

from longsum.documents.fitness.complete import has_verb, is_complete
from longsum.language.prose import ends_as_sentence


@pytest.mark.parametrize(
    "sentence",
    [
        *("This sentence has five words.", "Does this one ask you something?"),
        *('"This one is in quotes," he said.', "(This one is in round brackets.)"),
        *(
            "It rose by 5 percent in 2019.",
            "Größer wird es hier nicht mehr sein …",
            "這是一個很好的句子。",
        ),
        *("Word " * 79 + "end.", "He left."),
        *("(In May the river rose at last.) It fell in (wet) June.", "I agree."),
        *("Nobody knows why.", "The rule was changed twice. [12]"),
        *("The rule was changed twice.[3, 4]", "The rule was changed twice [1]_."),
        "The rule was changed twice.”12",
    ],
)
def test_complete_sentences(sentence: str) -> None:
    assert is_complete(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "Right, right.",
        "Yes sir.",
        "As what?",
        "Word " * 80 + "end.",  # 81 words
        "A caption that has no end",
        "An enumeration that goes on:",
        "and opens in lower case here.",
        "“and does so in quotes here.”",
        "I would like to call it --",
        "So it is always a {disfmarker}",
        "Features are simple and easily read off (e.g.",
        "1 2 3 4 5 6 7 8.",
        "x = a + b * (c - 1) / 2.",
        "... ... ... ... ... .",
    ],
)
def test_fragments(sentence: str) -> None:
    assert not is_complete(sentence)


def test_a_text_in_lower_case_may_open_so() -> None:
    assert is_complete("this corpus is all in lower case .", lower=True)
    assert not is_complete("this corpus is all in lower case .")


def test_a_share_of_seventy_per_cent_letters_is_enough_without_a_verb() -> None:
    # 14 letters of 20 characters shown; with one digit more, 14 of 21.
    assert is_complete("Abcd efgh ijkl mn 12345.")
    assert not is_complete("Abcd efgh ijkl mn 123456.")
    assert is_complete("There were 12 or 1345.")


def test_short_sentences_of_other_languages_need_no_english_verb() -> None:
    assert is_complete("Es regnet.", english=False)
    assert not is_complete("Es regnet.", english=True)


@pytest.mark.parametrize("text", ["It’s.", "Rain fell.", "They vanished.", "I Zorgon you."])
def test_verbs_are_known_or_follow_a_subject(text: str) -> None:
    assert has_verb(text)


@pytest.mark.parametrize("text", ["Mr. Smith.", "Red", "Overview of Systems", "A seed"])
def test_no_verb(text: str) -> None:
    assert not has_verb(text)


def test_a_long_number_after_a_stop_is_no_mark_of_a_note() -> None:
    assert not ends_as_sentence("It fell." + "1234" * 1000)
    assert ends_as_sentence("It fell.12")
