"""ROUGE, METEOR and BLEU: parity with other packages, and pitfalls that change the numbers."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.aspects import PAPER, Labelled
from longsum.evaluation.metrics.reference_scores import (
    METRICS,
    Score,
    aspect_recall,
    aspect_shares,
    bleu4,
    corpus_bleu,
    meteor,
    meteor_variant,
    rouge,
    rouge_variant,
)
from longsum.language.sentences import split_sentences
from longsum.language.words import terms

ZERO = Score(0.0, 0.0, 0.0)
sentence = st.lists(
    st.sampled_from(["cats", "cat", "running", "run", "the", "dogs", "\n", "sat."]), max_size=9
).map(" ".join)


def by_lines(text: str) -> str:
    return "\n".join(" ".join(text[a:b].split()) for a, b in split_sentences(text))


@settings(max_examples=examples(40))
@given(sentence, st.lists(sentence, min_size=1, max_size=3))
@example("The dog barked. The cat slept.", ["The cat slept. The dog barked."])
@example("The dog barked at the\nsmall grey cat.", ["The small grey cat saw the dog."])
def test_equal_to_the_package(prediction: str, references: list[str]) -> None:
    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    plain = scorer.score_multi(references, prediction)
    lines = scorer.score_multi([by_lines(text) for text in references], by_lines(prediction))
    ours = rouge(prediction, references)
    for name in METRICS:
        theirs = lines if name == "rougeLsum" else plain
        assert ours[name] == Score(*theirs[name])


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [("", "a cat"), ("a cat", ""), ("", ""), ("a", "b"), (" \n", "…"), ("猫", "猫")],
)
def test_empty_sides_give_zeros(prediction: str, reference: str) -> None:
    assert set(rouge(prediction, [reference]).values()) == {ZERO}
    assert bleu4(prediction, reference if prediction != reference else "") == 0


def test_no_reference_is_refused() -> None:
    for score in (rouge, meteor):
        with pytest.raises(LongsumError, match="at least one reference"):
            score("a cat", [])


def test_variant_names_every_setting() -> None:
    assert rouge_variant().endswith("|stem=yes|Lsum=union-LCS over nupunkt sentences|F1")
    assert rouge_variant().startswith("rouge-score 0.")


class Synset:
    def __init__(self, *names: str) -> None:
        self._names = names

    def lemmas(self) -> list["Synset"]:
        return [Synset(name) for name in self._names]

    def name(self) -> str:
        return self._names[0]


class WordNet:
    """A WordNet that only knows some synonyms."""

    def __init__(self, *known: str) -> None:
        self._known = known

    def synsets(self, word: str) -> list[Synset]:
        return [Synset(*self._known)] if word in self._known else []


@pytest.fixture(params=[None, WordNet("car", "auto")])
def wordnet(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> object:
    import sys

    module = sys.modules["longsum.evaluation.metrics.reference_scores"]
    monkeypatch.setattr(module, "_installed_wordnet", lambda: request.param)
    return request.param


@pytest.mark.parametrize("seed", range(10))
def test_meteor_equals_that_of_nltk(wordnet: object, seed: int) -> None:
    import random

    draw = random.Random(seed)
    words = ["cats", "cat", "car", "auto", "The", "sat,", "sitting", "sits"]
    texts = [" ".join(draw.choices(words, k=draw.randrange(12))) for _ in range(3)]
    expected = meteor_score(
        [terms(reference) for reference in texts[1:]], terms(texts[0]), wordnet=wordnet or WordNet()
    )
    assert meteor(texts[0], texts[1:]) == expected
    assert meteor("", texts[1:]) == meteor(texts[0], [""]) == 0


def test_synonyms_count_only_with_wordnet(wordnet: object) -> None:
    assert (meteor("car", ["auto"]) > 0) == (wordnet is not None)
    assert ("reduced: no WordNet" in meteor_variant()) == (wordnet is None)


TEXTS = st.lists(st.sampled_from(["a", "b", "c", ",", "12"]), min_size=1, max_size=9).map(" ".join)


def test_nothing_in_common_and_nothing_at_all():
    assert corpus_bleu(["x"], ["a"]) == 0
    assert corpus_bleu([""], ["a"]) == 0
    with pytest.raises(ValueError, match="zip"):
        corpus_bleu(["a"], [])


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_it_equals_sacrebleu(pairs):
    sacrebleu = pytest.importorskip("sacrebleu")
    own, other = ([pair[side] for pair in pairs] for side in (0, 1))
    made = sacrebleu.corpus_bleu(own, [other], tokenize="none", smooth_method="none", force=True)
    assert corpus_bleu(own, other) == pytest.approx(made.score / 100)


words = st.lists(st.sampled_from(["What", "is", "it", "the", "?"]), max_size=12).map(" ".join)


@settings(max_examples=examples(200))
@given(words, words)
def test_bleu_equals_that_of_nltk(prediction: str, reference: str) -> None:
    bleu = pytest.importorskip(
        "nltk.translate.bleu_score", reason="nltk, the peer of this test, is not installed"
    )
    own, other = (re.findall(r"\w+|\?", text.lower()) for text in (prediction, reference))
    smoothing = bleu.SmoothingFunction().method2
    theirs = bleu.sentence_bleu([other], own, smoothing_function=smoothing)
    assert bleu4(prediction, reference) == pytest.approx(theirs, abs=1e-12)


ONE = Labelled(PAPER, (("Rivers flood towns.", "introduction"), ("Dams held.", "results")))
OTHER = Labelled(PAPER, (("Rivers flood.", "introduction"), ("Nothing.", None)))


def test_recall_of_each_aspect() -> None:
    found = aspect_recall("The rivers flood fields, and dams broke.", [ONE])
    # 2 of 3 words and 1 of 2 pairs; 1 of 2 words and no pair.
    assert found["introduction"] == pytest.approx({"rouge1": 2 / 3, "rouge2": 1 / 2})
    assert found["results"] == pytest.approx({"rouge1": 1 / 2, "rouge2": 0})


def test_the_best_of_the_references_that_have_the_aspect_counts() -> None:
    found = aspect_recall("Rivers flood.", [ONE, OTHER])
    assert found["introduction"] == {"rouge1": 1, "rouge2": 1}
    assert found["results"] == {"rouge1": 0, "rouge2": 0}
    assert set(found) == {"introduction", "results"}


def test_shares_of_the_words() -> None:
    aspects = ["methods", None, "results"]
    # 10 words of methods, 5 of nothing, 5 without a source.
    assert aspect_shares([10, 5, 5], [0, 1, None], aspects) == {"methods": 0.5, "results": 0}
    assert aspect_shares([], [], aspects) == {"methods": 0, "results": 0}
