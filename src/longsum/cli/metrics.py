"""`longsum metrics`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, get_args

from longsum.cli.command import Command
from longsum.cli.options import Form
from longsum.cli.streams import entries, write_as

EXAMPLES = (
    "longsum metrics",
    "longsum metrics --format json",
)
_GROUPS = {
    "ready": "Ready to use: longsum evaluate --data SET -s SYSTEM --metrics NAME",
    "needs an extra": "Ready once something is installed",
    "needs a model": "Ready with a model",
}
"""The heading of the metrics in each state, in the order in which they are listed."""
_BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": ""}

if TYPE_CHECKING:
    from longsum.evaluation.metrics.metric_info import MetricInfo


def metrics(form: Form = "text") -> None:
    """List every metric: what it measures, its scores with their ranges, and its paper.

    The list says what has to be installed or given for each. 'longsum evaluate --metrics all' takes
    all that are ready.
    """
    rows = _rows()
    write_as(form, rows, lambda: _grouped(rows))


def _rows() -> list[dict[str, Any]]:
    from longsum.lab.comparison.comparison import HIERARCHY
    from longsum.lab.comparison.comparison_metrics import metric_infos

    rows = [_row(name, "summaries", info) for name, info in metric_infos().items()]
    return [*rows, _row("hierarchy", "trees", HIERARCHY)]


def _row(name: str, task: str, info: "MetricInfo") -> dict[str, Any]:
    return {
        "name": name,
        "task": task,
        "state": info.state,
        "measures": info.measures,
        "paper": info.paper,
        "needs": list(info.needs),
        "scores": [asdict(score) for score in info.scores],
    }


def _grouped(rows: list[dict[str, Any]]) -> str:
    """Lay out metrics by their state, each with its paper and its scores."""
    from longsum.evaluation.metrics.metric_info import State

    parts = []
    for state in get_args(State):
        listed = [(row["name"], _described(row)) for row in rows if row["state"] == state]
        if listed:
            parts.append(f"{_GROUPS[state]}\n\n{entries(listed)}")
    return "\n".join(parts)


def _described(row: dict[str, Any]) -> Sequence[str]:
    """Return the lines that describe a metric."""
    lines = [row["measures"], row["paper"]]
    if row["task"] != "summaries":
        lines.append(f"For --task {row['task']}, which always uses it")
    if row["needs"]:
        lines.append(f"Needs {' and '.join(row['needs'])}")
    for score in row["scores"]:
        parts = (score["measures"], score["range"], _BETTER[score["better"]])
        lines.append(f"{score['name']}: {', '.join(part for part in parts if part)}")
    return lines


COMMAND = Command(metrics, "List the metrics that systems are compared by.", EXAMPLES)
