"""Readability of a summary: dangling openers, units that are not prose, repetition, cohesion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from document_views import document_of
from longsum.documents import Document
from longsum.evaluation.metrics.readability import (
    Readability,
    dangling_openers,
    lexical_cohesion,
    not_material,
    readability,
    repeated_sentences,
)

texts = st.lists(st.text("abc .,THis"), max_size=6)


def _document(*sentences: str) -> Document:
    return document_of(" ".join(sentences))


@pytest.mark.parametrize(
    "text",
    [
        "These results held.",
        "However, the plan failed.",
        "“It had no money.”",
        "In this case, the court was right.",
        "For these reasons we agree.",
        "But nobody came.",
        "As a result, prices fell.",
    ],
)
def test_an_opener_dangles_without_the_sentence_before(text: str) -> None:
    assert dangling_openers(["A first one.", text], [3, 7]) == [False, True]
    assert dangling_openers([text], [7]) == [True]
    # What is before it in the document is before it in the summary, or does not exist.
    assert dangling_openers(["A first one.", text], [6, 7]) == [False, False]
    assert dangling_openers([text], [0]) == [False]


@pytest.mark.parametrize(
    "text",
    [
        "This report describes a survey.",
        "It is important that all agree.",
        "Instead of roads, it built canals.",
        "In addition to fees, taxes rose.",
        "Android is a system.",
        "As a result of the war, prices fell.",
    ],
)
def test_a_self_contained_sentence_does_not_dangle(text: str) -> None:
    assert dangling_openers([text], [7]) == [False]


def test_a_written_sentence_may_refer_to_the_one_before_it_in_the_summary() -> None:
    assert dangling_openers(["This is so.", "It holds."], [None, None]) == [True, False]
    assert dangling_openers(["A first.", "It holds."], [None, 4]) == [False, True]


def test_a_sentence_has_its_kind_in_the_document() -> None:
    document = _document("A short one.", "Another one.")
    assert not_material(["Another one."], [1], document) == [False]
    # Written: judged by its form; too short, no end.
    written = ["The court did not agree with the state.", "Table 3: 4 5 6"]
    assert not_material(written, [None, None], document) == [False, True]


def test_repetition_exact_near_and_contained() -> None:
    long = "The agency spent two million dollars on mining permits in northern counties."
    near = "The agency spent two million dollars on mining permits in the northern counties."
    part = "The agency spent two million dollars on mining permits."
    other = "The agency spent nothing on water rights in the southern counties."
    assert repeated_sentences([long, other, near, part]) == [False, False, True, True]
    assert repeated_sentences([part, long]) == [False, True]
    assert repeated_sentences(["Yes, sir.", "yes, sir"]) == [False, True]
    # Content bigrams of the shorter that the other has: 2 of 2 are too few to be sure; 3 of 3, 4 of
    # 5 and 3 of 4.
    for first, second, same in (
        ("Prices fell fast", "Today prices fell fast", False),
        ("Prices fell fast today", "Slow prices fell fast today", True),
        ("Red blue green white black grey", "Red blue green white black gold", True),
        ("Red blue green white black", "Red blue green white gold", False),
    ):
        assert repeated_sentences([first, second]) == [False, same]


def test_cohesion_by_hand() -> None:
    # {court, ruled}, {courts, ruled, again}: stems court, rule; 2 of 2 shared. Then none of 2.
    shared = ["The court ruled.", "Courts ruled on taxes.", "Cats sleep."]
    assert lexical_cohesion(shared) == pytest.approx((2 / 2 + 0 / 2) / 2)
    assert lexical_cohesion(["Alone."]) == 0


def test_all_measures_together() -> None:
    document = _document("A survey found gaps.", "However, it ended.", "It ended in May of 2020.")
    told = [
        "A survey found gaps.",
        "It ended in May of 2020.",
        "The gaps ended.",
        "The gaps ended.",
    ]
    found = readability(told, [0, 2, None, 2], document)
    # Of neighbours' content words 0 of 1, 1 of 1 and 2 of 2 are shared.
    assert found == Readability(25, 0, 25, 16 / 4, pytest.approx(200 / 3))
    assert readability([], [], document) == Readability(0, 0, 0, 0, 0)


@given(texts, st.data())
def test_shares_are_shares(sentences: list[str], data: st.DataObject) -> None:
    places = data.draw(
        st.lists(st.none() | st.integers(0, 2), min_size=len(sentences), max_size=len(sentences))
    )
    found = readability(sentences, places, _document("One is here.", "Two is there.", "Three."))
    for value in (found.dangling, found.not_material, found.repeated, found.cohesion):
        assert 0 <= value <= 100
    # A summary said twice repeats at least all of itself that has words.
    assert sum(repeated_sentences([*sentences, *sentences])) >= len(sentences)
