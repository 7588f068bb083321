"""METEOR: parity with nltk, the reduced form, and the form with synonyms."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.metrics import meteor as score
from longsum.evaluation.metrics import meteor_variant
from longsum.language.words import terms


class Synset:
    def __init__(self, *names: str) -> None:
        self._names = names

    def lemmas(self) -> list["Synset"]:
        return [Synset(name) for name in self._names]

    def name(self) -> str:
        return self._names[0]


class SmallWordNet:
    """Knows that a car is an auto, and nothing else."""

    def synsets(self, word: str) -> list[Synset]:
        return [Synset("car", "auto")] if word in ("car", "auto") else []


class EmptyWordNet:
    def synsets(self, _: str) -> list[Synset]:
        return []


text = st.lists(st.sampled_from(["cats", "cat", "car", "auto", "The", "sat,"])).map(" ".join)


@pytest.fixture(params=[None, SmallWordNet()])
def wordnet(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> object:
    import sys

    module = sys.modules["longsum.evaluation.metrics.meteor"]
    monkeypatch.setattr(module, "_installed_wordnet", lambda: request.param)
    return request.param


@pytest.mark.parametrize("seed", range(10))
def test_equal_to_nltk(wordnet: object, seed: int) -> None:
    import random

    draw = random.Random(seed)
    words = ["cats", "cat", "car", "auto", "The", "sat,", "sitting", "sits"]
    texts = [" ".join(draw.choices(words, k=draw.randrange(12))) for _ in range(3)]
    expected = meteor_score(
        [terms(reference) for reference in texts[1:]],
        terms(texts[0]),
        wordnet=wordnet or EmptyWordNet(),
    )
    assert score(texts[0], texts[1:]) == expected


def test_by_hand() -> None:
    # Three words, all matched in one chunk: P = R = 1, F = 1; penalty 0.5·(1/3)³ = 1/54.
    assert score("The cat sat.", ["the cat sat"]) == pytest.approx(1 - 1 / 54)
    # Matched by stem alone: one chunk of one word, penalty 0.5·1.
    assert score("cats", ["cat"]) == pytest.approx(0.5)


def test_synonyms_count_only_with_wordnet(wordnet: object) -> None:
    assert (score("car", ["auto"]) > 0) == (wordnet is not None)
    assert ("reduced: no WordNet" in meteor_variant()) == (wordnet is None)


@settings(max_examples=examples(30))
@given(text, text)
def test_in_the_unit_interval_and_zero_for_an_empty_side(prediction: str, reference: str) -> None:
    assert 0 <= score(prediction, [reference]) <= 1
    assert score("", [reference]) == score(prediction, [""]) == 0


def test_no_reference_is_refused() -> None:
    with pytest.raises(LongsumError, match="at least one reference"):
        score("a cat", [])
