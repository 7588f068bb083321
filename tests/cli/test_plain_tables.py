"""Results of comparisons and studies as tables of plain text."""

import pytest

from longsum.cli.result_tables import format_results, format_study
from longsum.core.summaries import Budget
from longsum.evaluation.metrics.agreement import Agreement
from longsum.evaluation.metrics.significance import Interval
from longsum.lab.comparison.comparison_results import Results, SystemResult
from longsum.lab.studies.answers import Agreed, Measure
from longsum.lab.studies.results import StudyResults


def compared(scores: list[str], systems: int = 3, **more: object) -> Results:
    made = [
        SystemResult(
            name,
            {s: [10.0 * k + p + 10, 20.0 + p, 30.0 * p + k] for p, s in enumerate(scores)},
            [9, 10, 12],
            1.25 * (k + 1),
        )
        for k, name in enumerate(("lead", "graph", "kernels")[:systems])
    ]
    return Results(["a", "b", "c"], Budget(12), ["stem=yes", "stop=no"], made, **more)  # type: ignore[arg-type]


def test_a_comparison(as_before) -> None:
    pytest.importorskip("scipy")
    results = compared(["rouge1", "rouge2"], left_out={"apes": "it needs a model"})
    analysed = format_results(results, "set, test", "question", results.analyses())
    alone = format_results(compared(["rouge1"], 1), "set, test")
    as_before("comparisons", "\n".join([format_results(results, "set"), analysed, alone]))


@pytest.mark.parametrize(("scores", "head"), [(8, "system   s0 "), (9, "system   lead ")])
def test_of_many_scores_each_has_a_row(scores: int, head: str) -> None:
    written = format_results(compared([f"s{number}" for number in range(scores)]), "set")
    assert written.splitlines()[2].startswith(head)


def test_a_study(as_before) -> None:
    def measure(system: str, of: str, name: str, *figures: float, documents: int = 1200) -> Measure:
        *interval, median = figures
        return Measure(system, of, name, Interval(*interval), median, documents, 5)

    results = StudyResults(
        "ranking",
        ("Each document twice.",),
        {1: (3, 9), 2: (0, 1)},
        (
            measure("lead", "fluency", "grade", 2, 1.5, 2.5, 2, documents=9),
            measure("lead", "fluency", "seconds", 1234, 1000.5, 1300, 12),
            measure("graph", "fluency", "grade", 3, 2.75, 3.25, 3),
            measure("graph", "fluency", "words", 90, 80, 99, 88),
            measure("lead", "", "best", 0.25, 0, 0.5, 0, documents=1),
        ),
        (
            Agreed("grades", "ordinal", Agreement(0.4121, 0.301, 0.5, 40, 80)),
            Agreed("choices", "nominal", Agreement(None, None, None, 7, 14)),
        ),
        (),
    )
    as_before("study", format_study(results))
