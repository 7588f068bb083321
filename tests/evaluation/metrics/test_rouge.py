"""ROUGE: parity with rouge-score, and the traps that make its numbers differ."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.metrics import RougeConfig, Score, rouge
from longsum.evaluation.metrics.rouge import METRICS
from longsum.language.sentences import split_sentences

ZERO = Score(0.0, 0.0, 0.0)
sentence = st.lists(
    st.sampled_from(["cats", "cat", "running", "run", "the", "dogs", "\n", "sat."]), max_size=9
).map(" ".join)


def by_lines(text: str) -> str:
    return "\n".join(" ".join(text[a:b].split()) for a, b in split_sentences(text))


@settings(max_examples=examples(40))
@given(sentence, st.lists(sentence, min_size=1, max_size=3), st.booleans())
@example("The dog barked. The cat slept.", ["The cat slept. The dog barked."], True)
@example("The dog barked at the\nsmall grey cat.", ["The small grey cat saw the dog."], True)
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


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [("", "a cat"), ("a cat", ""), ("", ""), (" \n", "…"), ("猫", "猫")],
)
def test_empty_sides_give_zeros(prediction: str, reference: str) -> None:
    assert set(rouge(prediction, [reference]).values()) == {ZERO}


def test_no_reference_is_refused() -> None:
    with pytest.raises(LongsumError, match="at least one reference"):
        rouge("a cat", [])


def test_variant_names_every_setting() -> None:
    assert RougeConfig().variant.endswith("|stem=yes|Lsum=union-LCS over nupunkt sentences|F1")
    assert RougeConfig().variant.startswith("rouge-score 0.")
    assert "stem=no|Lsum=union-LCS over lines" in RougeConfig(False, "lines").variant
