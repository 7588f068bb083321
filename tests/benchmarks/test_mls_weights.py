"""The grid search: its weights, and that an interrupted run continues."""

import json
from argparse import Namespace

import pytest

import mls_weights
from longsum import LongsumError
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.reference_scores import rouge


@pytest.mark.parametrize("step", [1.0, 0.5, 0.25, 0.1])
def test_all_weights_of_the_grid_sum_to_one(step: float) -> None:
    grid = mls_weights.weight_grid(step)
    weights = {(one.topics_weight, one.keywords_weight, one.redundancy_weight) for one in grid}
    assert len(weights) == len(grid)
    assert (1.0, 1.0, -1.0) in weights
    # Pairs of the first two whose sum leaves a third in [−1, 1], counted by hand for a step of 1.
    assert step < 1 or len(grid) == 6


@pytest.mark.parametrize("step", [0.3, 0.0, -0.5])
def test_a_step_must_divide_one(step: float) -> None:
    with pytest.raises(LongsumError, match="does not divide 1"):
        mls_weights.weight_grid(step)


def test_rouge_is_that_of_the_package(small) -> None:
    one, other = small.sentences[0].text, small.sentences[1].text
    expected = rouge(one, [other])["rouge1"].fmeasure
    assert mls_weights.rouge1(one, other) == pytest.approx(expected)


def test_a_run_can_be_resumed(small, tmp_path, monkeypatch) -> None:
    reference = small.sentences[4].text
    examples = [Example(str(n), small, (reference,), "validation", "", {}) for n in range(2)]
    monkeypatch.setattr(mls_weights, "load", lambda *_, **__: iter(examples))
    path = tmp_path / "scores.jsonl"
    options = Namespace(
        split="validation", limit=None, length="30w", prototype="lead", step=0.5, scores=path
    )
    grid = mls_weights.weight_grid(0.5)
    mls_weights.search("mine", grid, options)
    whole = path.read_text()
    first, second = whole.splitlines()
    path.write_text(first + "\n" + second[:40])
    mls_weights.search("mine", grid, options)
    lines = list(mls_weights.read(path))
    assert [line["id"] for line in lines] == ["0", "1"]
    assert lines == [json.loads(first), json.loads(second)]
    assert "| topics | keywords" in mls_weights.table(lines, grid, ["mine"])
    with pytest.raises(LongsumError, match="another run"):
        mls_weights.search("mine", grid, Namespace(**{**vars(options), "length": "20w"}))
