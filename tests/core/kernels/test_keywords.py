import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.core.kernels.keywords import Keyword, candidate_phrases, keyword_counts, rake


def test_scores_by_hand() -> None:
    # Candidates: neural networks (twice), deep neural networks (once).
    # Frequency: neural 3, networks 3, deep 1. Degree: neural and networks 2·2 + 3 = 7, deep 3.
    # Scores: 7/3 + 7/3 = 14/3, and 14/3 + 3/1 = 23/3.
    keywords = rake(["Neural networks and deep neural networks", "of neural networks."])
    assert [(str(keyword), keyword.count) for keyword in keywords] == [
        ("neural networks", 2),
        ("deep neural networks", 1),
    ]
    assert [keyword.score for keyword in keywords] == pytest.approx([14 / 3, 23 / 3])


def test_order_is_by_count_then_score_then_first_use() -> None:
    keywords = rake(["Zinc. Iron. Copper wire. Iron. Tin. Zinc."])
    assert [str(keyword) for keyword in keywords] == ["zinc", "iron", "copper wire", "tin"]
    # Their number is limited.
    assert [str(keyword) for keyword in rake(["Zinc. Iron. Iron. Tin."], count=1)] == ["iron"]
    assert len(rake(f"Metal{number}." for number in range(60))) == 50


@pytest.mark.parametrize(
    ("sentence", "phrases"),
    [
        ("Deep networks of the brain", ["deep networks", "brain"]),
        (
            "Cells, genes (proteins); enzymes: acids.",
            ["cells", "genes", "proteins", "enzymes", "acids"],
        ),
        ("state-of-the-art models — fast ones", ["state-of-the-art models", "fast"]),
        ("zinc - iron -- tin", ["zinc", "iron", "tin"]),
        ("Smith's data/metadata", ["smith's data", "metadata"]),
        ("snake_case", ["snake", "case"]),
        ("2019 of 3 tests", ["3 tests"]),
        ("x of y", []),
        ("one big red iron garden gate", []),  # more than four terms after the stop word
        ("big red iron gate", ["big red iron gate"]),
        ("the of and", []),
        ("", []),
    ],
)
def test_candidates(sentence: str, phrases: list[str]) -> None:
    assert [" ".join(phrase) for phrase in candidate_phrases(sentence)] == phrases


def test_keywords_are_counted_inside_longer_phrases_too() -> None:
    keywords = [Keyword(("neural", "networks"), 1, 1.0), Keyword(("deep",), 1, 1.0)]
    sentences = [
        "Deep neural networks, and neural networks.",
        "A neural network.",
        "networks neural deep DEEP",
        "",
    ]
    np.testing.assert_array_equal(
        keyword_counts(sentences, keywords), [[2, 1], [0, 0], [0, 2], [0, 0]]
    )


def test_empty_texts_have_no_keywords() -> None:
    assert rake([]) == rake(["", "the of"]) == ()
    assert keyword_counts([], []).shape == (0, 0)
    assert keyword_counts(["a"], []).shape == (1, 0)


_WORDS = st.sampled_from(["cell", "gene", "law", "the", "of", ",", ".", "x", "5", "日", "e-mail"])


@given(sentences=st.lists(st.lists(_WORDS, max_size=8).map(" ".join), max_size=6))
@settings(max_examples=examples(200), derandomize=True)
def test_every_keyword_is_found_in_its_own_text(sentences: list[str]) -> None:
    keywords = rake(sentences, count=1000)
    counts = keyword_counts(sentences, keywords).sum(axis=0)
    for keyword, found in zip(keywords, counts, strict=True):
        assert 1 <= keyword.count <= found
        assert keyword.score >= len(keyword.phrase)
        assert len(keyword.phrase) <= 4
    order = [(-keyword.count, -keyword.score) for keyword in keywords]
    assert order == sorted(order)
