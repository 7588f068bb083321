import pytest

from longsum.documents.fitness.complete import (
    has_verb,
    is_complete,
    is_of_programs,
    is_phrase,
    lacks_subject,
    names_code,
)
from longsum.language.sentences import ends_as_sentence

YES = {
    is_complete: [
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
        "Rain on the dry lakes.",
        f"{8 * 'River '}rose again --{39 * '.'}",
        "It rose at 1) and fell at 2) again.",
        "नदी फिर से बढ़ गई।",
    ],
    has_verb: ["It’s.", "Rain fell.", "They vanished.", "I Zorgon you.", "A seven-banded one."],
    lacks_subject: [
        "Returns gauge_ok if the river could be measured.",
        "Renames an existing file within the branch.",
        "Specifies whether old values are kept.",
        "Performs final processing.",
    ],
    is_phrase: [
        "The size of a digest, i.e. 28.",
        "Initialize the state.",
        "Get a list of supported gauges.",
        "Called when the file ends.",
        "Opaque datatype that is passed to a callback function.",
        "Set a handler that receives declarations of rivers, once the parser finds any.",
        "Useful for some special constructions, in particular levels.",
        f"Size of rain{18 * ' of rain'} of.",
    ],
    names_code: ["gauge_open()", "2.1 gauge_open", "--force", "readLevel, readAll", 160 * "a"],
}
NO = {
    is_complete: [
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
        "Rain on the lakes.",
        f"{8 * 'River '}rose again --{38 * '.'}",
    ],
    has_verb: ["Mr. Smith.", "Red", "Overview of Systems", "A seed"],
    lacks_subject: [
        *("Sets are immutable.", "Calls of the function are counted.", "This is the river."),
        *("As the river rises, the gauge moves.", "Process the file."),
        *("Besides the Rhine, the Main rose.", "Bytes are read.", "Gauges measure the river."),
    ],
    is_phrase: [
        *("The gauge measures the level of the river.", "The functions return a level."),
        *("A river corresponds to a gauge.", "The value that you pass will be used."),
        *("If a river freezes, call gauge_thaw().", "This function is never called."),
        f"Size{20 * ' of rain'}.",
    ],
    names_code: ["Introduction", "SHA-1", "data types", 161 * "a"],
}


@pytest.mark.parametrize(("told", "text"), [(told, text) for told in YES for text in YES[told]])
def test_it_is_told(told, text):
    assert told(text)


@pytest.mark.parametrize(("told", "text"), [(told, text) for told in NO for text in NO[told]])
def test_it_is_not(told, text):
    assert not told(text)


def test_a_sentence_may_have_two_hundred_characters_without_spaces() -> None:
    assert is_complete("河" * 199 + "。")
    assert not is_complete("河" * 200 + "。")
    assert not is_complete("word " * 70 + "河" * 60 + "。", lower=True)


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


def test_a_long_number_after_a_stop_is_no_mark_of_a_note() -> None:
    assert not ends_as_sentence("It fell." + "1234" * 1000)
    assert ends_as_sentence("It fell.12")


def test_outside_of_entries_only_short_phrases_count():
    long = "Open the file with gauge_open(), measure the level twice, and close the file again."
    assert is_phrase(long)
    assert not is_phrase(long, entry=False)
    assert is_phrase(f"Size{4 * ' of rain'} again.", entry=False)
    assert not is_phrase(f"Size{5 * ' of rain'}.", entry=False)


def test_a_manual_of_programs_names_code_in_many_sentences():
    code = ["Call gauge_open().", "It reads rivers.h."]
    for prose, enough in ((17, False), (18, True), (22, True), (23, False)):
        assert is_of_programs(["The river rose in spring."] * prose + code) is enough
