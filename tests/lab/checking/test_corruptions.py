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
    assert negate(sentence, Random(0)) == expected


def _difference(before: str, after: str | None) -> tuple[str, str]:
    """Return the words that are replaced, and those in their place."""
    assert after is not None
    old, new = before.split(), after.split()
    for end in (0, -1):
        while old and new and old[end] == new[end]:
            del old[end], new[end]
    return " ".join(old).rstrip("."), " ".join(new).rstrip(".")


@given(st.integers())
def test_swaps_are_of_the_same_kind_and_of_the_document(seed: int) -> None:
    swaps = Swaps(DOCUMENT)
    old, new = _difference(CLAIM, swaps.swap(CLAIM, NAMED, Random(seed)))
    assert any(new in sentence for sentence in DOCUMENT)
    assert not set(terms(new)) & set(terms(old))
    old, new = _difference(CLAIM, swaps.swap(CLAIM, NUMERIC, Random(seed)))
    assert (new[0] == "$") == (old[0] == "$")
    assert not set(figures(new)) & set(figures(CLAIM))


@given(st.integers(), st.sampled_from(["negation", "entity_swap", "number_swap"]))
def test_only_one_place_changes_and_the_seed_decides(seed: int, kind) -> None:
    swaps = Swaps(DOCUMENT)
    claim = "It was Alice Smith who paid $40 in 2019."
    found = swaps.corrupt(claim, kind, Random(seed))
    assert found == swaps.corrupt(claim, kind, Random(seed))
    old, new = _difference(claim, found)
    assert (old, new) == ("", "not") or old in ("Alice Smith", "$40", "2019")


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


def test_nothing_to_put_there_changes_nothing() -> None:
    assert Swaps(["Boats came."]).swap(CLAIM, NAMED, Random(0)) is None
    # Acronyms are names.
    swapped = Swaps(["So says UNESCO."]).corrupt("It was NASA that came.", "entity_swap", Random(0))
    assert swapped == "It was UNESCO that came."


@given(st.integers())
def test_names_or_numbers_that_change_places_are_still_there(seed: int) -> None:
    claim = "Alice Smith sold 17 boats to Bob Jones for $40."
    found = exchange(claim, Random(seed))
    assert found == "Bob Jones sold 17 boats to Alice Smith for $40."
    for alone in ("Alice Smith sold 17 boats.", "Alice Smith met Alice Jones.", "It was 17 of 17."):
        assert exchange(alone, Random(seed)) is None


@given(st.integers())
def test_a_predicate_is_that_of_another_sentence(seed: int) -> None:
    swaps = Swaps(["The law was renewed by both houses.", "The bridge was closed in May."])
    found = swaps.with_other_predicate("The old bridge was closed in May.", Random(seed))
    assert found == "The old bridge was renewed by both houses."
    assert swaps.with_other_predicate("It was closed.", Random(seed)) is None
    assert swaps.with_other_predicate("The old bridge has no name.", Random(seed)) is None
