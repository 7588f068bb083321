"""The tests of a comparison as rows of text, for terminals and pages."""

from collections.abc import Mapping

from longsum.evaluation.metrics import AnalysisOfVariance
from longsum.lab.comparison.comparison_results import Results

Rows = tuple[list[str], list[list[str]]]
"""The head of a table, and its rows."""
_LEAST_SHOWN = 0.0001


def difference_rows(results: Results) -> Rows:
    """Return each system's lead over the first, with its interval and tests."""
    against = f"less {results.names[0]}"
    head = ["system", "metric", against, "95 % interval", "p bootstrap", "p randomization"]
    return head, [
        [
            found.system,
            found.metric,
            f"{found.bootstrap.difference:+.2f}",
            f"[{found.bootstrap.low:+.2f}, {found.bootstrap.high:+.2f}]",
            f"{found.bootstrap.p_value:.4f}",
            f"{found.randomization_p:.4f}",
        ]
        for found in results.differences()
    ]


def analysis_rows(analyses: Mapping[str, AnalysisOfVariance]) -> Rows:
    """Return F and p of each score, with the means and letters of all systems."""
    first = next(iter(analyses.values()))
    rows = []
    for score, each in analyses.items():
        groups = each.groups()
        rows.append(
            [
                score,
                f"F({each.between}, {each.within}) = {each.f:.2f}",
                _chance(each.p_value),
                *(f"{mean:.2f} {groups[name]}" for name, mean in each.means.items()),
            ]
        )
    return ["score", "F", "p", *first.means], rows


def pair_rows(analyses: Mapping[str, AnalysisOfVariance]) -> Rows:
    """Return Tukey's test of every pair of systems, score by score."""
    head = ["system", "less", "score", "difference", "95 % interval", "p Tukey"]
    return head, [
        [
            pair.first,
            pair.second,
            score,
            f"{pair.difference:+.2f}",
            f"[{pair.low:+.2f}, {pair.high:+.2f}]",
            _chance(pair.p_value),
        ]
        for score, each in analyses.items()
        for pair in each.pairs
    ]


def _chance(p_value: float) -> str:
    """Return a p-value that was computed, not counted, and so may be next to nothing."""
    return f"{p_value:.4f}" if p_value >= _LEAST_SHOWN else f"<{_LEAST_SHOWN}"
