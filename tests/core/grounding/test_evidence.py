from itertools import permutations
from math import log
from types import SimpleNamespace

import pytest

from longsum.core.grounding.evidence import (
    FEATURES,
    FIGURE_SWAPS,
    NAME_SWAPS,
    Evidence,
    swap_probability,
    values_of,
)
from longsum.language.entities import Entity, entities

SENTENCES = [
    "In May 2019 Alice Smith paid 40 dollars for apples.",
    "Later Bob Jones bought 12 pears from Alice Smith.",
    "Nobody bought plums.",
]


def entity(text: str, wanted: str):
    return next(each for each in entities(text) if each.text == wanted)


def test_a_sentence_of_the_document_supports_its_own_names() -> None:
    evidence = Evidence(SENTENCES)
    for place, sentence in enumerate(SENTENCES):
        for each in entities(sentence):
            found = evidence.support(sentence, each)
            assert place in evidence.places(each)
            assert found.said == pytest.approx(1.0)
            assert found.around == pytest.approx(1.0)
            assert found.adjacent == pytest.approx(1.0)


def test_support_by_hand() -> None:
    claim = "Bob Jones paid for apples."
    found = Evidence(SENTENCES).support(claim, entity(claim, "Bob Jones"))
    # "paid" and "apples", each in one of three sentences, are where the other name is.
    assert (found.said, found.place) == (0.0, 1)
    assert found.near == pytest.approx(1.0)
    assert (found.rival, found.best) == (pytest.approx(1.0), pytest.approx(1.0))
    assert (found.rival_text, found.rival_place) == ("Alice Smith", 0)
    assert found.mentions == pytest.approx(log(2))
    assert found.words == pytest.approx(log(3))
    # Two words; of a figure characters count, of several figures those of the longest.
    assert found.length == pytest.approx(2 / 6)
    for claim, length in (("It cost 1,200 dollars.", 4), ("They met on 12 May 2019.", 3)):
        assert Evidence(SENTENCES).support(claim, entities(claim)[0]).length == length / 6


def test_only_an_entity_of_the_same_kind_is_a_rival() -> None:
    claim = "In 1931 Alice Smith paid 40 dollars for apples."
    found = [Evidence(SENTENCES).support(claim, each).rival_text for each in entities(claim)]
    assert found == ["May 2019", "Bob Jones", ""]


def test_of_equally_good_places_the_first_is_found() -> None:
    sentences = [f"Alice Smith met {who}." for who in ("Ann", "Eve")]
    said = ["Nobody came.", sentences[0], *["It rained."] * 6, sentences[1]]
    claim = "Alice Smith sang."
    assert Evidence(said).support(claim, entity(claim, "Alice Smith")).place == 1


def test_a_missing_entity_has_no_place() -> None:
    found = Evidence(SENTENCES).support(
        "Eve paid 7 dollars.", entity("Eve paid 7 dollars.", "7 dollars")
    )
    assert found.place == -1
    assert found.rival_text == "40 dollars"
    # An empty document supports nothing.
    found = Evidence([]).support("It cost 7 dollars.", entity("It cost 7 dollars.", "7 dollars"))
    assert found.features == (0.0,) * 9 + (found.words, found.length)


@pytest.mark.parametrize(
    ("text", "same"),
    [("4,500,000 dollars", "$4.5 million"), ("12 May 2019", "May 12, 2019"), ("J. Smith", "Smith")],
)
def test_other_spellings_have_the_same_values(text: str, same: str) -> None:
    one, other = (values_of(entities(f"We saw {each} there.")[0]) for each in (text, same))
    assert one == other


@pytest.mark.parametrize(
    ("swaps", "probability", "threshold"),
    [(NAME_SWAPS, 0.3894, 0.49), (FIGURE_SWAPS, 0.4278, 0.55)],
)
def test_the_fitted_weights_are_used(swaps, probability, threshold) -> None:
    told = SimpleNamespace(features=[number / 10 for number in range(1, len(FEATURES) + 1)])
    assert swap_probability(told, swaps.weights) == pytest.approx(probability, abs=1e-4)
    assert swaps.threshold == threshold
    # No value is too large.
    for most in (1e6, -1e6):
        told = SimpleNamespace(features=[most] * len(FEATURES))
        assert swap_probability(told, swaps.weights) == pytest.approx(float(most < 0), abs=1e-6)


@pytest.mark.parametrize(
    "names",
    [
        ("USSR", "Soviet Union", "Soviets"),
        ("US", "USA", "United States", "America", "Americans"),
        ("UK", "United Kingdom", "Britain", "Great Britain", "British"),
        ("EU", "European Union"),
        ("UN", "United Nations"),
    ],
)
def test_well_known_names_match_their_variants(names: tuple[str, ...]) -> None:
    elsewhere = Evidence(["It was signed by the Norwegians in May."])
    for name, other in permutations(names, 2):
        known = Entity(name, "name", 0, len(name))
        assert Evidence([f"It was signed by the {other} in May."]).reworded(known, (0,))
        assert not elsewhere.reworded(known, (0,))
