import pytest

from longsum.documents.readers.structure.headings import heading_rank, is_numbered, underline_rank

_NAMED = [
    *("CHAPTER I", "CHAPTER I.", "Chapter 2", "Chapter 2: The Voyage Out"),
    *("CHAPTER I. Down the Rabbit-Hole", "Chapter 3. the end of it", "PART ONE", "Book II"),
    *("Appendix A", "Section 2."),
]
_NUMBERED = ["1. Introduction", "1 Introduction", "2) Methods", "10.2.3 Deep Down", "IV. Results"]
_CAPITALS = ["INTRODUCTION", "STAVE I: MARLEY'S GHOST", "ÉTUDE DE CAS", "THE END"]
_NO_HEADINGS = [
    *("", "1984 was a year", "1984 Was A Year", "19 people came", "5 May 2020"),
    *("3.14 is close to pi", "See Section 2.", "See Chapter 4", "HELP ME, SOMEONE!", "WHAT NOW?"),
    *("NASA.", "USA", "2020", "1.", "I", "IV.", "I. e. something else", "C. elegans is a worm"),
    *("Part I saw yesterday", "chapter 12 was long", "Section 3 of the act says otherwise"),
    *("Book one flight today", "A line of prose without an end", "第一章", "* * *", "-----"),
    *("1.1. Purpose ........ 1", "1.1 Purpose . . . . . . 12"),
    *("CHAPTER I. Down the Rabbit-Hole ..... 7", "1. Purpose\t1"),
    "1. This Runs On And On For More Words Than Any Heading Of A Report Has Ever Had Before",
]


@pytest.mark.parametrize("line", [*_NAMED, *_NUMBERED, *_CAPITALS])
def test_headings(line: str) -> None:
    assert heading_rank(line) is not None


@pytest.mark.parametrize("line", _NO_HEADINGS)
def test_no_headings(line: str) -> None:
    assert heading_rank(line) is None


def test_a_lower_rank_stands_higher() -> None:
    order = ["BOOK ONE", "Part 2", "Chapter 3", "OVERVIEW", "1. Aims", "1.1 First", "1.1.1 Deep"]
    ranks = [heading_rank(line) for line in order]
    assert None not in ranks
    assert ranks == sorted(set(ranks))  # strictly rising
    for same in (("BOOK ONE", "Volume II"), ("Chapter 3", "Appendix A", "Annex B", "ANNEX: Maps")):
        assert len({heading_rank(line) for line in same}) == 1
    assert heading_rank("Section 2") == heading_rank("OVERVIEW")


def test_only_numbered_headings_may_be_list_items() -> None:
    assert all(is_numbered(line) for line in _NUMBERED)
    assert not any(is_numbered(line) for line in _CAPITALS)


@pytest.mark.parametrize("below", ["===", "-----", " ~~~~ ", "^^^"])
def test_underlines(below: str) -> None:
    assert underline_rank("Title", below) is not None


@pytest.mark.parametrize(
    ("line", "below"),
    [("Title", "=="), ("Title", "=-="), ("Title", "***"), ("", "==="), ("Title", ""), ("a", "aaa")],
)
def test_no_underlines(line: str, below: str) -> None:
    assert underline_rank(line, below) is None


def test_an_underline_of_equals_signs_stands_above_one_of_dashes() -> None:
    double, single = underline_rank("A", "==="), underline_rank("A", "---")
    assert double is not None
    assert single is not None
    assert double < single
