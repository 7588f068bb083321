"""An outcome as tables: for a terminal, for files, and as one page that loads nothing."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from longsum.common.wording import counted
from longsum.core.pages.page import asset, render_page
from longsum.lab.pages.table_forms import to_markdown
from longsum.lab.reproduction.reproduction import Cell, Order, Outcome, RowResult

_NONE = "–"
Table = tuple[list[str], list[list[str]]]


def score_table(outcome: Outcome, column: str) -> Table:
    """Return the head and the rows of a column: ours beside what is printed."""
    head = ["system"]
    for score in outcome.scores.values():
        head += [score, f"{score}, printed"]
    rows = [[_name(row), *_scores(outcome, row, column)] for row in outcome.rows]
    data = next(each for each in outcome.data if column == each or column.startswith(f"{each} "))
    for system, scores in outcome.quoted.items():
        cells = [system]
        for score in outcome.scores:
            value = scores.get(data, {}).get(score)
            cells += [_NONE, _NONE if value is None else f"{value:.2f}"]
        rows.append(cells)
    return head, rows


def _name(row: RowResult) -> str:
    return row.name if row.less is None else f"{row.name} less {row.less}"


def _scores(outcome: Outcome, row: RowResult, column: str) -> Iterator[str]:
    cells = {cell.score: cell for cell in row.cells.get(column, ())}
    for score in outcome.scores:
        cell = cells.get(score)
        if cell is None:
            yield from (_NONE, _NONE)
            continue
        form = "+.2f" if row.less else ".2f"
        yield _NONE if cell.mean is None else _ours(cell, form)
        yield _NONE if cell.printed is None else f"{cell.printed:{form}}"


def _ours(cell: Cell, form: str) -> str:
    told = f"{cell.mean:{form}}"
    if cell.low is not None and cell.high is not None:
        told += f" [{cell.low:{form}}, {cell.high:{form}}]"
    return told if cell.deviation is None else f"{told} ± {cell.deviation:.2f}"


def facts(outcome: Outcome) -> list[str]:
    """Return sentences on what was run and what is not the paper's."""
    used = ", ".join(
        data if data == instead else f"{instead} in place of {data}"
        for data, instead in outcome.data.items()
    )
    counts = [counted(count, "document") for count in outcome.documents.values() if count]
    documents = "".join(f", {count}" for count in dict.fromkeys(counts))
    found = [
        f"Scale {outcome.scale}: {used}; split {outcome.split}{documents}; "
        f"{counted(len(outcome.seeds), 'seed')}.",
        "Ours are means with 95 % bootstrap intervals over documents"
        + (", ± the standard deviation over seeds." if len(outcome.seeds) > 1 else "."),
    ]
    if outcome.length is not None:
        found.append(f"Summaries have at most {outcome.length}; what models write is not extended.")
    learned = {row.name: row.learned for row in outcome.rows if row.learned}
    if learned:
        first = next(iter(learned.values()))
        told = ", ".join(f"{count:,} of {name}" for name, count in first.items())
        found.append(f"Learned from: {told}.")
    return [*found, *([outcome.note] if outcome.note else []), *map(_order, outcome.orders)]


def _order(order: Order) -> str:
    return (
        f"Order by {order.score} on {order.column}: {order.agree} of "
        f"{counted(order.pairs, 'pair')} of rows as printed, {order.told_apart} of them told "
        f"apart; {order.reversed} told apart the other way (Holm, 0.05)."
    )


def difference_table(outcome: Outcome) -> Table:
    """Return what settings of trainings are not the paper's: each with the rows that have it so."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for row in outcome.rows:
        for name, papers, ours in row.differs:
            rows.setdefault((name, _setting(papers), _setting(ours)), []).append(row.name)
    every = len([row for row in outcome.rows if row.differs])
    return ["setting", "paper", "here", "rows"], [
        [*key, "all" if len(names) == every else ", ".join(names)] for key, names in rows.items()
    ]


def _setting(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return _NONE if value is None else str(value)


def to_text(outcome: Outcome) -> str:
    """Return an outcome as Markdown: tables, facts, what differs, commands."""
    parts = [f"# {outcome.title} ({outcome.place})\n"]
    for column in outcome.documents:
        parts += [f"## {column}\n", to_markdown(*score_table(outcome, column))]
    parts.append("\n".join(f"- {fact}" for fact in facts(outcome)) + "\n")
    head, rows = difference_table(outcome)
    if rows:
        parts += ["## What is not the paper's\n", to_markdown(head, rows)]
    parts += ["## Each row alone\n"]
    parts.append("\n".join(_command_lines(outcome)) + "\n")
    return "\n".join(parts)


def _command_lines(outcome: Outcome) -> Iterator[str]:
    for row in outcome.rows:
        lines = dict.fromkeys(line for each in row.commands.values() for line in each)
        if lines:
            yield f"### {row.name}\n\n```sh\n" + "\n".join(lines) + "\n```\n"


def render_outcome(outcome: Outcome) -> str:
    """Return an outcome as one self-contained page."""
    parts = [f"<header class='top'><div><h1>{escape(outcome.title)}</h1>"]
    parts.append(f"<p class='facts'>{escape(f'{outcome.experiment}, {outcome.place}')}</p></div>")
    parts.append("</header><main>")
    parts += [f"<p>{escape(fact)}</p>" for fact in facts(outcome)]
    for column in outcome.documents:
        parts.append(f"<section><h2>{escape(column)}</h2>{_html(*score_table(outcome, column))}")
        parts.append("</section>")
    head, rows = difference_table(outcome)
    if rows:
        parts.append(f"<section><h2>What is not the paper's</h2>{_html(head, rows)}</section>")
    parts.append("<section><h2>Each row alone</h2>")
    for row in outcome.rows:
        lines = dict.fromkeys(line for each in row.commands.values() for line in each)
        if lines:
            shown = escape("\n".join(lines))
            parts.append(f"<h3>{escape(row.name)}</h3><p>{escape(row.title)}</p>")
            parts.append(f"<div class='scroll'><pre>{shown}</pre></div>")
    parts.append("</section></main>")
    style = asset("viewer.css") + asset("comparison.css")
    return render_page(
        escape(f"{outcome.experiment}: {outcome.title}"), "".join(parts), style=style
    )


def _html(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in names)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    head = f"<thead><tr>{top}</tr></thead>"
    return f'<div class="scroll"><table>{head}<tbody>{body}</tbody></table></div>'
