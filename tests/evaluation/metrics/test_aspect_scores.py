"""Scores by aspect, by hand."""

import pytest

from longsum.evaluation.aspects import PAPER, Labelled
from longsum.evaluation.metrics import aspect_recall, aspect_shares, rouge

ONE = Labelled(PAPER, (("Rivers flood towns.", "introduction"), ("Dams held.", "results")))
OTHER = Labelled(PAPER, (("Rivers flood.", "introduction"), ("Nothing.", None)))


def test_recall_of_each_aspect() -> None:
    found = aspect_recall("The rivers flood fields, and dams broke.", [ONE])
    # 2 of 3 words and 1 of 2 pairs; 1 of 2 words and no pair.
    assert found["introduction"] == pytest.approx({"rouge1": 2 / 3, "rouge2": 1 / 2})
    assert found["results"] == pytest.approx({"rouge1": 1 / 2, "rouge2": 0})


def test_of_several_references_the_highest_counts_where_they_have_the_aspect() -> None:
    found = aspect_recall("Rivers flood.", [ONE, OTHER])
    assert found["introduction"] == {"rouge1": 1, "rouge2": 1}
    assert found["results"] == {"rouge1": 0, "rouge2": 0}
    assert set(found) == {"introduction", "results"}


def test_a_reference_of_one_aspect_is_recalled_as_by_rouge() -> None:
    text = "Levees and dams held the flood back for days."
    whole = Labelled(PAPER, ((text, "results"),))
    summary = "Dams held the flood."
    scores = rouge(summary, [text])
    assert aspect_recall(summary, [whole])["results"] == {
        name: scores[name].recall for name in ("rouge1", "rouge2")
    }


def test_shares_of_the_words() -> None:
    aspects = ["methods", None, "results"]
    # 10 words of methods, 5 of nothing, 5 without a source.
    assert aspect_shares([10, 5, 5], [0, 1, None], aspects) == {"methods": 0.5, "results": 0}
    assert aspect_shares([], [], aspects) == {"methods": 0, "results": 0}
