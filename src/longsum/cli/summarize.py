"""`longsum summarize`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.options import Force, Format, Output, Seed, Source
from longsum.cli.streams import check_output, progress, warn, write_result
from longsum.errors import LongsumError

if TYPE_CHECKING:
    from longsum.documents import Document
    from longsum.summaries import Budget, Ladder, Summary
    from longsum.systems.summarizer import System


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
        str | None,
        typer.Option(
            "--system",
            "-s",
            help="Which system, 'stepwise' by default; 'longsum systems' lists them.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Let this model write or choose: a folder, or owner/name on the Hub.",
        ),
    ] = None,
    beams: Annotated[
        int | None,
        typer.Option(
            "--beams", min=1, help="How many beams the model searches; as it says by default."
        ),
    ] = None,
    focus: Annotated[
        str | None, typer.Option("--focus", help="What you want to know of, in free words.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say where each sentence came from, and why.")
    ] = False,
    levels: Annotated[
        bool,
        typer.Option(
            "--levels", help="Give the summaries of the parts too, where a long text was divided."
        ),
    ] = False,
    work: Annotated[
        Path | None,
        typer.Option(
            "--work",
            help="Keep the summaries of the parts of a long text in this folder; a run that was "
            "broken off goes on from them.",
        ),
    ] = None,
    at_once: Annotated[
        bool,
        typer.Option("--at-once", help="Do not divide a long text; a model then reads its start."),
    ] = False,
    form: Annotated[
        Format, typer.Option("--format", "-f", help="How to write the summary.")
    ] = Format.text,
    output: Output = None,
    force: Force = False,
    seed: Seed = 0,
) -> None:
    """Summarize a document.

    The summary is never longer than asked, and nothing of the document is skipped in silence. A
    text that is too long for the system, such as a book, is divided: its chapters are summarized,
    and the whole from their summaries. The extractor reads 100,000 words at once, a model as many
    as it can.
    """
    check_output(output, force)
    if levels and form is Format.html:
        raise LongsumError("The HTML page has no room for levels; give --format json or markdown.")
    from longsum.documents.readers import read
    from longsum.summaries import Budget

    budget = Budget.parse(length)
    with progress("Reading"):
        document = read(source)
    with progress("Loading"):
        chosen = _system(system, model, beams)
        if not at_once:
            from longsum.systems.recursive import in_parts

            chosen = in_parts(chosen, document, work)
    with progress(f"Summarizing {len(document.sentences)} sentences"):
        ladder = _ladder(document, budget, chosen, focus, seed, climb=form is Format.html)
        summary = ladder.rungs[ladder.start]
        text = _written(ladder, summary, form, explain, levels)
    warn(summary.warnings)
    write_result(text, output)


def _system(system: str | None, model: str | None, beams: int | None) -> "System":
    """Make the system that the options name.

    Raises:
        LongsumError: They contradict each other, or name nothing that is there.
    """
    from longsum.systems.registry import DEFAULT, is_extractor, load_model, load_system

    if system is not None and model is not None:
        raise LongsumError("Give either --system or --model; a model is a system of its own.")
    if model is not None:
        if not is_extractor(model):
            from transformers.utils.logging import disable_progress_bar

            disable_progress_bar()  # type: ignore[no-untyped-call]
        return load_model(model, beams=beams)
    if beams is not None:
        raise LongsumError("Only a model searches with beams; give --model too, or no --beams.")
    return load_system(DEFAULT if system is None else system)


def _ladder(
    document: "Document",
    budget: "Budget",
    system: "System",
    focus: str | None,
    seed: int,
    climb: bool,
) -> "Ladder":
    from longsum.summaries.budget import ladder_around

    budgets = ladder_around(budget, document) if climb else [budget]
    start = budgets.index(budget)
    return system.ladder(document, budgets, start=start, focus=focus, seed=seed)


def _written(
    ladder: "Ladder", summary: "Summary", form: Format, explain: bool, show_levels: bool
) -> str:
    from longsum.summaries.levels import (
        LeveledSummary,
        levels_to_json,
        levels_to_markdown,
        levels_to_text,
    )

    levels = summary.levels if show_levels and isinstance(summary, LeveledSummary) else ()
    if show_levels and not levels:
        warn(["The text was read at once, so there are no levels."])
    if form is Format.json:
        from longsum.summaries.result_file import dump_json, summary_to_json

        more = {"levels": levels_to_json(levels)} if show_levels else {}
        return dump_json(summary_to_json(summary) | more)
    if form is Format.html:
        from longsum.reports.html import render_html

        return render_html(ladder)
    from longsum.summaries.formats import to_markdown, to_text

    if form is Format.markdown:
        below = levels_to_markdown(levels) if levels else ""
        return "\n".join(filter(None, [to_markdown(summary, explain), below]))
    below = levels_to_text(levels) if levels else ""
    return "\n".join(filter(None, [to_text(summary, explain), below]))
