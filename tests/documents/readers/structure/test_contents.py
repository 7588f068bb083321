from time import process_time

import pytest

from longsum.documents.readers.structure.contents import (
    Entry,
    Listing,
    contents_entry,
    find_listings,
    is_contents_title,
    is_index_title,
    plain_title,
    title_and_page,
)
from tables import rows


@pytest.mark.parametrize(
    ("line", "title", "page"), rows(__file__, "a_line_of_contents_is_a_title_and_a_page")
)
def test_a_line_of_contents_is_a_title_and_a_page(line: str, title: str, page: str) -> None:
    assert contents_entry(line) == Entry(title, page)


@pytest.mark.parametrize(
    "line",
    [
        *("1.1 Purpose", "We counted: 1, 2, ... 12", "It cost 300", "Your name: .........."),
        *("And so on...", "Wait .... he said.", "12", ""),
    ],
)
def test_other_lines_are_none(line: str) -> None:
    assert contents_entry(line) is None


@pytest.mark.parametrize(("title", "plain"), rows(__file__, "titles_lose_leaders_and_page"))
def test_titles_lose_leaders_and_page(title: str, plain: str) -> None:
    assert plain_title(title) == plain


_CONTENTS = ["Contents", "TABLE OF CONTENTS", "Short Contents", "List of Figures:", "ii Contents"]
_INDEXES = [
    *("Index", "B Function Index", "Appendix B Function Index", "Index of Names", "Type Index")
]
_NEITHER = ["Indexing", "Contents of a box", "Matrix Indexing", "The contents are these"]


@pytest.mark.parametrize("title", [*_CONTENTS, *_INDEXES, *_NEITHER])
def test_headings_of_contents_of_indexes_and_of_neither(title: str) -> None:
    assert is_contents_title(title) == (title in _CONTENTS)
    assert is_index_title(title) == (title in _INDEXES)


def _kinds(lines: list[str]) -> str:
    """Return one letter per line: c for contents, i for an index, . for text."""
    return "".join("." if kind is None else kind.value[0] for kind in find_listings(lines))


_TEXT = [
    "The rivers of the north are long and cold, and few people",
    "live there. In winter they freeze, and boats lie on the",
    "banks from November to the month of April in most years.",
]


_TITLES = ["Loomings", "The Carpet-Bag", "The Spouter-Inn"]
_WORKS = [f"{letter}lder, On Rivers, {1990 + n}" for n, letter in enumerate("ABCDEFGHIJKLMN")]


@pytest.mark.parametrize(
    ("lines", "kinds"),
    [
        ([*_TEXT, "1 Aims ........ 1", *_TEXT], "...c..."),
        (["North\t40", "South\t31", "East\t12", "West\t9"], "...."),
        (["Contents", "1 Aims 1", "2 A title that is so long that it", "wraps 4", "3 Ends 9",
          "1 Aims", *_TEXT, "2 A title"], "ccccc....."),
        (["CONTENTS", *_TITLES, *(line for title in _TITLES for line in (title, *_TEXT))],
         "cccc" + "." * 12),
        (["Contents", *_TEXT], "...."),
        (["Index", *_TEXT], "...."),
        (["Contents", "Aims 1", "Means 4", "Ends 9", "It was founded in 1990"], "cccc."),
        ([*_TEXT, *_WORKS], "." * 17),
    ],
    ids=["leaders", "numbers that fall", "until their first title stands again", "without pages",
         "contents in name", "index in name", "a year", "references"],
)  # fmt: skip
def test_which_lines_are_contents(lines: list[str], kinds: str) -> None:
    assert _kinds(lines) == kinds


_FEW = ["Index", "a, 1", "b, 2"]
_OTHERS = ["Others a", "Others b", "Others e", "Others f"]


@pytest.mark.parametrize(
    ("lines", "kinds"), rows(__file__, "listings_at_the_limits_of_their_rules")
)
def test_listings_at_the_limits_of_their_rules(lines: list[str], kinds: str) -> None:
    assert _kinds(lines) == kinds


def test_long_lines_are_no_entries_and_no_titles() -> None:
    for more, found in ((0, True), (1, False)):
        assert is_contents_title(f"Contents{(72 + more) * ' '}") is found
        assert is_index_title(f"Index{(75 + more) * ' '}") is found
        assert (contents_entry(f"{(292 + more) * 'a'} ..... 1") is not None) is found
        assert plain_title(f"{(294 + more) * 'a'} .....").endswith("a") is found
        assert title_and_page(f"{(23 + more) * 'a '}7")[1] == ("7" if found else "")
    assert title_and_page("12") == ("", "12")


def test_an_index_under_its_heading_and_the_text_after_it() -> None:
    index = [
        "Function Index",
        "A",
        "abs, 3, 17, 44–46",
        "a function that is described at length under another",
        "name, 12,",
        "13, 14",
        "see also zeros",
        "B",
        "beta 7",
        "gamma . . . . 8",
    ]
    assert _kinds([*_TEXT, *index, *_TEXT, *_TEXT]) == "..." + "i" * 10 + "......"


@pytest.mark.parametrize(
    "line",
    [
        *("1-2-" * 60 + "x", ". " * 140 + "!", "." * 280 + "q1", "a " * 140 + "1", " " * 280 + "1"),
        *("1, " * 90 + "!", "see " * 70, "…" * 280 + "x1"),
    ],
)
@pytest.mark.timing
def test_no_line_takes_long(line: str) -> None:
    start = process_time()
    find_listings(["Index", *[line] * 250, "Contents", *[line] * 250])
    # It takes some 0.02 s; trying every way to cut a line in two or three would take minutes.
    assert process_time() - start < 0.5


def test_tables_are_listed_without_their_name() -> None:
    listing = ["List of Tables", "1.1. Rivers", "1.2. Lakes", "2.1. Seas"]
    text = ["Table 1.1. Rivers", "Text.", "Table 1.2. Lakes", "Text.", "Table 2.1. Seas", "Text."]
    assert find_listings([*listing, *text])[: len(listing)] == [Listing.contents_line] * 4
    assert [kind.value for kind in Listing] == ["contents line", "index line"]
