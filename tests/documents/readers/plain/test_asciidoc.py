from time import process_time

import pytest

from linear_time import assert_linear
from longsum.documents.model import Source
from longsum.documents.readers import read_bytes
from longsum.documents.readers.plain.asciidoc import is_asciidoc, read_asciidoc
from longsum.documents.readers.plain.asciidoc_text import Limited, plain
from tables import rows


@pytest.mark.parametrize(
    ("written", "said"),
    rows(__file__, "markup_says_nothing")
)  # fmt: skip
def test_markup_is_removed(written, said) -> None:
    assert plain(written, {"product": "Gauge"}) == said


@pytest.mark.parametrize(
    ("text", "named", "found"), rows(__file__, "asciidoc_is_known_by_several_signs_or_by_its_name")
)
def test_asciidoc_is_known_by_several_signs_or_by_its_name(text, named, found) -> None:
    assert is_asciidoc(text, named=named) is found


def test_it_is_known_by_its_first_characters() -> None:
    marks = "\n+\n<<a>> link:b["
    for before, found in ((65_536 - len(marks), True), (65_537 - len(marks), False)):
        assert is_asciidoc(before * "x" + marks) is found


@pytest.mark.parametrize(
    ("marks", "titled"), [(2, False), (3, True), (6, True), (9, True), (10, False)]
)
def test_an_underline_differs_by_three_characters_at_most(marks, titled) -> None:
    text = f"= Land\n\nRivers\n{'-' * marks}\nThey flow.\n\n== Lakes\n\nThey lie.\n"
    document = read_asciidoc(text, Source("a.adoc", "asciidoc"))
    assert ("Rivers" in [section.title for section in document.sections]) is titled


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit", ["*a", "_a ", "`a", "[[a", "<<a,", "((a", "link:a[", "{a", "a::\n", "= a\n", "+\na\n"]
)
def test_markup_is_read_in_linear_time(unit) -> None:
    def read(size: int) -> None:
        text = ":a: b\n\n" + unit * (size // len(unit))
        read_asciidoc(text, Source("a.adoc", "asciidoc"))

    assert_linear(read, 100_000)


def test_the_expansion_of_long_attributes_is_limited() -> None:
    value = "water " * 10_000
    often = (
        "= Rivers\n:much: {}\n:name: Elbe\n\nThe {{name}} is long, see <<mouth>>.\n\n{}\n".format(
            value, "{much} " * 5_000
        )
    )
    text = read_bytes(often.encode(), "rivers.adoc").text
    assert "The Elbe is long" in text
    limited = Limited({"a": 250_000 * "x", "b": "y"})
    assert limited["a"] == limited["a"]
    assert list(limited) == ["a", "b"]
    with pytest.raises(KeyError):
        limited["b"]
    # Each of them would be a text of 300 million characters.
    assert len(text) < 1_000_000
    titled = f"= Rivers\n\n[[mouth]]\n== {'Mouth ' * 200}\n\n{'See <<mouth>>. ' * 2_000}\n"
    assert len(read_bytes(titled.encode(), "rivers.adoc").text) < 1_000_000


def test_many_attributes_take_no_time_in_each_paragraph() -> None:
    # Each paragraph would look at all of them.
    known: dict[str, str] = {f"a{number}": "b" for number in range(100_000)}
    began = process_time()
    assert all(plain("Dams hold {a7} back.", known) == "Dams hold b back." for _ in range(1_000))
    assert process_time() - began < 1
