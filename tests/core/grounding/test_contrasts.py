"""Negations, hedges, reversals and exchanges between two texts."""

import pytest

from longsum.core.grounding.denials import contrary, negated, undenied, unhedged
from longsum.core.grounding.exchanges import exchanged, replaced
from longsum.core.grounding.oppositions import opposed, other_steps
from longsum.core.grounding.stemmed_text import StemmedText
from longsum.language.entities import entities


def texts(one, other):
    return StemmedText.of(one), StemmedText.of(other)


@pytest.mark.parametrize(
    ("claim", "source", "denies"),
    [
        ("The town has a plan for the river.", "The town has no plan for the river.", True),
        ("The town has no plan for the river.", "The town has a plan for the river.", True),
        ("The town has no plan for the river.", "The town lacks a plan for the river.", False),
        ("There is no doubt that the town has a plan for the river.",
         "The town has a plan for the river.", False),
        ("The town did not sell the mill but has a plan for the river.",
         "The town did not sell the mill and has no plan for the river.", True),
        ("The town did not sell the mill and has no plan for the river.",
         "The town did not sell a mill, did not sell a barn and has a plan for the river.", True),
        ("The river has a bridge.", "No town has asked a painter to show the river.", False),
        ("The mayor was unaware of the plan for the river.",
         "The mayor was not aware of the plan for the river.", False),
    ],
)  # fmt: skip
def test_a_negation_that_only_one_side_has(claim, source, denies):
    assert bool([*contrary(*texts(claim, source))]) is denies


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The law was not renewed in time.", ["renewed", "time"]),
        ("It doesn't matter.", ["matter"]),
        ("Not only boats but trains came.", []),
        ("See No. 5 of the list.", []),
        ("Trains ran without delay.", ["delay"]),
        ("Boats came.", []),
    ],
)
def test_negated_words(text: str, terms: list[str]) -> None:
    assert [term for term, _ in negated(text)] == terms


def test_a_negation_of_the_claim_that_no_source_has() -> None:
    claim = "The town did not sell the mill by the river."
    for source, found in (
        ("The town sold the mill by the river.", ["not sell the mill"]),
        ("The town never sold the mill by the river.", []),
    ):
        own, other = texts(claim, source)
        assert [claim[slice(*span)] for span in undenied(own, [other])] == found


@pytest.mark.parametrize("hedge", ["may", "might", "plans to", "perhaps"])
def test_a_claim_drops_the_hedge_of_its_source(hedge):
    source = f"The council {hedge} close the bridge on the river in winter."
    claim = "The council will close the bridge on the river in winter."
    assert not [*unhedged(*texts(claim, source))]
    claim = "The council closed the bridge on the river in winter."
    ((_, there),) = unhedged(*texts(claim, source))
    assert source[slice(*there)] == f"{hedge} close"
    assert not [*unhedged(*texts(source, source))]


def test_opposites_are_compared_by_their_surroundings():
    source = (
        "The office found the error after the data on lakes and rivers had been released, "
        "but before those on ponds were."
    )
    for claim, turned in (
        ("The office found the error before the data on lakes and rivers had been released.", True),
        ("The office found the error after the data on lakes and rivers had been released.", False),
    ):
        own, other = texts(claim, source)
        assert bool([*opposed(own, [other])]) is turned, claim


def test_another_source_with_the_claims_direction_confirms_it():
    claim, source = texts(
        "Sales of bread rose in the spring.", "Sales of bread fell in the spring of that year."
    )
    assert [*opposed(claim, [source])]
    same = StemmedText.of("Sales of bread rose in the spring.")
    assert not [*opposed(claim, [source, same])]
    # A word of two pairs is reported once.
    claim, source = texts("Boats always cross the river.", "Boats may sometimes cross the river.")
    assert len([*opposed(claim, [source])]) == 1


@pytest.mark.parametrize(
    ("claim", "source", "differs"),
    [
        ("Half a billion dollars went to the ports.", "$508 million dollars went to the ports.", 0),
        ("Half a trillion went to ports in Norway.", "$508 million went to ports in Norway.", 1),
        ("The last century of the port was calm.", "The last 100 years of the port were calm.", 0),
        ("The last decade of the port was calm.", "The last 100 years of the port were calm.", 1),
        ("The port closed for a year and a half.", "The port closed for 18 months.", 0),
        ("The repair of ports takes four months.", "The repair of ports takes fourteen months.", 1),
        ("The repair of ports takes fourteen months.", "The repair of ports takes 14 months.", 0),
        ("A thousand tons crossed four ports.", "1,000 tons crossed nine ports.", 1),
        ("The port has three cranes and five ships.", "The port has three cranes and three ships.",
         1),
    ],
)  # fmt: skip
def test_equal_quantities_in_other_words_do_not_differ(claim, source, differs):
    assert len([*other_steps(*texts(claim, source), [source])]) == differs


@pytest.mark.parametrize(
    ("claim", "source", "turned"),
    [
        ("Anna Berg sold the mill to Carl Lund.", "Carl Lund sold the mill to Anna Berg.", True),
        ("Anna Berg sold the mill to Carl Lund.", "Anna Berg sold the mill to Carl Lund.", False),
        ("The mill was sold by Anna Berg.", "Anna Berg sold the mill to Carl Lund.", False),
        ("Goods make up more than half of output, services less than half.",
         "Services make up more than half of output, goods less than half.", True),
        ("Bread, cakes, jam, tea and pies are sold.", "Pies, cakes, jam, tea and bread are sold.",
         False),
    ],
)  # fmt: skip
def test_phrases_that_change_places(claim, source, turned):
    found = exchanged(*texts(claim, source), entities(claim), entities(source))
    assert bool([*found]) is turned


def test_a_replaced_value_is_reported_with_the_one_in_its_place():
    source = "The mill opened in 1901, and in the end the bank of Bergen failed in 1911."
    claim = "The bank of Bergen failed in 1901."
    (found,) = replaced(*texts(claim, source), entities(claim), entities(source))
    assert [each.text for each in found] == ["1901", "1911"]
    claim = "The bank of Bergen failed in 1911."
    assert not [*replaced(*texts(claim, source), entities(claim), entities(source))]
