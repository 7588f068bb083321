import pytest

from linear_time import assert_linear
from longsum.documents.model import Source
from longsum.documents.readers import read_bytes
from longsum.documents.readers.plain.rst import is_rst, read_rst
from longsum.documents.readers.plain.rst_text import plain
from tables import rows


@pytest.mark.parametrize(
    ("written", "said"),
    rows(__file__, "markup_says_nothing")
)  # fmt: skip
def test_markup_is_removed(written, said) -> None:
    assert plain(written, {"it": "the Elbe"}, {"gauge", "__"}) == said


@pytest.mark.parametrize(
    ("text", "suffix", "found"), rows(__file__, "it_is_known_by_its_own_signs_or_by_its_name")
)
def test_it_is_known_by_its_own_signs_or_by_its_name(text, suffix, found) -> None:
    assert is_rst(text, suffix) is found


def test_it_is_known_by_its_first_characters() -> None:
    marks = "\n:ab:`c` ``d``"
    for before, found in ((65_536 - len(marks), True), (65_537 - len(marks), False)):
        assert is_rst(before * "x" + marks, ".txt") is found


def test_levels_follow_the_forms_of_titles() -> None:
    text = "====\nTop\n====\n\nOne\n===\n\nUp.\n\nTwo\n---\n\nDown.\n\nThree\n=====\n\nRun.\n"
    document = read_bytes(text.encode(), "a.rst")
    assert document.title == "Top"
    one, three = document.sections
    assert [one.title, three.title, one.children[0].title] == ["One", "Three", "Two"]
    inside = f"{text}\n- An item.\n\n  Low\n  ---\n\n  Far.\n"
    assert [each.title for each in read_bytes(inside.encode(), "a.rst").walk()][-1] == "Three"


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit",
    ["*a", "``a", "`a <b", "|a", "- ", "1. a\n", ".. _a:\n", "__ a\n", ":a: b\n", "=== ===\n"],
)  # fmt: skip
def test_it_is_read_in_linear_time(unit) -> None:
    def read(size: int) -> None:
        read_rst(unit * (size // len(unit)), Source("a.rst", "rst"))

    assert_linear(read, 50_000)


def test_lists_nested_too_deeply_are_text() -> None:
    text = "".join(f"{'  ' * depth}- river\n" for depth in range(1_000))
    assert read_bytes(text.encode(), "a.rst").text.count("river") == 1_000


def test_raw_html_may_be_a_comment() -> None:
    said = "The river rose in the night and took the bridge of the mill away."
    text = f"Rivers\n======\n\n{said}\n\n.. raw:: html\n\n   <!-- {said} -->\n"
    document = read_bytes(text.encode(), "a.rst")
    assert [each.text for each in document.sentences] == [said]
    assert [each.kind for each in document.omitted] == ["comment"]
