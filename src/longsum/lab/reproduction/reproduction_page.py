"""The outcome of an experiment as tables, for a terminal and in files such as a web page."""

import json
from html import escape
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from longsum.common.files import make_folder, write_text
from longsum.common.wording import counted
from longsum.core.pages.page import asset, render_page
from longsum.lab.pages.table_forms import FORMS, to_markdown
from longsum.lab.reproduction.reproduction import Cell, Order, Outcome

_NONE = "–"
Table = tuple[list[str], list[list[str]]]


def score_table(outcome: Outcome, column: str) -> Table:
    """Return the header and the rows of a column: our scores beside the published ones."""
    scores = outcome.experiment.scores
    head = ["system"]
    for name in scores.values():
        head += [name, f"{name}, printed"]
    rows = []
    for row in outcome.rows:
        form = "+.2f" if row.less else ".2f"
        rows.append([row.name if row.less is None else f"{row.name} less {row.less}"])
        for cell in row.cells[column]:
            rows[-1] += [_measured(cell, form), _number(cell.printed, form)]
    for system, printed in outcome.experiment.quotations().items():
        rows.append([system])
        for score in scores:
            known = printed.get(column.partition(" ")[0], {})
            rows[-1] += [_NONE, _number(known.get(score), ".2f")]
    return head, rows


def _number(value: float | None, form: str) -> str:
    return _NONE if value is None else f"{value:{form}}"


def _measured(cell: Cell, form: str) -> str:
    text = _number(cell.mean, form)
    if cell.low is not None and cell.high is not None:
        text += f" [{cell.low:{form}}, {cell.high:{form}}]"
    return text if cell.deviation is None else f"{text} ± {cell.deviation:.2f}"


def facts(outcome: Outcome) -> list[str]:
    """Return sentences on how the experiment was run and whether its order is the paper's."""
    used = ", ".join(
        data if data == instead else f"{instead} in place of {data}"
        for data, instead in outcome.data.items()
    )
    counts = {counted(count, "document"): None for count in outcome.documents.values() if count}
    seeds = counted(len(outcome.seeds), "seed")
    deviation = ", ± the standard deviation over seeds" if len(outcome.seeds) > 1 else ""
    length, note = outcome.experiment.length_phrase, outcome.experiment.note
    return [
        f"Scale {outcome.scale}: {used}; split {', '.join([outcome.split, *counts])}; {seeds}.",
        f"Ours are means with 95 % bootstrap intervals over documents{deviation}.",
        *([f"Summaries have at most {length}; generated text is not extended."] if length else []),
        *filter(None, [note]),
        *map(_order, outcome.orders),
    ]


def _order(order: Order) -> str:
    return (
        f"Order by {order.score} on {order.column}: {order.agree} of "
        f"{counted(order.pairs, 'pair')} of rows as printed, {order.told_apart} of them "
        f"significantly; {order.reversed} significantly the other way (Holm, 0.05)."
    )


def learned_table(outcome: Outcome) -> Table:
    """Return the training data of each model, and the rows it leads to."""
    return ["model", "trained on", "rows"], [
        [
            training.name,
            ", ".join(f"{count:,} of {name}" for name, count in training.learned.items()),
            ", ".join(row.name for row in outcome.rows if training.name in row.trainings),
        ]
        for training in outcome.trainings
    ]


def difference_table(outcome: Outcome) -> Table:
    """Return the settings that differ from the paper's, each with the models that have it."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for training in outcome.trainings:
        for name, papers, ours in training.differs:
            rows.setdefault((name, _setting(papers), _setting(ours)), []).append(training.name)
    return ["setting", "paper", "here", "models"], [
        [*key, "all" if len(names) == len(outcome.trainings) else ", ".join(names)]
        for key, names in rows.items()
    ]


def _setting(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return _NONE if value is None else str(value)


def to_text(outcome: Outcome, *, commands: bool = True) -> str:
    """Return an outcome as Markdown: tables, facts, differing settings, and each row's commands."""
    experiment = outcome.experiment
    parts = [f"# {experiment.title} ({experiment.place})"]
    for column in outcome.documents:
        parts += [f"## {column}", to_markdown(*score_table(outcome, column))]
    parts.append("\n".join(f"- {fact}" for fact in facts(outcome)))
    for title, (head, rows) in (
        ("Training data", learned_table(outcome)),
        ("Settings that differ from the paper", difference_table(outcome)),
    ):
        parts += [f"## {title}", to_markdown(head, rows)] if rows else []
    if commands:
        parts.append("## Commands for single rows")
        for row in outcome.rows:
            if lines := dict.fromkeys(line for block in row.commands.values() for line in block):
                shell = "\n".join(lines)
                parts += [f"### {row.name}", row.title, f"```sh\n{shell}\n```"]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def render_outcome(outcome: Outcome) -> str:
    """Return an outcome as one self-contained page."""
    experiment = outcome.experiment
    body = MarkdownIt("js-default").render(to_text(outcome))
    for tag in ("table", "pre"):
        body = body.replace(f"<{tag}>", f'<div class="scroll"><{tag}>')
        body = body.replace(f"</{tag}>", f"</{tag}></div>")
    return render_page(
        escape(f"{experiment.name}: {experiment.title}"),
        f"<main><section>{body}</section></main>",
        style=asset("base.css") + asset("comparison.css"),
    )


def write_outcome(outcome: Outcome, folder: Path) -> None:
    """Write `page.html`, `table.md` and `result.json`, and each column as LaTeX and CSV.

    Raises:
        UnwritableError: A file cannot be written.
    """
    make_folder(folder)
    write_text(folder / "page.html", render_outcome(outcome))
    write_text(folder / "table.md", to_text(outcome))
    write_text(folder / "result.json", json.dumps(outcome.to_json(), ensure_ascii=False, indent=1))
    for column in outcome.documents:
        name = column.replace("/", "-").replace(" ", "-")
        for ending in (".tex", ".csv"):
            write_text(folder / f"{name}{ending}", FORMS[ending](*score_table(outcome, column)))
