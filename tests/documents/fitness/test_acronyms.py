import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linear_time import assert_linear
from longsum.documents.fitness import acronyms
from longsum.documents.fitness.acronyms import definitions, use, uses
from tables import rows


@pytest.mark.parametrize(("marked", "acronym"), rows(__file__, "definitions"))
def test_definitions(marked, acronym):
    before, meaning, after = re.split(r"[\[\]]", marked)
    sentence = before + meaning + after
    ((name, found),) = definitions([sentence]).items()
    assert (name, found.meaning) == (acronym, meaning)
    assert (found.start, found.end) == (len(before), len(before + meaning))


@pytest.mark.parametrize("sentence", rows(__file__, "no_definitions"))
def test_no_definitions(sentence):
    assert definitions([sentence]) == {}


def test_the_first_definition_counts():
    texts = ["None.", "Proof of work (PoW) is slow.", "Power of women (PoW) is a song."]
    assert definitions(texts)["PoW"].sentence == 1


@pytest.mark.parametrize(("sentence", "after"), rows(__file__, "where_the_meaning_can_be_put"))
def test_where_a_meaning_can_be_inserted(sentence, after):
    found = use(sentence, "GAO")
    assert (None if found is None else sentence[:found]) == after


def test_uses_are_of_known_acronyms():
    known = definitions(["Proof of work (PoW) is slow.", "The limit of detection (LOD) is low."])
    assert uses("PoW and PoW and DNA.", known) == {"PoW": 3}
    assert uses("Nothing.", known) == {}


@given(st.lists(st.text("ABab c()-,;'", max_size=60), max_size=4))
def test_definitions_are_at_their_stated_places(texts):
    for acronym, found in definitions(texts).items():
        assert texts[found.sentence][found.start : found.end] == found.meaning
        assert found.meaning[0].lower() == acronym[0].lower()
        for text in texts:
            after = use(text, acronym)
            assert after is None or acronym in text[:after]


@pytest.mark.timing
@pytest.mark.parametrize("piece", ["(AB) ", "(", "AB ", "a b (AB", "AB (", "A", "a"])
def test_the_time_is_linear(piece):
    assert_linear(lambda size: definitions([piece * size]), 100_000)


def test_an_acronym_is_looked_for_once_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(acronyms, "use", lambda _, acronym: asked.append(acronym))
    sentence = "Wide Wet West (WWW) " * 9
    assert uses(sentence, definitions([sentence] * 2)) == {}
    assert asked == ["WWW"]
