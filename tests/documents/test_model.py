import hashlib
from typing import get_args

from document_views import document_of
from longsum.documents import Document, Sentence
from longsum.documents.model import BACK_MATTER, MATERIAL, Kind


def _document() -> Document:
    return document_of(
        "Before it all.",
        ("# One", "First here. Second here."),
        ("## One one", "Third here.", "Fourth here."),
        "# Two",
        title="Title",
    )


def test_kinds_of_material_and_of_back_matter_are_kinds() -> None:
    assert {*get_args(Kind)} > MATERIAL | BACK_MATTER
    assert not MATERIAL & BACK_MATTER


def test_text_is_title_headings_and_paragraphs_between_blank_lines() -> None:
    assert _document().text == (
        "Title\n\nBefore it all.\n\nOne\n\nFirst here. Second here.\n\nOne one\n\n"
        "Third here.\n\nFourth here.\n\nTwo"
    )


def test_offsets_are_those_counted_by_hand() -> None:
    # "Title" 0–5, blank line 5–7, "Before it all." 7–21, blank 21–23, "One" 23–26, blank 26–28,
    # "First here." 28–39.
    document = _document()
    assert document.sentences[0] == Sentence("Before it all.", 7, 21)
    assert document.sentences[1] == Sentence("First here.", 28, 39)
    assert (document.sections[0].start, document.sections[0].end) == (7, 21)
    assert document.sections[1].start == 23


def test_a_section_reaches_over_its_children_and_owns_its_own_sentences() -> None:
    document = _document()
    one = document.sections[1]
    assert document.text[one.start : one.end].endswith("Fourth here.")
    assert [sentence.text for sentence in one.sentences] == ["First here.", "Second here."]
    assert [section.title for section in one.walk()] == ["One", "One one"]
    # One without text is kept.
    two = document.walk()[-1]
    assert (two.title, two.sentences, two.level) == ("Two", (), 1)


def test_sha256_is_of_the_text_in_utf8() -> None:
    assert document_of("Größe.").sha256 == hashlib.sha256("Größe.".encode()).hexdigest()
