import pytest

from longsum.documents.fitness import complete
from longsum.documents.fitness.complete import is_complete, is_of_programs, is_phrase
from longsum.language.sentences import ends_as_sentence
from tables import told_sentences

LIMITS = [
    *(("is_complete", f"{n * 'Word '}end.", n < 80) for n in (79, 80)),
    *(("is_complete", f"{8 * 'River '}rose again --{n * '.'}", n > 38) for n in (38, 39)),
    ("is_phrase", f"Size of rain{18 * ' of rain'} of.", True),
    ("is_phrase", f"Size{20 * ' of rain'}.", False),
    *(("names_code", n * "a", n < 161) for n in (160, 161)),
    *(("lacks_subject", f"{verb} the level.", True) for verb in ("passes", "Displays", "Copies")),
    *(("lacks_subject", f"{verb} the level.", False) for verb in ("Pass", "Displaies", "Copys")),
]
"""The longest of each kind, and what is longer."""


@pytest.mark.parametrize(("rule", "text", "told"), [*told_sentences(__file__), *LIMITS])
def test_results_of_each_rule(rule: str, text: str, told: bool) -> None:
    assert getattr(complete, rule)(text) is told


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
