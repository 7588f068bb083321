"""Comparisons of systems as tables of plain text."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from longsum.cli.streams import table
from longsum.wording import counted

if TYPE_CHECKING:
    from longsum.comparison_results import Results
    from longsum.evaluation import AnalysisOfVariance

    Analyses = Mapping[str, AnalysisOfVariance]

_DECIMALS = 2
_LEAST_SHOWN = 0.0001
_MOST_COLUMNS = 8
"""Scores that a table has columns for; of more, each has a row."""


def format_results(
    results: "Results",
    title: str,
    unit: str = "document",
    analyses: "Analyses | None" = None,
) -> str:
    """Lay out a comparison of systems on documents, or another unit, as plain text.

    Args:
        results: The comparison.
        title: What was compared on.
        unit: What was scored, in the singular.
        analyses: Analyses of variance by score, in place of the tests against the first system.
    """
    parts = [
        f"{title}: {counted(len(results.ids), unit)}, at most {results.budget} each\n",
        _scores(results),
    ]
    if analyses is not None:
        parts += _analyses(analyses)
    elif differences := _differences(results):
        parts.append(differences)
    variants = "\n".join(f"  {variant}" for variant in results.variants)
    parts.append(f"95 % bootstrap intervals over {unit}s. Variants:\n{variants}\n")
    return "\n".join(parts)


def _scores(results: "Results") -> str:
    """Lay out the means with their intervals: a row for each system, or for each of many scores."""
    names = list(results.systems[0].scores)
    rows = [["system", *names, "words", "seconds"]]
    for result in results.systems:
        intervals = [result.interval(name) for name in names]
        words = sum(result.words) / len(result.words)
        cells = [
            f"{found.mean:.{_DECIMALS}f} [{found.low:.{_DECIMALS}f}, {found.high:.{_DECIMALS}f}]"
            for found in intervals
        ]
        rows.append([result.system, *cells, f"{words:.0f}", f"{result.seconds:.1f}"])
    if len(names) > _MOST_COLUMNS:
        rows = [list(row) for row in zip(*rows, strict=True)]
    return table(rows[0], rows[1:])


def _differences(results: "Results") -> str:
    """Lay out each system's lead over the first, with tests; nothing where there is one alone."""
    differences = [
        [
            found.system,
            found.metric,
            f"{found.bootstrap.difference:+.{_DECIMALS}f}",
            f"[{found.bootstrap.low:+.{_DECIMALS}f}, {found.bootstrap.high:+.{_DECIMALS}f}]",
            f"{found.bootstrap.p_value:.4f}",
            f"{found.randomization_p:.4f}",
        ]
        for found in results.differences()
    ]
    if not differences:
        return ""
    against = f"less {results.systems[0].system}"
    head = ["system", "metric", against, "95 % interval", "p bootstrap", "p randomization"]
    return table(head, differences)


def _analyses(found: "Analyses") -> list[str]:
    """Lay out analyses of variance: F, the groups of systems, and the test of every pair."""
    first = next(iter(found.values()))
    groups = {score: each.groups() for score, each in found.items()}
    return [
        "One-way analysis of variance; systems that share a letter do not differ (Tukey, 0.05).\n",
        table(
            ["score", "F", "p", *first.means],
            (
                [
                    score,
                    f"F({each.between}, {each.within}) = {each.f:.2f}",
                    _chance(each.p_value),
                    *(
                        f"{mean:.{_DECIMALS}f} {groups[score][name]}"
                        for name, mean in each.means.items()
                    ),
                ]
                for score, each in found.items()
            ),
        ),
        table(
            ["system", "less", "score", "difference", "95 % interval", "p Tukey"],
            (
                [
                    pair.first,
                    pair.second,
                    score,
                    f"{pair.difference:+.{_DECIMALS}f}",
                    f"[{pair.low:+.{_DECIMALS}f}, {pair.high:+.{_DECIMALS}f}]",
                    _chance(pair.p_value),
                ]
                for score, each in found.items()
                for pair in each.pairs
            ),
        ),
    ]


def _chance(p_value: float) -> str:
    """Return a p-value that was computed, not counted, and so may be next to nothing."""
    return f"{p_value:.4f}" if p_value >= _LEAST_SHOWN else f"<{_LEAST_SHOWN}"
