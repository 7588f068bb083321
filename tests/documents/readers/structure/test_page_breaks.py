"""Running heads and page breaks of plain text."""

from longsum.documents.model import Source
from longsum.documents.readers.plain.text import read_text
from longsum.documents.readers.structure.page_breaks import join_pages


def paragraphs(document):
    return [" ".join(s.text for s in paragraph) for paragraph in document.paragraphs]


def test_running_headers_and_page_numbers_of_a_text_are_left_out():
    line = "The river rose for the {} time in that year and took the bridge."
    words = ["first", "second", "third", "fourth", "fifth"]
    pages = [f"Annals of the Valley\n\n{line.format(w)}\n\n{n}" for n, w in enumerate(words, 1)]
    document = read_text("\n\f".join(pages), Source())
    assert paragraphs(document) == [line.format(word) for word in words]
    assert "10 running heads (" in document.warnings[0]


def test_a_paragraph_that_ended_does_not_go_on():
    text, left_out = join_pages("One ends here.\n\f\nand two opens in lower case.")
    assert (text.split("\n"), left_out) == (
        ["One ends here.", "", "and two opens in lower case."],
        [],
    )
