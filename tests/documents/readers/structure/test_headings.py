import pytest

from longsum.documents.readers.structure.headings import (
    find_clauses,
    heading_rank,
    is_numbered,
    underline_rank,
)
from tables import rows

_NAMED = [
    *("CHAPTER I", "CHAPTER I.", "Chapter 2", "Chapter 2: The Voyage Out"),
    *("CHAPTER I. Down the Rabbit-Hole", "Chapter 3. the end of it", "PART ONE", "Book II"),
    *("Appendix A", "Section 2."),
]
_NUMBERED = ["1. Introduction", "1 Introduction", "2) Methods", "10.2.3 Deep Down", "IV. Results"]
_DOTTED = [".SHORT TERM /Tonight/...", "...WINTRY MIX EXPECTED..."]
_CAPITALS = [*_DOTTED, "INTRODUCTION", "STAVE I: MARLEY'S GHOST", "ÉTUDE DE CAS", "THE END"]
_NO_HEADINGS = [
    *("", "1984 was a year", "1984 Was A Year", "19 people came", "5 May 2020"),
    *("3.14 is close to pi", "See Section 2.", "See Chapter 4", "HELP ME, SOMEONE!", "WHAT NOW?"),
    *("...and so on...", "WAIT FOR ME...", ".Hidden..."),
    *("NASA.", "USA", "2020", "1.", "I", "IV.", "I. e. something else", "C. elegans is a worm"),
    *("Part I saw yesterday", "chapter 12 was long", "Section 3 of the act says otherwise"),
    *("Book one flight today", "A line of prose without an end", "第一章", "* * *", "-----"),
    *("1.1. Purpose ........ 1", "1.1 Purpose . . . . . . 12"),
    *("CHAPTER I. Down the Rabbit-Hole ..... 7", "1. Purpose\t1"),
    "1. This Runs On And On For More Words Than Any Heading Of A Report Has Ever Had Before",
]


@pytest.mark.parametrize("line", [*_NAMED, *_NUMBERED, *_CAPITALS, *_NO_HEADINGS])
def test_headings(line: str) -> None:
    assert (heading_rank(line) is None) == (line in _NO_HEADINGS)
    # Only those with numbers may be items of a list.
    assert line in (*_NAMED, *_NO_HEADINGS) or is_numbered(line) == (line in _NUMBERED)


def test_lower_ranks_are_higher_levels() -> None:
    order = ["BOOK ONE", "Part 2", "Chapter 3", "OVERVIEW", "1. Aims", "1.1 First", "1.1.1 Deep"]
    ranks = [heading_rank(line) for line in order]
    assert None not in ranks
    assert ranks == sorted(set(ranks))  # strictly rising
    for same in (("BOOK ONE", "Volume II"), ("Chapter 3", "Appendix A", "Annex B", "ANNEX: Maps")):
        assert len({heading_rank(line) for line in same}) == 1
    assert heading_rank("Section 2") == heading_rank("OVERVIEW")


@pytest.mark.parametrize(("line", "below", "under"), rows(__file__, "underlines"))
def test_underlines(line: str, below: str, under: bool) -> None:
    assert (underline_rank(line, below) is not None) is under
    assert (underline_rank("A", "===") or 99) < (underline_rank("A", "---") or 0)


TEXT = ["Subject to these terms, anyone may fish in the river", "from May to August."]


def _titles(*blocks: str | list[str]) -> list[str]:
    lines = [[block] if isinstance(block, str) else block for block in blocks]
    return [clause.title for clause in find_clauses(lines).values()]


def test_titles_by_themselves_may_end_like_sentences_and_questions() -> None:
    blocks = ("0. Definitions.", TEXT, "1. Fishing Rights.", TEXT, "2. Who may fish?", TEXT)
    assert _titles(*blocks) == ["0. Definitions", "1. Fishing Rights", "2. Who may fish?"]


def test_titles_that_run_into_the_text() -> None:
    run_in = [f"{n}. Grant of {what} License. {TEXT[0]}" for n, what in enumerate("ABC", 1)]
    found = find_clauses([[line, TEXT[1]] for line in run_in])
    assert [clause.title for clause in found.values()] == [
        *("1. Grant of A License", "2. Grant of B License", "3. Grant of C License")
    ]
    assert {clause.rest for clause in found.values()} == {" ".join(TEXT)}


def test_a_title_may_wrap_and_one_may_be_missed() -> None:
    wrapped = [" 2. Who may fish in the lower", "    river in summer?"]
    blocks = (" 1. Who may fish?", TEXT, wrapped, TEXT, " 4. Who may not?", TEXT)
    second = "2. Who may fish in the lower river in summer?"
    assert _titles(*blocks) == ["1. Who may fish?", second, "4. Who may not?"]


@pytest.mark.parametrize(
    "blocks",
    [
        ("1. Nets", "2. Rods", "3. Boats"),
        ("1. Nets.", TEXT, "2. Rods.", TEXT),
        ("3. Nets.", TEXT, "4. Rods.", TEXT, "5. Boats.", TEXT),
        ("1. Nets.", TEXT, "7. Rods.", TEXT, "15. Boats.", TEXT),
        tuple(f"{n}. You may fish with a net. It is wide enough to catch." for n in (1, 2, 3)),
    ],
    ids=["a list", "two", "from three", "with gaps", "sentences"],
)
def test_other_numbers_are_no_clauses(blocks: tuple[str | list[str], ...]) -> None:
    assert _titles(*blocks) == []
