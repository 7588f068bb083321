import pytest

from longsum.documents.fitness.manuals import (
    is_of_programs,
    is_phrase,
    lacks_subject,
    names_code,
)


@pytest.mark.parametrize(
    "text",
    [
        "Returns gauge_ok if the river could be measured.",
        "Renames an existing file within the branch.",
        "Specifies whether old values are kept.",
        "Performs final processing.",
    ],
)
def test_what_an_entry_does_has_no_subject(text):
    assert lacks_subject(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Sets are immutable.", "Calls of the function are counted.", "This is the river."),
        *("As the river rises, the gauge moves.", "Process the file."),
        *("Besides the Rhine, the Main rose.", "Bytes are read.", "Gauges measure the river."),
    ],
)
def test_a_sentence_may_open_with_a_noun_of_many(text):
    assert not lacks_subject(text)


@pytest.mark.parametrize(
    "text",
    [
        "The size of a digest, i.e. 28.",
        "Initialize the state.",
        "Get a list of supported gauges.",
        "Called when the file ends.",
        "Opaque datatype that is passed to a callback function.",
        "Set a handler that receives declarations of rivers, once the parser finds any.",
        "Useful for some special constructions, in particular levels.",
    ],
)
def test_a_phrase_has_no_main_clause(text):
    assert is_phrase(text)


@pytest.mark.parametrize(
    "text",
    [
        *("The gauge measures the level of the river.", "The functions return a level."),
        *("A river corresponds to a gauge.", "The value that you pass will be used."),
        *("If a river freezes, call gauge_thaw().", "This function is never called."),
    ],
)
def test_a_sentence_of_a_manual_is_no_phrase(text):
    assert not is_phrase(text)


def test_outside_of_entries_only_short_phrases_count():
    long = "Open the file with gauge_open(), measure the level twice, and close the file again."
    assert is_phrase(long)
    assert not is_phrase(long, entry=False)
    assert is_phrase("Information about recent levels.", entry=False)


@pytest.mark.parametrize(
    ("title", "code"),
    [
        *(("gauge_open()", True), ("2.1 gauge_open", True), ("commit", True), ("--force", True)),
        *(("readLevel, readAll", True), ("Introduction", False), ("SHA-1", False)),
        ("data types", False),
    ],
)
def test_headings_that_name_what_they_define(title, code):
    assert names_code(title) is code


def test_a_manual_of_programs_names_code_in_many_sentences():
    prose = ["The river rose in spring."] * 22
    assert not is_of_programs(prose)
    assert not is_of_programs(["Call gauge_open()."] * 10)
    assert is_of_programs([*prose, "Call gauge_open().", "It reads rivers.h."])
