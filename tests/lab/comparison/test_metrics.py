"""Metrics compute what their descriptions state."""

import json
import re

import pytest

from document_views import document_of
from longsum.cli.metrics import _rows
from longsum.core.loading import load_system
from longsum.core.questions.question_tree import Question, QuestionTree
from longsum.core.summaries import Budget
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.metric_info import find_score
from longsum.evaluation.metrics.question_hierarchy import score_hierarchy
from longsum.lab.comparison.comparison import HIERARCHY, compare
from longsum.lab.comparison.comparison_metrics import metric_infos, summary_metrics

REFERENCE = "Background: Rivers flood towns every spring.\nResults: Dams held the water back."
BOUNDS = {"0 to 100": (0, 100), "0 to 1": (0, 1), "0 to 2": (0, 2), "0 and above": (0, 1e9)}


def example(reference: str = REFERENCE) -> Example:
    document = document_of(
        ("# Introduction", "Rivers flood towns every spring. People move away, which costs a lot."),
        ("# Results", "Dams held the water back. Levees broke in two towns after heavy rain."),
    )
    return Example("a", document, (reference,), "validation", "CC0-1.0", {})


@pytest.mark.parametrize("name", summary_metrics())
def test_scores_are_those_that_are_listed_within_their_ranges(name: str) -> None:
    results = compare([example()], [load_system("lead")], Budget(12), metrics=[name])
    scores = results.systems[0].scores
    info = summary_metrics()[name].info
    for score in info.scores:
        form = re.compile(score.name.replace("ASPECT", "[a-z]+"))
        found = [each for each in scores if form.fullmatch(each)]
        assert found, score.name
        low, high = BOUNDS[score.range]
        assert all(low <= value <= high for each in found for value in scores[each])
    assert {find_score(each, metric_infos())[0] for each in scores} == {name}


def test_scores_of_trees_are_those_that_are_listed() -> None:
    tree = QuestionTree((Question("Why?", "It was old.", ()),))
    assert list(score_hierarchy(tree, tree)) == [score.name for score in HIERARCHY.scores]
    assert {score.range for score in HIERARCHY.scores} <= BOUNDS.keys()
    assert {score.better for score in HIERARCHY.scores} <= {"higher", "lower", "neither"}


def test_the_list_is_the_same_as_before(as_before) -> None:
    # What is installed decides the state.
    rows = [{**row, "state": ""} for row in _rows()]
    as_before("metrics", "\n".join(json.dumps(row, ensure_ascii=False) for row in rows))


def test_documents_without_aspects_have_no_such_scores() -> None:
    documents = [example("Rivers flood."), example(), example("Dams hold.")]
    results = compare(documents, [load_system("lead")], Budget(12), metrics=["rouge", "aspects"])
    scores = results.systems[0].scores
    assert {len(values) for values in scores.values()} == {3}
    assert [value == value for value in scores["results_rouge1"]] == [False, True, False]
    written = results.to_json()["systems"][0]
    assert written["scores"]["results_rouge1"][::2] == [None, None]
    assert written["mean"]["results_rouge1"]["mean"] == scores["results_rouge1"][1]
