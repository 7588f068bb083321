"""Comparisons of systems, and the results of studies, as tables of plain text."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from longsum.cli.streams import table
from longsum.common.wording import counted

if TYPE_CHECKING:
    from longsum.evaluation.metrics.significance import AnalysisOfVariance
    from longsum.lab.comparison.comparison_results import Results

    Analyses = Mapping[str, AnalysisOfVariance]
    from longsum.lab.studies.answers import Agreed, Measure
    from longsum.lab.studies.results import StudyResults

_DECIMALS = 2
_MOST_COLUMNS = 8
"""Maximum number of scores shown as columns; if there are more, each is a row."""


def format_results(
    results: "Results",
    title: str,
    unit: str = "document",
    analyses: "Analyses | None" = None,
) -> str:
    """Lay out a comparison of systems on documents, or another unit, as plain text.

    Args:
        results: The comparison.
        title: The data of the comparison.
        unit: What was scored, in the singular.
        analyses: Analyses of variance by score, in place of the tests against the first system.
    """
    from longsum.lab.comparison.comparison_results import analysis_rows, difference_rows, pair_rows

    parts = [
        f"{title}: {counted(len(results.ids), unit)}, at most {results.budget} each\n",
        table(*score_rows(results)),
    ]
    if analyses is not None:
        parts += [
            "One-way analysis of variance; systems that share a letter do not differ (Tukey, "
            "0.05).\n",
            table(*analysis_rows(analyses)),
            table(*pair_rows(analyses)),
        ]
    elif len(results.systems) > 1:
        parts.append(table(*difference_rows(results)))
        parts.append(
            "p corrected: for the number of systems (Holm). Effect: in standard deviations of the "
            f"{unit}s' differences.\n"
        )
        parts += [f"{results.too_few}\n"] if results.too_few else []
    if results.left_out:
        listed = "\n".join(f"  {name}: {reason}" for name, reason in results.left_out.items())
        parts.append(f"Metrics left out:\n{listed}\n")
    variants = "\n".join(f"  {variant}" for variant in results.variants)
    parts.append(f"95 % bootstrap intervals over {unit}s. Variants:\n{variants}\n")
    return "\n".join(parts)


def score_rows(results: "Results") -> tuple[list[str], list[list[str]]]:
    """Return the head of a table of means with their intervals, and its rows.

    Each row is a system, or a score if there are many.
    """
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
    return rows[0], rows[1:]


_MEDIANS = frozenset({"seconds", "words"})
"""Skewed measures, whose median is shown too."""


def format_study(results: "StudyResults") -> str:
    """Lay out the results of a study: measures by system, agreement, and completed tasks."""
    parts = [_measures(results)]
    if results.agreements:
        rows = (_agreed(each) for each in results.agreements)
        parts.append(table(["agreement on", "level", "alpha", "95 % interval", "units"], rows))
    done = (
        f"Annotator {person}: {done} of {counted(tasks, 'task')} done\n"
        for person, (done, tasks) in results.done.items()
    )
    parts.append("".join(done))
    parts.append("".join(f"{line}\n" for line in results.design))
    parts.append("Means over documents with 95 % bootstrap intervals; Krippendorff's alpha.\n")
    return "\n".join(parts)


def _measures(results: "StudyResults") -> str:
    """Lay out the measures: a table for all, and one for each aspect or criterion."""
    tables = []
    for of in dict.fromkeys(measure.of for measure in results.measures):
        here = [measure for measure in results.measures if measure.of == of]
        names = list(dict.fromkeys(measure.name for measure in here))
        by_cell = {(measure.system, measure.name): measure for measure in here}
        systems = list(dict.fromkeys(measure.system for measure in here))
        documents = max(measure.documents for measure in here)
        rows = [
            [system, *(_cell(by_cell.get((system, name))) for name in names)] for system in systems
        ]
        title = f"{of or results.kind}, {counted(documents, 'document')}\n"
        tables.append(title + table(["system", *names], rows))
    return "\n".join(tables)


def _cell(measure: "Measure | None") -> str:
    if measure is None:
        return "–"
    interval = measure.interval
    if measure.name in _MEDIANS:
        mean = f"{interval.mean:,.1f} [{interval.low:,.1f}, {interval.high:,.1f}]"
        return f"{mean}, median {measure.median:,.1f}"
    return f"{interval.mean:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def _agreed(agreed: "Agreed") -> list[str]:
    agreement = agreed.agreement
    alpha = "–" if agreement.alpha is None else f"{agreement.alpha:.3f}"
    interval = "–" if agreement.low is None else f"[{agreement.low:.3f}, {agreement.high:.3f}]"
    return [agreed.what, agreed.level, alpha, interval, str(agreement.units)]
