import json
from dataclasses import replace

import pytest

from longsum.comparison_results import Results, SystemResult
from longsum.errors import LongsumError
from longsum.summaries import Budget


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
