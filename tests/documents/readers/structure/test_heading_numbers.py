"""Which numbers open headings, and which of them count through a document."""

import pytest

from longsum.documents.readers.structure.heading_numbers import (
    Number,
    heading_number,
    in_sequence,
    roman_value,
)
from tables import rows


@pytest.mark.parametrize(("text", "number"), rows(__file__, "numbers_of_headings"))
def test_numbers_of_headings(text: str, number) -> None:
    found = heading_number(text)
    assert found == Number(**number | {"parts": tuple(number["parts"])})
    assert found is not None
    assert found.depth == len(number["parts"])


@pytest.mark.parametrize("text", rows(__file__, "what_is_no_number_of_a_heading"))
def test_numbers_that_are_not_heading_numbers(text: str) -> None:
    assert heading_number(text) is None


def test_a_roman_number_of_one_letter_is_a_letter_too() -> None:
    letters = dict(zip("IVXLC", (9, 22, 24, 12, 3), strict=True))
    for letter, place in letters.items():
        number = heading_number(f"{letter}. Aims")
        assert number is not None
        assert number.read_as("letter") == (place,)
        assert number.read_as("arabic") is None
    two = heading_number("II. Aims")
    assert two is not None
    assert (two.read_as("roman"), two.read_as("letter")) == ((2,), None)


@pytest.mark.parametrize(
    ("titles", "counted"), rows(__file__, "numbers_that_count_through_a_document")
)
def test_numbers_that_count_through_a_document(titles: str, counted: str) -> None:
    numbers = [heading_number(title) for title in titles.split("|")]
    found = in_sequence(numbers, [0.0] * len(numbers))
    assert "".join(str(int(each)) for each in found) == counted


def test_of_two_lines_with_a_number_the_likelier_heading_counts() -> None:
    numbers = [heading_number(title) for title in ("1 A", "2 B", "2 C")]
    for scores, counted in (([0, 0, 1], [True, False, True]), ([0, 5, 9], [True, True, False])):
        assert in_sequence(numbers, scores) == counted
    titles = ["1 Aims", "1. item", "2. item", "1.1 Scope", "2 Means", "2.1 Ways"]
    numbers = [heading_number(title) for title in titles]
    items = [2.0, -3.0, -3.0, 2.0, 2.0, 2.0]
    assert in_sequence(numbers, items) == [score > 0 for score in items]


def test_values_of_roman_numbers() -> None:
    values = {"": 0, "i": 1, "IV": 4, "xl": 40, "MCMXC": 1990, "cd": 400}
    assert {number: roman_value(number) for number in values} == values
