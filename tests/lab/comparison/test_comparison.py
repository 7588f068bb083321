import json
import math
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.loading import load_system
from longsum.core.summaries import Budget, Coverage, SourceSpan, Summary, SummarySentence
from longsum.core.summaries.question_summary import QuestionNode, QuestionSummary
from longsum.core.systems.system import TreeOptions
from longsum.documents import Document
from longsum.documents.model import Source
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.question_sets import question_examples
from longsum.lab.comparison.comparison import (
    available_metrics,
    compare,
    compare_trees,
    known_metrics,
    mean_answer_length,
    mean_reference_length,
)
from longsum.lab.comparison.comparison_metrics import metrics_of
from longsum.lab.comparison.comparison_results import (
    Results,
    SystemResult,
    analyses_to_json,
    analysis_rows,
    pair_rows,
)


def results(*systems: str) -> Results:
    made = [
        SystemResult(name, {"rouge1": [40.0 + place, 50.0]}, [90, 100], 1.5)
        for place, name in enumerate(systems)
    ]
    return Results(["a", "b"], Budget(100), ["rouge"], made)


def test_results_of_two_runs_are_compared_with_the_first_system_of_the_first() -> None:
    joined = results("stepwise").joined_with(results("lead", "graph"))
    assert [each.system for each in joined.systems] == ["stepwise", "lead", "graph"]
    found = {each.system: each.bootstrap.difference for each in joined.differences}
    assert all(each.effect * each.bootstrap.difference >= 0 for each in joined.differences)
    assert found == {"lead": 0.0, "graph": 0.5}


@pytest.mark.parametrize(
    "other", [{"ids": ["a", "c"]}, {"budget": Budget(50)}, {"variants": ["meteor"]}]
)
def test_results_of_other_documents_lengths_or_metrics_are_not_joined(other) -> None:
    with pytest.raises(LongsumError, match="run the comparison again"):
        results("stepwise").joined_with(replace(results("lead"), **other))  # type: ignore[arg-type]


def of_scores(**scores: list[list[float]]) -> Results:
    """Make the results of systems from their scores, `[systems][documents]`."""
    count = len(next(iter(scores.values())))
    documents = len(next(iter(scores.values()))[0])
    systems = [
        SystemResult(
            "model", {name: rows[place] for name, rows in scores.items()}, [9] * documents, 1.0
        )
        for place in range(count)
    ]
    return Results([str(place) for place in range(documents)], Budget(100), ["rouge"], systems)


def test_documents_without_a_score_are_not_compared() -> None:
    nan = math.nan
    found = of_scores(apes=[[nan, 1.0, 3.0], [nan, 2.0, 5.0]])
    assert found.systems[0].interval("apes").mean == 2
    (difference,) = found.differences
    assert difference.bootstrap.difference == 1.5
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert written["systems"][0]["scores"]["apes"] == [None, 1, 3]
    (told,) = written["differences_from_first"]
    assert told["p_corrected"] == difference.corrected_p
    assert Results.from_json(written).to_json() == written


def test_analyses_of_variance_of_each_score_and_of_the_mean_of_rouge() -> None:
    pytest.importorskip("scipy")
    nan = math.nan
    rows = [[40.0, 42.0, 44.0], [41.0, 43.0, 45.0], [60.0, 62.0, 64.0]]
    lower = [[value - 20 for value in row] for row in rows]
    found = of_scores(
        rouge1=rows, rouge2=lower, rougeLsum=rows, once=[[nan, 1.0, nan]] * 3
    ).analyses()
    # A score of one document cannot be analysed.
    assert list(found) == ["rouge1", "rouge2", "rougeLsum", "rouge_mean"]
    # Folders of the same name stay apart.
    assert list(found["rouge1"].means) == ["model", "model (2)", "model (3)"]
    assert found["rouge_mean"].means["model"] == pytest.approx(42 - 20 / 3)
    assert found["rouge1"].f == pytest.approx(found["rouge_mean"].f)
    written = json.loads(json.dumps(analyses_to_json(found), allow_nan=False))
    assert written["rouge1"]["groups"] == {"model": "b", "model (2)": "b", "model (3)": "a"}
    assert len(written["rouge1"]["pairs"]) == 3


