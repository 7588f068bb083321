"""`longsum summarize`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
            help="At most this long: words 250w, tokens 300t (the model's, or words and marks), "
            "sentences 12s, a share 8%, or short, medium, long (100, 250, 600 words).",
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
    prototype: Annotated[
        str | None,
        typer.Option(
            "--prototype",
            help="Let this system, or the model in this folder, write a summary of its own length; "
            "MLS makes any length of that.",
        ),
    ] = None,
    beams: Annotated[
        int | None,
        typer.Option(
            "--beams", min=1, help="How many beams the model searches; as it says by default."
        ),
    ] = None,
    importance: Annotated[
        str | None,
        typer.Option(
            "--importance",
            help="Let the tagger in this folder say how important each word is: to the reader of "
            "--explain, and to a model that is to be told.",
        ),
    ] = None,
    focus: Annotated[
        str | None, typer.Option("--focus", help="What you want to know of, in free words.")
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Say where each sentence came from, and why, and how important each part of the "
            "document is.",
        ),
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
    as_written: Annotated[
        bool,
        typer.Option(
            "--as-written",
            help="With --model: keep to what the model writes, however short. Without, MLS brings "
            "it to the length asked for with sentences of the document.",
        ),
    ] = False,
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
        chosen = writer = _system(system, model, prototype, beams, importance)
        if not at_once:
            from longsum.systems.recursive import in_parts

            chosen = in_parts(chosen, document, work)
        if model is not None and not as_written:
            from longsum.systems.length_control import reach_any_length

            chosen = reach_any_length(chosen, writer)
    with progress(f"Summarizing {len(document.sentences)} sentences"):
        ladder = _ladder(document, budget, chosen, focus, seed, climb=form is Format.html)
        if importance is not None:
            ladder = _tagged(ladder, document, importance)
        summary = ladder.rungs[ladder.start]
        text = _written(ladder, summary, form, explain, levels)
    warn(summary.warnings)
    write_result(text, output)


def _system(
    system: str | None,
    model: str | None,
    prototype: str | None,
    beams: int | None,
    importance: str | None,
) -> "System":
    """Make the system that the options name.

    Raises:
        LongsumError: They contradict each other, or name nothing that is there.
    """
    from longsum.models.folders import check_model
    from longsum.systems.registry import DEFAULT, is_extractor, is_model, load_model, load_system

    if importance is not None and Path(importance).is_dir():
        # Before what takes long to import.
        check_model(importance)
    if system is not None and model is not None:
        raise LongsumError("Give either --system or --model; a model is a system of its own.")
    if model is not None and prototype is not None:
        raise LongsumError(
            "Give the model as --prototype alone; --model writes the summary itself."
        )
    if model is not None:
        if not is_extractor(model):
            _quiet()
        return load_model(model, beams=beams, importance=importance)
    if beams is not None:
        raise LongsumError("Only a model searches with beams; give --model too, or no --beams.")
    if prototype is not None:
        if is_model(prototype):
            _quiet()
        return load_system(system or "mls", prototype=prototype)
    return load_system(DEFAULT if system is None else system)


def _quiet() -> None:
    """Keep the progress bars of `transformers` out of the output."""
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]


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


def _tagged(ladder: "Ladder", document: "Document", folder: str) -> "Ladder":
    """Return a ladder whose importance is that of the tagger in a folder."""
    from longsum.systems.pretrained import load_token_tagger

    _quiet()
    found = load_token_tagger(folder).importance(document)
    return replace(ladder, rungs=tuple(replace(rung, importance=found) for rung in ladder.rungs))


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
        warn(["There are no levels: the text was read at once."])
    if form is Format.json:
        from longsum.summaries.importance import importance_to_json
        from longsum.summaries.result_file import dump_json, summary_to_json

        more: dict[str, Any] = {"levels": levels_to_json(levels)} if show_levels else {}
        if explain and summary.importance is not None:
            more["importance"] = importance_to_json(summary.importance)
        return dump_json(summary_to_json(summary) | more)
    if form is Format.html:
        from longsum.reports.html import render_html

        return render_html(ladder, shaded=explain)
    from longsum.summaries.formats import to_markdown, to_text

    if form is Format.markdown:
        below = levels_to_markdown(levels) if levels else ""
        return "\n".join(filter(None, [to_markdown(summary, explain), below]))
    below = levels_to_text(levels) if levels else ""
    return "\n".join(filter(None, [to_text(summary, explain), below]))
