"""The results of a study as plain text."""

from typing import TYPE_CHECKING

from longsum.cli.streams import table
from longsum.common.wording import counted

if TYPE_CHECKING:
    from longsum.lab.studies.results import StudyResults
    from longsum.lab.studies.tally import Agreed, Measure

_MEDIANS = frozenset({"seconds", "words"})
"""What is skewed, so that its median is told too."""


def format_study(results: "StudyResults") -> str:
    """Lay out the results of a study: measures by system, agreement, and what was done."""
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
        found = {(measure.system, measure.name): measure for measure in here}
        systems = list(dict.fromkeys(measure.system for measure in here))
        documents = max(measure.documents for measure in here)
        rows = [
            [system, *(_cell(found.get((system, name))) for name in names)] for system in systems
        ]
        title = f"{of or results.kind}, {counted(documents, 'document')}\n"
        tables.append(title + table(["system", *names], rows))
    return "\n".join(tables)


def _cell(measure: "Measure | None") -> str:
    if measure is None:
        return "–"
    found = measure.interval
    if measure.name in _MEDIANS:
        mean = f"{found.mean:,.1f} [{found.low:,.1f}, {found.high:,.1f}]"
        return f"{mean}, median {measure.median:,.1f}"
    return f"{found.mean:.2f} [{found.low:.2f}, {found.high:.2f}]"


def _agreed(agreed: "Agreed") -> list[str]:
    found = agreed.found
    alpha = "–" if found.alpha is None else f"{found.alpha:.3f}"
    interval = "–" if found.low is None else f"[{found.low:.3f}, {found.high:.3f}]"
    return [agreed.what, agreed.level, alpha, interval, str(found.units)]
