import json
from dataclasses import replace

import pytest

from longsum.comparison import Results, SystemResult, compare, known_metrics, metrics_of
from longsum.datasets import Example
from longsum.documents import Document
from longsum.errors import LongsumError
from longsum.summaries import Budget
from longsum.systems.loading import load_system


def results(*systems: str) -> Results:
    made = [
        SystemResult(name, {"rouge1": [40.0 + place, 50.0]}, [90, 100], 1.5)
        for place, name in enumerate(systems)
    ]
    return Results(["a", "b"], Budget(100), ["rouge"], made)


def test_results_are_read_as_they_were_written() -> None:
    written = json.loads(json.dumps(results("lead", "graph").to_json()))
    assert Results.from_json(written).to_json() == written


def test_results_of_two_runs_are_compared_with_the_first_system_of_the_first() -> None:
    joined = results("stepwise").beside(results("lead", "graph"))
    assert [each.system for each in joined.systems] == ["stepwise", "lead", "graph"]
    found = {each.system: each.bootstrap.difference for each in joined.differences()}
    assert found == {"lead": 0.0, "graph": 0.5}


@pytest.mark.parametrize(
    "other", [{"ids": ["a", "c"]}, {"budget": Budget(50)}, {"variants": ["meteor"]}]
)
def test_results_of_other_documents_lengths_or_metrics_are_not_joined(
    other: dict[str, object],
) -> None:
    with pytest.raises(LongsumError, match="run the comparison again"):
        results("stepwise").beside(replace(results("lead"), **other))  # type: ignore[arg-type]


class LastWord:
    """Answers with the last word, and finds every claim consistent."""

    def answer(self, question: str, context: str) -> str:  # noqa: ARG002
        return context.split()[-1]

    def consistency(self, claim: str, context: str) -> float:  # noqa: ARG002
        return 0.75


def test_metrics_that_need_a_model_are_those_of_a_model(small: Document) -> None:
    example = Example("small", small, (small.sentences[0].text + " In 1990.",), "test", "", {})
    more = metrics_of(LastWord(), LastWord())
    assert list(more) == ["apes", "factcc"]
    found = compare(
        [example], [load_system("lead")], Budget(40), metrics=("apes", "factcc"), more=more
    )
    scores = found.systems[0].scores
    assert scores["factcc"] == [75.0]
    assert scores["questions"] == [1.0]
    assert set(scores) == {"apes", "apes_src", "questions", "factcc"}
    assert any("no events" in variant for variant in found.variants)
    assert metrics_of(None, LastWord()).keys() == {"factcc"}


def test_a_metric_without_its_model_is_refused() -> None:
    with pytest.raises(LongsumError, match="needs a model; give its folder as --qa-model"):
        known_metrics(["rouge", "apes"])
    with pytest.raises(LongsumError, match="factcc"):
        known_metrics(["fact"])
    assert known_metrics([" apes"], ["apes"]) == ["apes"]
