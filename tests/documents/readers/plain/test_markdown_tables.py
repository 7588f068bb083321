"""Tables drawn with rules, as Pandoc writes them, become tables with bars."""

import pytest

from longsum.documents.readers import read_bytes
from longsum.documents.readers.plain.markdown_tables import RULE, ruled_table

_HEAD = "  River   Length\n"
_RULE = "  ------- --------------\n"
_ROWS = "  Elbe    1 | 2\n  Oder    three\n"
_FRAME = "  ----------------------\n"
_TALL = "  Elbe    one\n          two\n\n  Oder    three\n\n"


def _table(text: str) -> tuple[int, list[str], int] | None:
    lines = text.splitlines()
    rule = next(number for number, line in enumerate(lines) if RULE.fullmatch(line))
    return ruled_table(lines, rule)


@pytest.mark.parametrize(
    ("text", "first", "rows"),
    [
        (
            f"It rose.\n\n{_HEAD}{_RULE}{_ROWS}\nIt fell.",
            2,
            "|River|Length| |Elbe|1 \\\\| 2| |Oder|three|",
        ),
        (f"{_RULE}{_ROWS}{_RULE}", 0, "| | | |Elbe|1 \\\\| 2| |Oder|three|"),
        (
            f"{_FRAME}  The\n{_HEAD}{_RULE}{_TALL}{_FRAME}",
            0,
            "|The River|Length| |Elbe|one two| |Oder|three|",
        ),
        (f"{_RULE}{_TALL}{_RULE}", 0, "| | | |Elbe|one two| |Oder|three|"),
    ],
)
def test_each_form_becomes_rows_with_bars(text: str, first: int, rows: str) -> None:
    found = _table(text)
    assert found is not None
    top, head, below = found[0], found[1][:1], found[2]
    assert top == first
    assert found[1][1] == "|-|-|"
    assert " ".join(head + found[1][2:]) == rows.replace("\\\\", "\\")
    assert "".join(text.splitlines()[below:]) in ("", "It fell.")


@pytest.mark.parametrize(
    "text",
    [
        f"{_HEAD}{_RULE}",
        f"{_RULE}{_ROWS}",
        f"It rose\nand fell\n{_RULE}{_ROWS}",
        f"{_HEAD}{_RULE}  Elbe, which rose again in the night\n",
        f"{_FRAME}{_HEAD}{_RULE}{_TALL}",
    ],
)
def test_rows_that_are_not_aligned_or_closed_are_no_table(text: str) -> None:
    assert _table(text) is None


def test_a_table_is_left_out_but_not_the_text_around_it() -> None:
    text = f"# Rivers\n\nIt rose.\n\n{_HEAD}{_RULE}{_ROWS}\nIt fell.\n"
    document = read_bytes(text.encode(), "a.md")
    assert [sentence.text for sentence in document.sentences] == ["It rose.", "It fell."]
    assert [part.text.split() for part in document.omitted] == [
        ["River", "Length", "Elbe", "1", "|", "2", "Oder", "three"]
    ]
    code = read_bytes(f"# Rivers\n\nIt rose.\n\n```\n{_HEAD}{_RULE}{_ROWS}```\n".encode(), "a.md")
    assert [part.kind for part in code.omitted] == ["code block"]


@pytest.mark.parametrize(("columns", "table"), [(2, True), (61, True), (62, False)])
def test_a_table_has_few_columns(columns: int, table: bool) -> None:
    assert bool(RULE.fullmatch(" ".join(columns * ["--"]))) == table
