"""A page break divides no sentence, and footnotes stand apart from the text."""

from longsum.documents.model import Source
from longsum.documents.readers.page_breaks import join_pages, note_starts
from longsum.documents.readers.pdf import lay_out
from longsum.documents.readers.pdf_content import PdfText
from longsum.documents.readers.pdf_page import Page, Piece
from longsum.documents.readers.text import read_text

ONE = [
    "The agency reviewed the plans of all states and found that most",
    "of them had not been changed since the last review, although the",
    "rules had been changed twice in the years between, and that the",
]
TWO = [
    "plans of the largest states were the oldest of all of them here.",
    "A second paragraph says that nothing else was found in the review",
    "of the agency, which took more than a year and cost a great deal.",
]
NOTE_ONE = ["1 GAO, Review of State Plans: More Work Is Needed, GAO-12-345 (2012)."]
NOTE_TWO = ["2 Pub. L. No. 111-5, 123 Stat. 115 (2009), which has been amended twice."]


def paragraphs(document):
    return [" ".join(s.text for s in paragraph) for paragraph in document.paragraphs]


def _page(lines):
    """A page of lines, each character five points wide."""
    places = enumerate(lines)
    pieces = [Piece(text, 72, 72 + 5 * len(text), 720 - 14 * n, 11) for n, text in places]
    return Page(612, 792, pieces)


def test_a_pdf_paragraph_goes_on_after_the_footnotes():
    pages = (_page([*ONE, *NOTE_ONE]), _page([*TWO, *NOTE_TWO]))
    document = lay_out(PdfText("", pages), Source("a.pdf", "pdf"))
    first = document.sentences[0]
    assert first.text == " ".join([*ONE, TWO[0]])
    assert (first.page, first.kind) == (1, "prose")
    notes = [s for s in document.sentences if s.kind == "footnote"]
    assert [note.page for note in notes] == [1, 2]
    assert " ".join(note.text for note in notes) == NOTE_ONE[0] + " " + NOTE_TWO[0]


def test_a_text_with_form_feeds_too():
    pages = [[*ONE, "", *NOTE_ONE], [*TWO, "", *NOTE_TWO]]
    text = "\n\f".join("\n".join(page) for page in pages)
    document = read_text(text, Source(), [])
    assert document.sentences[0].text == " ".join([*ONE, TWO[0]])
    kinds = {s.kind for s in document.sentences if s.text[:2] in ("1 ", "2 ")}
    assert kinds == {"footnote"}


def test_running_headers_and_page_numbers_of_a_text_are_left_out():
    line = "The river rose for the {} time in that year and took the bridge."
    words = ["first", "second", "third", "fourth", "fifth"]
    pages = [f"Annals of the Valley\n\n{line.format(w)}\n\n{n}" for n, w in enumerate(words, 1)]
    document = read_text("\n\f".join(pages), Source(), [])
    assert paragraphs(document) == [line.format(word) for word in words]
    assert "10 running heads (" in document.warnings[0]


def test_a_paragraph_that_ended_does_not_go_on():
    text, left_out = join_pages("One ends here.\n\f\nand two opens in lower case.")
    assert (text.split("\n"), left_out) == (
        ["One ends here.", "", "", "and two opens in lower case."],
        [],
    )


def test_numbered_headings_are_no_footnotes():
    pages = [[*ONE, "1 Introduction", *TWO], [*ONE, "2 Methods", *TWO], [*ONE, "3 Results", *TWO]]
    assert note_starts(pages) == [7, 7, 7]


def test_footnotes_count_through_or_anew_on_each_page():
    through = [[*ONE, NOTE_ONE[0]], [*TWO, NOTE_TWO[0], "3 See the report."], ONE]
    assert note_starts(through) == [3, 3, 3]
    assert note_starts([[*ONE, *NOTE_ONE], [*TWO, *NOTE_ONE]]) == [3, 3]
    assert note_starts([[*ONE, *NOTE_ONE], TWO]) == [4, 3]
    assert note_starts([]) == []
