"""ROUGE: parity with rouge-score, and the traps that make its numbers differ."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from effort import examples
from longsum.errors import LongsumError
from longsum.evaluation import RougeConfig, Score, rouge
from longsum.evaluation.rouge import METRICS
from longsum.language.sentences import split_sentences

ZERO = Score(0.0, 0.0, 0.0)
sentence = st.lists(
    st.sampled_from(["cats", "cat", "running", "run", "the", "dogs", "\n", "sat."]), max_size=9
).map(" ".join)


def by_lines(text: str) -> str:
    return "\n".join(" ".join(text[a:b].split()) for a, b in split_sentences(text))


@settings(max_examples=examples(40))
@given(sentence, st.lists(sentence, min_size=1, max_size=3), st.booleans())
def test_equal_to_the_package(prediction: str, references: list[str], stemmer: bool) -> None:
    scorer = RougeScorer(list(METRICS), use_stemmer=stemmer)
    plain = scorer.score_multi(references, prediction)
    lines = scorer.score_multi([by_lines(text) for text in references], by_lines(prediction))
    ours = rouge(prediction, references, RougeConfig(stemmer=stemmer))
    as_lines = rouge(prediction, references, RougeConfig(stemmer=stemmer, splitter="lines"))
    for name in METRICS:
        theirs = lines if name == "rougeLsum" else plain
        assert ours[name] == Score(*theirs[name])
        assert as_lines[name] == Score(*plain[name])


def test_by_hand() -> None:
    # prediction: the cat sat (3 tokens); reference: the cat on the mat (5 tokens).
    scores = rouge("The cat sat.", ["The cat on the mat."])
    # the, cat shared: P 2/3, R 2/5, F 2·2/(3+5) = 0.5
    assert scores["rouge1"] == Score(2 / 3, 2 / 5, pytest.approx(0.5))
    # "the cat" shared: P 1/2, R 1/4, F 2·1/(2+4) = 1/3
    assert scores["rouge2"] == Score(1 / 2, 1 / 4, pytest.approx(1 / 3))
    # subsequence "the cat": as unigrams
    assert scores["rougeL"].fmeasure == pytest.approx(0.5)


def test_rouge_l_and_lsum_differ_when_sentences_change_places() -> None:
    prediction = "The dog barked loudly. The cat slept quietly."
    reference = "The cat slept quietly. The dog barked loudly."
    scores = rouge(prediction, [reference])
    assert scores["rougeL"].fmeasure == pytest.approx(4 / 8)  # one of the two sentences
    assert scores["rougeLsum"].fmeasure == pytest.approx(1.0)  # both, each for itself


def test_line_breaks_end_sentences_only_when_asked() -> None:
    wrapped = "The dog barked at the\nsmall grey cat."
    reference = "The small grey cat saw that the dog barked."
    flat = wrapped.replace("\n", " ")
    assert rouge(wrapped, [reference]) == rouge(flat, [reference])
    lines = RougeConfig(splitter="lines")
    # As one sentence the subsequence is "the dog barked" or "the small grey cat"; as two lines the
    # union of both counts.
    assert (
        rouge(wrapped, [reference], lines)["rougeLsum"].fmeasure
        > rouge(flat, [reference], lines)["rougeLsum"].fmeasure
    )


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [("", "a cat"), ("a cat", ""), ("", ""), (" \n", "…"), ("猫", "猫")],
)
def test_empty_sides_give_zeros(prediction: str, reference: str) -> None:
    assert set(rouge(prediction, [reference]).values()) == {ZERO}


def test_the_stemmer_matters() -> None:
    assert rouge("dogs running", ["dog runs"])["rouge1"].fmeasure == 1.0
    assert rouge("dogs running", ["dog runs"], RougeConfig(stemmer=False))["rouge1"] == ZERO


def test_each_metric_takes_its_own_best_reference() -> None:
    # First reference: all words, no bigram. Second: one bigram, but one word of three shared more.
    references = ["cat the sat", "the cat lay down there"]
    scores = rouge("the cat sat", references)
    assert scores["rouge1"] == rouge("the cat sat", references[:1])["rouge1"]
    assert scores["rouge2"] == rouge("the cat sat", references[1:])["rouge2"]
    assert scores["rouge2"].fmeasure > 0


def test_no_reference_is_refused() -> None:
    with pytest.raises(LongsumError, match="at least one reference"):
        rouge("a cat", [])


def test_variant_names_every_setting() -> None:
    assert RougeConfig().variant.endswith("|stem=yes|Lsum=union-LCS over nupunkt sentences|F1")
    assert RougeConfig().variant.startswith("rouge-score 0.")
    assert "stem=no|Lsum=union-LCS over lines" in RougeConfig(False, "lines").variant
