"""A subset of a document's sentences is a document with their headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.documents import DocumentBuilder
from longsum.documents.model import Evidence
from longsum.documents.subset import kinds_called, subset, top_sections
from longsum.documents.tree import DocumentTree


@st.composite
def documents_and_choices(draw):
    builder = DocumentBuilder()
    builder.language = "fi"
    count = 0
    if draw(st.booleans()):
        builder.sentences(["Text before any heading."])
        count += 1
    for number, rank in enumerate(draw(st.lists(st.integers(1, 4), max_size=6))):
        # Type may set off a heading that says so much that it would else be text.
        titles = [
            f"Heading {number}",
            "",
            f"We may lose {number} mills, {'and more ' * 20}in floods.",
        ]
        builder.inferred_heading(rank, draw(st.sampled_from(titles)), Evidence(0.9, ("bold",)))
        for size in draw(st.lists(st.integers(1, 3), max_size=2)):
            builder.sentences([f"Sentence {count + k}." for k in range(size)])
            count += size
    document = builder.build(draw(st.sampled_from(["", "The title"])))
    chosen = st.lists(st.integers(0, count - 1)) if count else st.just([])
    return document, draw(chosen)


@given(documents_and_choices())
def test_sentences_sections_and_order_are_kept(check_document, drawn):
    document, chosen = drawn
    found = subset(document, chosen)
    check_document(found)
    assert (found.title, found.language) == (document.title, "fi")
    positions = sorted(set(chosen))
    assert [s.text for s in found.sentences] == [document.sentences[at].text for at in positions]
    before, after = DocumentTree(document), DocumentTree(found)
    for place, at in enumerate(positions):
        old, new = document.section_of(at), found.section_of(place)
        assert before.title_path(old.number) == after.title_path(new.number)
        assert old.level == new.level
    for section in found.walk():
        assert any(below.sentences for below in section.walk())


def test_all_sentences_give_the_document_without_its_empty_sections(small):
    assert subset(small, range(len(small.sentences))) == small


def test_a_heading_stays_for_a_sentence_below_it(small):
    found = subset(small, [5, 4])
    assert found.text == (
        "The valley\n\nRivers\n\nFloods\n\n"
        "Floods of the river damaged bridges and roads in the valley twice. "
        "Engineers built dams so that floods of the river do less damage."
    )


@pytest.mark.parametrize("position", [-1, 9])
def test_a_missing_position(small, position):
    with pytest.raises(IndexError, match=f"no sentence {position}"):
        subset(small, [0, position])


def test_top_sections_share_out_all_sentences(small):
    found = [(section.title, places) for section, places in top_sections(small)]
    assert found == [("Rivers", range(6)), ("Railways", range(6, 9))]


def test_kinds_are_called_by_their_plurals():
    assert kinds_called(" Replies", ["table", "reply to the article"]) == {"reply to the article"}