class LastWord:
    """Answers with the last word, and finds every claim consistent."""

    sentences = None

    def answer(self, question: str, context: str) -> str:  # noqa: ARG002
        return context.split()[-1]

    def consistency(self, claim: str, context: str) -> float:  # noqa: ARG002
        return 0.75


def test_metrics_that_need_a_model_are_those_of_a_model(small: Document) -> None:
    example = Example("small", small, (small.sentences[0].text + " In 1990.",), "test", "", {})
    more = metrics_of(LastWord(), LastWord())
    assert list(more) == ["apes", "factcc"]
    told: list[int] = []
    found = compare(
        *([example, example], [load_system("lead")], Budget(40)),
        **{"metrics": ("apes", "factcc"), "more": more, "done": told.append},
    )
    assert told == [1, 2]
    scores = found.systems[0].scores
    assert scores["factcc"] == [75.0] * 2
    assert scores["apes_src"] == [100.0] * 2
    assert scores["questions"] == [1.0] * 2
    assert set(scores) == {"apes", "apes_src", "questions", "factcc"}
    assert any("no events" in variant for variant in found.variants)
    for name, metric in more.items():
        listed = {score.name for score in metric.info.scores}
        assert listed <= set(scores), name
    assert metrics_of(None, LastWord()).keys() == {"factcc"}


def test_a_metric_without_its_model_is_refused() -> None:
    with pytest.raises(LongsumError, match="needs a model; add --qa-model FOLDER"):
        known_metrics(["rouge", "apes"])
    with pytest.raises(LongsumError, match="factcc"):
        known_metrics(["fact"])
    assert known_metrics([" apes"], ["apes"]) == ["apes"]


def test_every_metric_that_can_be_computed_and_why_others_cannot(monkeypatch) -> None:
    names, left_out = available_metrics()
    assert "rouge" in names
    assert left_out["apes"] == "it needs a model; add --qa-model FOLDER"
    assert set(names).isdisjoint(left_out)
    monkeypatch.setitem(sys.modules, "transformers", None)
    names, left_out = available_metrics(["apes"])
    assert "apes" not in names
    assert left_out["apes"] == "it needs pip install 'longsum[models]'"


def test_a_metric_that_scores_nothing_is_left_out_or_refused(small: Document) -> None:
    example = Example("small", small, ("No labels here.",), "test", "", {})
    asked = {"metrics": ("rouge", "aspects")}
    with pytest.raises(LongsumError, match="'aspects' scores none"):
        compare([example], [load_system("lead")], Budget(20), **asked)
    found = compare([example], [load_system("lead")], Budget(20), **asked, spare=True)
    assert found.left_out == {"aspects": "it scores none of these documents"}
    assert len(found.variants) == 1
    written = json.loads(json.dumps(found.to_json()))
    assert Results.from_json(written).left_out == found.left_out


def test_the_length_of_references_is_the_mean_of_means(small: Document) -> None:
    two = Example("two", small, ("One two three.", "One."), "test", "", {})
    five = replace(two, references=("One two three four five.",))
    assert mean_reference_length([two, two, five]) == Budget(3)
    assert mean_reference_length([replace(two, references=("…",))]) == Budget(1)
    with pytest.raises(LongsumError):
        mean_reference_length([])


