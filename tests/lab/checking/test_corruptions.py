from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.grounding.quantities import figures
from longsum.lab.checking.corruptions import NAMED, NUMERIC, Swaps, exchange, negate
from longsum.language.words import terms

DOCUMENT = [
    "Alice Smith paid $40 in 2019 for the Acme Bank.",
    "Bob Jones paid $55 in 2020, and 17 boats came.",
    "In the end 23 trains belonged to Carla Diaz.",
]
CLAIM = "Alice Smith paid $40 for 23 trains in 2019."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The law was renewed.", "The law was not renewed."),
        ("The law was not renewed.", "The law was renewed."),
        ("It wasn't renewed.", "It was renewed."),
        ("They can swim.", "They cannot swim."),
        ("Boats came.", None),
    ],
)
def test_negation(sentence: str, expected: str | None) -> None:
    found = negate(sentence, Random(0))
    assert (found and found.text) == expected


@given(st.integers())
def test_swaps_are_of_the_same_kind_and_of_the_document(seed: int) -> None:
    swaps = Swaps(DOCUMENT)
    named = swaps.swap(CLAIM, NAMED, Random(seed))
    assert named is not None
    assert named.kind == "entity_swap"
    new = named.text[named.start : named.end]
    assert any(new in sentence for sentence in DOCUMENT)
    assert not set(terms(new)) & set(terms(named.original))
    number = swaps.swap(CLAIM, NUMERIC, Random(seed))
    assert number is not None
    new = number.text[number.start : number.end]
    assert (new[0] == "$") == (number.original[0] == "$")
    assert not set(figures(new)) & set(figures(CLAIM))


@given(st.integers(), st.sampled_from(["negation", "entity_swap", "number_swap"]))
def test_only_one_place_changes_and_the_seed_decides(seed: int, kind) -> None:
    swaps = Swaps(DOCUMENT)
    claim = "It was Alice Smith who paid $40 in 2019."
    found = swaps.corrupt(claim, kind, Random(seed))
    assert found == swaps.corrupt(claim, kind, Random(seed))
    assert found is not None
    restored = found.text[: found.start] + found.original + found.text[found.end :]
    assert restored == claim


def test_each_kind_is_a_change_of_its_own():
    swaps = Swaps(["The law was renewed by both houses.", "The bridge was closed in May."])
    claim = "Alice Smith was met by Bob Jones."
    for kind, change in (
        ("negation", negate),
        ("role_swap", exchange),
        ("predicate", swaps.with_other_predicate),
    ):
        found = swaps.corrupt(claim, kind, Random(3))
        assert found == change(claim, Random(3))
        assert found is not None


def test_without_a_replacement_nothing_changes() -> None:
    assert Swaps(["Boats came."]).swap(CLAIM, NAMED, Random(0)) is None
    # Acronyms are names.
    swapped = Swaps(["So says UNESCO."]).corrupt("It was NASA that came.", "entity_swap", Random(0))
    assert swapped is not None
    assert swapped.text == "It was UNESCO that came."


@given(st.integers())
def test_exchanged_names_or_numbers_are_still_there(seed: int) -> None:
    claim = "Alice Smith sold 17 boats to Bob Jones for $40."
    found = exchange(claim, Random(seed))
    assert found is not None
    assert found.text == "Bob Jones sold 17 boats to Alice Smith for $40."
    assert found.text[found.start : found.end] == "Bob Jones sold 17 boats to Alice Smith"
    for alone in ("Alice Smith sold 17 boats.", "Alice Smith met Alice Jones.", "It was 17 of 17."):
        assert exchange(alone, Random(seed)) is None


@given(st.integers())
def test_a_predicate_is_that_of_another_sentence(seed: int) -> None:
    swaps = Swaps(["The law was renewed by both houses.", "The bridge was closed in May."])
    found = swaps.with_other_predicate("The old bridge was closed in May.", Random(seed))
    assert found is not None
    assert found.text == "The old bridge was renewed by both houses."
    assert found.text[found.start :] == "was renewed by both houses."
    assert swaps.with_other_predicate("It was closed.", Random(seed)) is None
    assert swaps.with_other_predicate("The old bridge has no name.", Random(seed)) is None
