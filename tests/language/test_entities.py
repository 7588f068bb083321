"""Entities by rule: kinds, exact offsets, sentence beginnings, and time on hostile input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linear_time import assert_linear
from longsum.language.entities import entities


def found(text: str) -> list[tuple[str, str]]:
    return [(entity.kind, entity.text) for entity in entities(text)]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("it cost US$4bn then", "money", "US$4bn"),
        ("it cost 1,200 € then", "money", "1,200 €"),
        ("heated to 5 °C for long", "quantity", "5 °C"),
        ("on March 3, 2020, they", "date", "March 3, 2020"),
        ("on 2020-03-03 they", "date", "2020-03-03"),
        ("in the 1990s they", "date", "1990s"),
        ("as p < .05 here", "number", ".05"),
        ("in the U.S. it", "acronym", "U.S."),
        ("the CO2 in it", "acronym", "CO2"),
        ("the COVID-19 in it", "acronym", "COVID-19"),
    ],
)
def test_kinds(text: str, kind: str, expected: str) -> None:
    assert found(text) == [(kind, expected)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by the Department of the Treasury it", ["Department of the Treasury"]),
        ("by the Food and Drug Administration it", ["Food and Drug Administration"]),
        ("by Barack Obama and Joe Biden it", ["Barack Obama", "Joe Biden"]),
        ("by Ludwig van Beethoven's pen it", ["Ludwig van Beethoven"]),
        ("by Dr. J. Smith it", ["J. Smith"]),
        ("since World War II it", ["World War II"]),
        ("by Obama\n\nCongress it", ["Obama"]),  # no name runs over a paragraph's end
        ("in vitamin D it", []),
    ],
)
def test_names(text: str, expected: list[str]) -> None:
    assert [entity.text for entity in entities(text) if entity.kind == "name"] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Officials agreed. They left.", []),  # the beginning of a sentence is no name
        ("Congress agreed. They left Congress.", [("name", "Congress")] * 2),
        ("Yesterday Obama spoke, and yesterday was fine.", [("name", "Obama")]),
        ("the 5_a of it", []),
        ("from 10–20 mm on", [("number", "10"), ("quantity", "20 mm")]),
        ("paid 5 USD 10 more", [("money", "5 USD"), ("number", "10")]),
        (
            "by Barack Obama March 3, 2020, it",
            [("name", "Barack Obama"), ("date", "March 3, 2020")],
        ),
        ("", []),
    ],
)
def test_boundaries_of_entities(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


pieces = st.lists(
    st.sampled_from(
        ["Aa", "the", "of", "and", "NASA", "3", "$", "%", "May", ".", ",", " ", "\n", "\n\n", "’s"]
    ),
    max_size=30,
).map("".join)


@given(st.one_of(pieces, st.text(max_size=60)))
def test_offsets_are_exact_ordered_and_apart(text: str) -> None:
    reached = 0
    for entity in entities(text):
        assert text[entity.start : entity.end] == entity.text
        assert reached <= entity.start < entity.end
        reached = entity.end


@pytest.mark.timing
@pytest.mark.parametrize(
    "piece",
    ["1", "1,", "$1 ", "1 USD ", "A", "A ", "A.", "U.S", "Aa of Bb and ", "Aa and ", "\n ", "A-1 "],
)
def test_time_is_linear_on_hostile_text(piece: str) -> None:
    assert_linear(lambda size: entities((piece * size)[:size]), 100_000)
