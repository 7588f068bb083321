"""`longsum summarize`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.options import Force, Output, Seed, Source
from longsum.cli.streams import check_output, progress, warn, write_result

if TYPE_CHECKING:
    from longsum.documents import Document
    from longsum.summaries import Budget, Ladder, Summary


class Format(StrEnum):
    """How a summary is written."""

    text = "text"
    markdown = "markdown"
    json = "json"
    html = "html"


def summarize(
    source: Source,
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            help="At most this long: words 250w, sentences 12s, a share 8%, "
            "or short, medium, long (100, 250, 600 words).",
        ),
    ] = "medium",
    system: Annotated[
        str, typer.Option("--system", "-s", help="Which system; 'longsum systems' lists them.")
    ] = "kernels",
    focus: Annotated[
        str | None, typer.Option("--focus", help="What you want to know of, in free words.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say where each sentence came from, and why.")
    ] = False,
    form: Annotated[
        Format, typer.Option("--format", "-f", help="How to write the summary.")
    ] = Format.text,
    output: Output = None,
    force: Force = False,
    seed: Seed = 0,
) -> None:
    """Summarize a document.

    The summary is never longer than asked, and nothing of the document is skipped in silence.
    """
    check_output(output, force)
    from longsum.documents.readers import read
    from longsum.summaries import Budget

    budget = Budget.parse(length)
    with progress("Reading"):
        document = read(source)
    with progress(f"Summarizing {len(document.sentences)} sentences"):
        ladder = _ladder(document, budget, system, focus, seed, climb=form is Format.html)
        summary = ladder.rungs[ladder.start]
        text = _written(ladder, summary, form, explain)
    warn(summary.warnings)
    write_result(text, output)


def _ladder(
    document: "Document",
    budget: "Budget",
    system: str,
    focus: str | None,
    seed: int,
    climb: bool,
) -> "Ladder":
    from longsum.summaries.budget import ladder_around
    from longsum.systems import load_system

    budgets = ladder_around(budget, document) if climb else [budget]
    start = budgets.index(budget)
    return load_system(system).ladder(document, budgets, start=start, focus=focus, seed=seed)


def _written(ladder: "Ladder", summary: "Summary", form: Format, explain: bool) -> str:
    if form is Format.json:
        from longsum.summaries.result_file import dump_json, summary_to_json

        return dump_json(summary_to_json(summary))
    if form is Format.html:
        from longsum.reports.html import render_html

        return render_html(ladder)
    from longsum.summaries.formats import to_markdown, to_text

    write = to_markdown if form is Format.markdown else to_text
    return write(summary, explain)
