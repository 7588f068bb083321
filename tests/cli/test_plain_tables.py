"""Results of comparisons and studies as tables of plain text, to the letter."""

import pytest
from longsum.cli.comparison_tables import format_results
from longsum.cli.study_tables import format_study

from longsum.core.summaries import Budget
from longsum.evaluation.metrics import Agreement, Interval
from longsum.lab.comparison.comparison_results import Results, SystemResult
from longsum.lab.studies.results import StudyResults
from longsum.lab.studies.tally import Agreed, Measure

COMPARED = """\
set, test: 3 documents, at most 12w each

system   rouge1               rouge2                words  seconds
lead     10.00 [0.00, 20.00]  20.67 [11.00, 30.00]  10     1.2
graph    13.67 [1.00, 20.00]  24.33 [21.00, 31.00]  10     2.5
kernels  17.33 [2.00, 30.00]  28.00 [21.00, 32.00]  10     3.8

system   metric  less lead  95 % interval    p bootstrap  p randomization
graph    rouge1  +3.67      [+0.00, +10.00]  0.0799       0.5022
graph    rouge2  +3.67      [+0.00, +10.00]  0.0799       0.5022
kernels  rouge1  +7.33      [+0.00, +20.00]  0.0799       0.5022
kernels  rouge2  +7.33      [+0.00, +20.00]  0.0799       0.5022

Metrics left out:
  apes: it needs a model

95 % bootstrap intervals over documents. Variants:
  stem=yes
"""
ANALYSED = """\
One-way analysis of variance; systems that share a letter do not differ (Tukey, 0.05).

score   F               p       lead     graph    kernels
rouge1  F(2, 6) = 0.29  0.7603  10.00 a  13.67 a  17.33 a
rouge2  F(2, 6) = 0.75  0.5107  20.67 a  24.33 a  28.00 a

system  less     score   difference  95 % interval     p Tukey
lead    graph    rouge1  -3.67       [-33.37, +26.03]  0.9249
"""
STUDIED = """\
fluency, 1,200 documents
system  grade              seconds                                  words
lead    2.00 [1.50, 2.50]  1,234.0 [1,000.5, 1,300.0], median 12.0  –
graph   3.00 [2.75, 3.25]  –                                        90.0 [80.0, 99.0], median 88.0

ranking, 1 document
system  best
lead    0.25 [0.00, 0.50]

agreement on  level    alpha  95 % interval   units
grades        ordinal  0.412  [0.301, 0.500]  40
choices       nominal  –      –               7

Annotator 1: 3 of 9 tasks done
Annotator 2: 0 of 1 task done

Each document twice.

Means over documents with 95 % bootstrap intervals; Krippendorff's alpha.
"""


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
    return Results(["a", "b", "c"], Budget(12), ["stem=yes"], made, **more)  # type: ignore[arg-type]


def test_a_comparison() -> None:
    pytest.importorskip("scipy")
    results = compared(["rouge1", "rouge2"], left_out={"apes": "it needs a model"})
    assert format_results(results, "set, test") == COMPARED
    analysed = format_results(results, "set, test", "question", results.analyses())
    assert analysed.startswith("set, test: 3 questions, at most")
    assert ANALYSED in analysed
    assert "p randomization" not in analysed
    assert "intervals over questions." in analysed
    alone = format_results(compared(["rouge1"], 1), "set, test")
    assert "less lead" not in alone
    assert "left out" not in alone


@pytest.mark.parametrize(("scores", "head"), [(8, "system   s0 "), (9, "system   lead ")])
def test_of_many_scores_each_has_a_row(scores: int, head: str) -> None:
    written = format_results(compared([f"s{number}" for number in range(scores)]), "set")
    assert written.splitlines()[2].startswith(head)


def test_a_study() -> None:
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
    assert format_study(results) == STUDIED
