import pytest

from longsum.documents.readers.plain.numbered_clauses import find_clauses

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
        "1. Grant of A License",
        "2. Grant of B License",
        "3. Grant of C License",
    ]
    assert {clause.rest for clause in found.values()} == {" ".join(TEXT)}


def test_a_title_may_wrap_and_one_may_be_missed() -> None:
    wrapped = [" 2. Who may fish in the lower", "    river in summer?"]
    blocks = (" 1. Who may fish?", TEXT, wrapped, TEXT, " 4. Who may not?", TEXT)
    assert _titles(*blocks) == [
        "1. Who may fish?",
        "2. Who may fish in the lower river in summer?",
        "4. Who may not?",
    ]


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
