from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from document_views import document_of
from longsum.core.recursive.parts import apportion, divide, weigh
from longsum.documents import Document
from longsum.language.words import count_words

_PARAGRAPH = st.lists(st.integers(6, 30), min_size=1, max_size=4)
_SECTION = st.tuples(st.integers(1, 4), st.lists(_PARAGRAPH, max_size=3))


def _document(sections: list[tuple[int, list[list[int]]]]) -> Document:
    chapters = (
        (
            f"{'#' * rank} Chapter {number}",
            *([" ".join(["word"] * n) for n in p] for p in paragraphs),
        )
        for number, (rank, paragraphs) in enumerate(sections)
    )
    return document_of(*chapters, title="")


@given(
    st.lists(_SECTION, min_size=1, max_size=8).filter(lambda found: any(s[1] for s in found)),
    st.sampled_from(["sections", "paragraphs", "length"]),
    st.integers(0, 40),
    st.integers(40, 200),
)
def test_parts_are_in_order_and_cover_the_whole_text(sections, division, least, most) -> None:
    document = _document(sections)
    parts = divide(document, division, least, most)
    assert [at for part in parts for at in part.sentences] == list(range(len(document.sentences)))
    for part in parts:
        texts = [document.sentences[at].text for at in part.sentences]
        assert part.words == sum(map(count_words, texts)) <= most
    # A part stays short only if no neighbour has room for it.
    for before, after in pairwise(parts):
        assert min(before.words, after.words) >= least or before.words + after.words > most


_BOOK = [(1, [[30]]), (2, [[30], [30]]), (2, [[30]]), (1, [[25], [25]])]


@pytest.mark.parametrize(
    ("sections", "least", "most", "parts"),
    [
        # The highest sections that fit; of one that is too long, whole paragraphs.
        (_BOOK, 0, 200, {"0": 120, "3": 50}),
        (_BOOK, 0, 70, {"0": 30, "1": 60, "2": 30, "3": 50}),
        ([(1, [[20, 20], [10, 10], [30], [10]])], 0, 60, {"0 (1 of 2)": 60, "0 (2 of 2)": 40}),
        # Short ones are joined.
        ([(1, [[3]]), (1, [[50]]), (1, [[50]])], 10, 60, {"0 … Chapter 1": 53, "2": 50}),
    ],
)
def test_sections_and_paragraphs_become_parts(sections, least, most, parts) -> None:
    found = divide(_document(sections), "sections", least, most)
    expected = [(f"Chapter {title}", words) for title, words in parts.items()]
    assert [(part.title, part.words) for part in found] == expected


@pytest.mark.parametrize("sentence", ["Yes.", "%#" * 35])
def test_text_that_is_not_prose_counts_as_more_words(sentence: str) -> None:
    parts = divide(document_of([sentence] * 100, title=""), "length", 0, 60)
    assert max(len(part.sentences) for part in parts) == 10


def test_parts_of_a_text_without_sections_are_numbered() -> None:
    text = document_of(*(["word " * 20] for _ in range(6)), title="")
    titles = [part.title for part in divide(text, "length", 0, 50)]
    assert titles == ["(1 of 3)", "(2 of 3)", "(3 of 3)"]
    assert len(divide(text, "paragraphs", 0, 50)) == 6


@given(
    st.integers(0, 5000),
    st.lists(st.floats(0.01, 1000), min_size=1, max_size=30),
    st.integers(1, 50),
)
def test_shares_add_up_and_none_is_too_small(total, weights, least) -> None:
    shares = apportion(total, weights, least)
    assert sum(shares) == total
    kept = [share for share in shares if share]
    assert len(kept) <= 1 or min(kept) >= least
    for one, weight in zip(shares, weights, strict=True):
        for other, heavier in zip(shares, weights, strict=True):
            assert one <= other or weight >= heavier


def test_shares_are_in_proportion() -> None:
    assert apportion(100, [30, 50, 20]) == [30, 50, 20]
    # 33.3 each: the first gets the remaining word.
    assert apportion(100, [1, 1, 1]) == [34, 33, 33]
    # The last would get 4 of 100 words; the others give up the rest of its minimum.
    assert apportion(100, [2, 4, 0.25], minimum=10) == [30, 60, 10]
    assert apportion(25, [2, 4, 0.25], minimum=10) == [10, 15, 0]
    with pytest.raises(ValueError, match="weight above 0"):
        apportion(10, [1, 0])


def test_importance_follows_the_subject_of_the_whole_text(small: Document) -> None:
    parts = divide(small, "sections", 0, 60)
    lengths, importance = (weigh(small, parts, split) for split in ("length", "importance"))
    assert lengths == [part.words for part in parts]
    assert sum(importance) == pytest.approx(1)
    # Per word, the rivers that every section names weigh more than the railways.
    assert importance[0] / lengths[0] > importance[-1] / lengths[-1]
