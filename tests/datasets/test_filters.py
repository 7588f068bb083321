from datetime import date

import pytest

from longsum.datasets import Example
from longsum.datasets.filters import (
    good_quality,
    in_time,
    keep_biography,
    keep_reports,
    new_in_second_half,
    well_parsed,
    without_shortest,
)
from longsum.documents import Document, DocumentBuilder
from longsum.errors import LongsumError


def _document(*blocks: tuple[int, str, str]) -> Document:
    builder = DocumentBuilder()
    for level, title, text in blocks:
        builder.heading(level, title)
        if text:
            builder.sentences([text])
    return builder.build("")


def _report(id: str, words: int, agency: str = "gao", summary: str = "s") -> Example:
    document = _document((1, "One", "word " * (words - 1)), (1, "Two", "word"))
    return Example(id, document, (summary,) * bool(summary), "train", "", {"agency": agency})


@pytest.mark.parametrize(
    ("agency", "day", "kept"),
    [
        ("crs", date(2020, 5, 19), True),
        ("crs", date(2020, 5, 20), False),
        ("gao", date(2020, 7, 6), True),
        ("gao", date(2020, 7, 7), False),
    ],
)
def test_in_time(agency, day, kept) -> None:
    assert in_time(agency, day) is kept


@pytest.mark.parametrize(
    ("blocks", "kept"),
    [
        ([(1, "One", "a."), (1, "Two", "b.")], True),
        ([(1, "One", "a.")], False),
        ([], False),
        # A heading over a subsection is not empty; one over nothing is.
        ([(1, "One", ""), (2, "Below", "b.")], True),
        ([(1, "One", "a."), (1, "Two", "")], False),
        ([(1, "One", "a."), (1, "two", "b.")], False),
        ([(1, "“One”", "a."), (1, "2019 Budget", "b.")], True),
        ([(1, "One", "a."), (1, "2019 budget", "b.")], False),
        ([(1, "", "a."), (1, "1.2", "b.")], True),
    ],
)
def test_well_parsed(blocks, kept) -> None:
    assert well_parsed(_document(*blocks)) is kept


@pytest.mark.parametrize(("reports", "left"), [(9, 9), (10, 9), (19, 18), (20, 18)])
def test_a_tenth_is_left_out_rounded_down(reports, left) -> None:
    assert len(without_shortest([_report(str(n), 5) for n in range(reports)])) == left


def test_the_shortest_are_left_out_and_the_order_stays() -> None:
    lengths = [9, 3, 8, 3, 7]
    found = without_shortest([_report(str(n), words) for n, words in enumerate(lengths)], 0.2)
    # Of the two of three words the later goes.
    assert [report.id for report in found] == ["0", "1", "2", "4"]


def test_rules_for_parsed_pdfs_are_for_the_gao_alone() -> None:
    long = [_report(f"gao {n}", 20 + n) for n in range(9)]
    broken = Example(
        "broken", _document((1, "One", "a " * 50)), ("s",), "train", "", {"agency": "gao"}
    )
    reports = [
        _report("short crs", 2, "crs"),
        _report("crs without summary", 30, "crs", ""),
        _report("gao without summary", 30, "gao", ""),
        broken,
        _report("short gao", 3),
        *long,
    ]
    kept = [report.id for report in keep_reports(iter(reports))]
    assert kept == ["short crs", *(report.id for report in long)]


@pytest.mark.parametrize(
    ("quality", "kept"),
    [("FA", True), ("A", True), ("GA", True), ("B", True), ("C", True), ("Start", False)],
)
def test_quality(quality, kept) -> None:
    assert good_quality(quality) is kept


def test_an_unknown_quality_lists_the_known_ones() -> None:
    with pytest.raises(LongsumError, match=r"'List' is not a quality class; give .* FA, .*Stub"):
        good_quality("List")


def test_bigrams_that_come_new_in_the_second_half() -> None:
    # Tokens a b c d | e f a b: the halves' own bigrams, and d e across the middle, which is new.
    document = _document((1, "T", "a b c"), (2, "U", "d e f a b"))
    assert new_in_second_half("a b", document) == 0.0
    assert new_in_second_half("e f", document) == 1.0
    assert new_in_second_half("d e", document) == 1.0
    # Salient are a b, b c, e f, of which e f is new; c e and f x occur nowhere.
    assert new_in_second_half("a b c e f x", document) == pytest.approx(1 / 3)
    assert new_in_second_half("x y", document) == 0.0


def _biography(shared: int, new: int) -> tuple[Document, str]:
    """Return a text and a summary with so many bigrams in the first half and only in the second."""
    first = " ".join(f"a{n}" for n in range(shared + 1))
    second = " ".join(f"b{n}" for n in range(shared + 1))
    document = _document((1, "Life", first), (2, "Work", second))
    return document, f"{first} x " + " ".join(second.split()[: new + 1])


@pytest.mark.parametrize(("new", "kept"), [(8, False), (9, True)])
def test_nine_per_cent_are_enough(new, kept) -> None:
    document, summary = _biography(91, new)
    assert new_in_second_half(summary, document) == pytest.approx(new / (91 + new))
    assert keep_biography(document, summary, "C") is kept


def test_a_biography_needs_quality_and_two_levels() -> None:
    document, summary = _biography(10, 10)
    flat = _document(*((1, s.title, s.sentences[0].text) for s in document.walk()))
    assert keep_biography(document, summary, "B")
    assert not keep_biography(document, summary, "Stub")
    assert not keep_biography(flat, summary, "B")
