import pytest

from document_views import texts
from longsum.documents import Document, Source
from longsum.documents.readers.plain.text import read_text


def _read(text: str, title: str | None = None) -> Document:
    return read_text(text, Source(), title)


def _outline(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in _read(text, "").walk()]


def test_a_title_in_capitals_above_numbered_sections_becomes_the_title() -> None:
    document = _read("A GREAT REPORT\n\n1. Aims\n\nText a.\n\n2. Means\n\nText b.")
    assert document.title == "A GREAT REPORT"
    assert [section.title for section in document.sections] == ["1. Aims", "2. Means"]


@pytest.mark.parametrize(
    "numbers", [(1, 2, 3), (1, 1, 1), (7, 8, 9)], ids=["rising", "all the same", "from seven"]
)
def test_a_numbered_list_is_no_row_of_headings(numbers: tuple[int, ...]) -> None:
    items = "\n\n".join(f"{number}. Item of it" for number in numbers)
    assert _outline(f"We ask for:\n\n{items}\n\nThat is all.") == [(1, "")]


@pytest.mark.parametrize(
    "line", ["1984 was a year", "See Section 2.", "HELP ME!", "5 May 2020", "19 people came", "12"]
)
def test_a_separate_line_that_only_looks_like_a_heading_is_text(line: str) -> None:
    assert _outline(f"Before it.\n\n{line}\n\nAfter it.") == [(1, "")]
    assert line in texts(_read(f"Before it.\n\n{line}\n\nAfter it."))
    assert _outline("A paragraph that has\n1. Aims\nin it.") == [(1, "")]


def test_lines_that_all_end_as_sentences_are_a_paragraph_each() -> None:
    text = "ANN: Good morning.\nBEN: Good morning to you!\nANN: How are you?\nBEN: Well."
    assert texts(_read(text)) == [line.split(": ")[1] for line in text.split("\n")]


def test_line_ends_may_be_mixed_and_lines_of_white_space_are_blank() -> None:
    mixed = "a one.\r\n\r\nb two.\r\rc three.\n\r\nd four.\n \t \n\f\ne five."
    assert texts(_read(mixed)) == ["a one.", "b two.", "c three.", "d four.", "e five."]
    assert _read(" \n\n ").sentences == ()


def test_contents_without_pages_are_no_sections() -> None:
    titles = ["CHAPTER I", "CHAPTER II", "CHAPTER III"]
    body = "\n\n".join(f"{title}\n\nText of it." for title in titles)
    text = "CONTENTS\n\n" + "\n\n".join(titles) + "\n\n" + body
    assert _outline(text) == [(1, title) for title in titles]
    assert texts(_read(text)) == ["Text of it."] * 3


_INDEX = "FUNCTION INDEX\n\nA\n\nabs, 3, 17, 44–46\nacos, 4\n\nB\n\nbeta, 8, 9"


def test_text_below_an_index_belongs_to_no_section_above_it() -> None:
    after = "This book was set in a type that was cut for it long ago.\n\nIts paper is good."
    assert _outline(f"1. Aims\n\nText a.\n\n{_INDEX}\n\n{after}") == [(1, "1. Aims"), (1, "")]
    text = f"1. Aims\n\nText a.\n\n{_INDEX}\n\n2. Means\n\n{after}"
    assert _outline(text) == [(1, "1. Aims"), (1, "2. Means")]


def test_marks_of_italics_are_removed_but_not_those_of_names_and_directions() -> None:
    text = "That is what _I_ mean, and it is a _great\ndeal_ too much for me."
    assert [s.text for s in _read(text).sentences] == [text.replace("_", "").replace("\n", " ")]
    for text in ("We call _exit and then my_own_name, which is __file__.", "I go [_To Ann_] home."):
        assert [s.text for s in _read(text).sentences] == [text]


def test_the_number_of_a_verse_is_no_term() -> None:
    verses = "2:1   It was the best of times and of all the days.\n2:2   It was the worst of times."
    assert _read(verses).sentences[0].text.startswith("2:1 It was")


def test_tags_of_unknown_names_are_removed_with_a_warning() -> None:
    body = "The dam broke.\nIt &amp; all is\nold."
    tagged = f"<!DOCTYPE DOC []>\n\n<DOC>\n<HEAD>Dams</HEAD>\n<TEXT>\n{body}\n</TEXT></DOC>\n"
    document = _read(tagged)
    assert [s.text for s in document.sentences][-2:] == ["The dam broke.", "It & all is old."]
    assert document.warnings == ("Tags are not text and were removed: DOC, HEAD, TEXT.",)
    assert "<b>" in _read("Of <b> and </b> it says nothing.").text


def test_a_term_and_its_definition_are_one_item() -> None:
    document = _read("We use these words.\n\nriver\n   Water that flows\n   to the sea.")
    last = document.sentences[-1]
    assert (last.text, last.kind) == ("river: Water that flows to the sea.", "list_item")


def test_code_in_text_is_kept_separately_with_its_lines() -> None:
    text = "To build it, run this:\n  $ make\n  $ make install\nIt takes a day."
    document = _read(text)
    assert [s.text for s in document.sentences] == ["To build it, run this:", "It takes a day."]
    assert document.omitted[0].text == "\t$ make\n\t$ make install"
    assert document.text[: document.omitted[0].place].endswith("run this:")