def test_analyses_are_listed_by_score_and_pair() -> None:
    pytest.importorskip("scipy")
    near = [[1.0, 5.0, 9.0], [2.0, 6.0, 9.0], [4.0, 8.0, 12.0]]
    analyses = of_scores(a=near, b=near[::-1]).analyses()
    assert analysis_rows(analyses) == (
        ["score", "F", "p", "model", "model (2)", "model (3)"],
        [
            ["a", "F(2, 6) = 0.50", "0.6277", "5.00 a", "5.67 a", "8.00 a"],
            ["b", "F(2, 6) = 0.50", "0.6277", "8.00 a", "5.67 a", "5.00 a"],
        ],
    )
    head, (first, *others) = pair_rows(analyses)
    assert head == ["system", "less", "score", "difference", "95 % interval", "p Tukey"]
    assert first == ["model", "model (2)", "a", "-0.67", "[-10.30, +8.96]", "0.9755"]
    assert [row[2:4] for row in others] == [
        *(["a", "-3.00"], ["a", "-2.33"], ["b", "+2.33"], ["b", "+3.00"], ["b", "+0.67"])
    ]
    certain = replace(analyses["a"], p_value=0.00009)
    assert analysis_rows({"a": certain})[1][0][2] == "<0.0001"


TREE = {
    "question": "What closed?",
    "answer": "The port closed in May.",
    "children": [{"question": "Why?", "answer": "It was old.", "children": []}],
}


@pytest.fixture
def example() -> Example:
    text = "The port closed in May. It was old. Nobody minded."
    document = document_of(text, source=Source("port.txt", "govreport_qs"))
    return Example("port", document, ("All.",), "validation", "CC0-1.0", {"questions": [TREE]})


def _sentence(document: Document, place: int) -> SummarySentence:
    source = SourceSpan.of(document, place)
    return SummarySentence(document.sentences[place].text, (source,), 0.0, {}, place)


class Maker:
    """Makes a tree of two nodes."""

    def __init__(self, child: int, needs_question: bool = False) -> None:
        self.child, self.needs_question = child, needs_question
        self.asked: list[str | None] = []

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        self.asked.append(options.question)
        below = QuestionNode("Why?", "question", None, (_sentence(document, self.child),))
        root = QuestionNode("What closed?", "question", None, (_sentence(document, 0),), (below,))
        return QuestionSummary(
            document, root, options.budget, "sections", Coverage.whole(document), "stub"
        )


def test_the_tree_of_the_reference_has_every_share_and_no_edit(example: Example) -> None:
    right, wrong = Maker(1), Maker(2)
    makers, kept = {"right": right, "wrong": wrong}, list[str]()
    results = compare_trees(
        [example], makers, Budget(9), keep=lambda _, name, __: kept.append(name)
    )
    assert kept == [*makers]
    best, other = (
        {name: values[0] for name, values in result.scores.items()} for result in results.systems
    )
    assert best["hierarchy_f1"] == best["question_bleu4"] == best["rougeLsum"] == 100
    assert best["edits"] == 0
    assert best["pairs"] == best["depth"] == 2
    assert other["hierarchy_f1"] < 100
    assert other["edits"] > 0
    assert results.systems[0].words == [8]
    assert right.asked == [None]


def test_a_maker_that_needs_a_question_gets_the_first_one(example: Example) -> None:
    maker = Maker(1, needs_question=True)
    results = compare_trees([example], {"maker": maker}, Budget(9))
    assert maker.asked == ["What closed?"]
    # BLEU of "Why ?" alone: 2/2, (1+1)/(1+1), and (0+1)/(1+1) of three and four words.
    assert results.systems[0].scores["question_bleu4"] == [pytest.approx(100 * 0.25**0.25)]


def test_lengths_are_those_of_answers(example: Example) -> None:
    assert mean_answer_length([example]) == Budget(4)
    for of_none in (mean_answer_length, lambda none: compare_trees(none, {}, Budget(9))):
        with pytest.raises(LongsumError, match="no document"):
            of_none([])


def test_the_question_of_an_example_is_the_focus(example: Example) -> None:
    asked: list[str | None] = []

    def summarize(
        document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        asked.append(focus)
        chosen = (_sentence(document, 0),)
        return Summary(document, chosen, budget, Coverage.whole(document), "answering", seed=seed)

    system = SimpleNamespace(name="answering", summarize=summarize)
    whole = replace(example, references=("The port closed in May.",))
    results = compare([*question_examples([example]), whole], [system], Budget(9))
    assert asked == ["What closed?", "Why?", None]
    assert results.systems[0].scores["rouge1"] == [100, 0, 100]
