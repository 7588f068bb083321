"""`longsum summarize`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longsum.cli.bars import bar
from longsum.cli.options import Force, Format, Output, ReadLimit, Seed, Source, ready_systems
from longsum.cli.streams import check_output, progress, warn, write_result
from longsum.errors import LongsumError

EXAMPLES = (
    "longsum summarize report.pdf",
    "longsum summarize report.pdf --length 10%",
    "longsum summarize report.pdf --focus 'water rights' --explain",
    "longsum summarize report.pdf --format html -o summary.html",
    "longsum summarize book.epub --length '1200 words' --levels",
    "longsum summarize report.pdf --model facebook/bart-large-cnn",
    "cat notes.md | longsum summarize - --length 5s",
)

if TYPE_CHECKING:
    from longsum.documents import Document
    from longsum.summaries import Budget, Ladder, Summary
    from longsum.systems.extractive.summarizer import System


def summarize(
    source: Source,
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            metavar="LENGTH",
            help="The most the summary may hold: 250w or '250 words', 300t (tokens: the model's, "
            "or words and punctuation marks), 12s (sentences), 8% of the document, or short, "
            "medium, long (100, 250, 600 words).",
        ),
    ] = "medium",
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            "-s",
            metavar="NAME",
            autocompletion=ready_systems,
            help="The system to use, by default 'stepwise'; 'longsum systems' lists them.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="The model that writes the summary or chooses its sentences: a folder, or "
            "owner/name on the Hugging Face Hub.",
        ),
    ] = None,
    prototype: Annotated[
        str | None,
        typer.Option(
            "--prototype",
            metavar="NAME",
            help="A system, or the folder of a model, that writes a summary of a length of its "
            "own, which MLS then brings to the length asked for.",
        ),
    ] = None,
    beams: Annotated[
        int | None,
        typer.Option(
            "--beams",
            metavar="N",
            min=1,
            help="Number of beams the model searches, by default the model's own setting.",
        ),
    ] = None,
    importance: Annotated[
        str | None,
        typer.Option(
            "--importance",
            metavar="FOLDER",
            help="Folder of a tagger that says how important each word is: shown with --explain, "
            "and read by models that need it.",
        ),
    ] = None,
    focus: Annotated[
        str | None,
        typer.Option("--focus", metavar="TEXT", help="What you want to know about, in any words."),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Show where each sentence comes from, why it was chosen, and how important each "
            "part of the document is.",
        ),
    ] = False,
    levels: Annotated[
        bool,
        typer.Option(
            "--levels", help="Print the summaries of the parts too, if a long text was divided."
        ),
    ] = False,
    work: Annotated[
        Path | None,
        typer.Option(
            "--work",
            metavar="FOLDER",
            help="Keep the summaries of the parts of a long text in this folder, so that an "
            "interrupted run can resume.",
        ),
    ] = None,
    as_written: Annotated[
        bool,
        typer.Option(
            "--as-written",
            help="With --model: print what the model writes, however short. Otherwise MLS brings "
            "it to the length asked for with sentences from the document.",
        ),
    ] = False,
    at_once: Annotated[
        bool,
        typer.Option(
            "--at-once", help="Do not divide a long text; a model then reads only its beginning."
        ),
    ] = False,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    read_limit: ReadLimit = None,
    output: Output = None,
    force: Force = False,
    seed: Seed = 0,
) -> None:
    """Summarize a document.

    The summary is never longer than you ask, and whatever could not be read is reported. A text
    that is too long for the system, such as a book, is divided: first its chapters are summarized,
    then their summaries. The extractor reads up to 100,000 words at once, a model as many as it
    can.
    """
    check_output(output, force)
    if levels and form is Format.html:
        raise LongsumError("The HTML page has no room for levels; give --format json or markdown.")
    if as_written and model is None:
        raise LongsumError(
            "--as-written is for what a model writes; give --model, or leave it out."
        )
    _check_work(work, at_once)
    from longsum.documents.readers import ReadLimits, read
    from longsum.summaries import Budget

    budget = Budget.parse(length)
    limits = ReadLimits.parse(read_limit or ())
    with progress("Reading"):
        document = read(source, limits=limits)
    with progress("Loading"):
        chosen = writer = _system(system, model, prototype, beams, importance)
    with bar(f"Summarizing {len(document.sentences):,} sentences", "part") as show:
        if not at_once:
            from longsum.systems.recursive.summarizer import in_parts

            def told(level: int, done: int, total: int) -> None:
                show(done, total, f"Summarizing parts, level {level}")

            chosen = in_parts(chosen, document, work, told)
            if work is not None and chosen is writer:
                warn(["Nothing is kept for --work: the text is read at once."])
        if model is not None and not as_written:
            from longsum.systems.magnifier.length_control import reach_any_length

            chosen = reach_any_length(chosen, writer)
        ladder = _ladder(document, budget, chosen, focus, seed, climb=form is Format.html)
        if importance is not None:
            ladder = _tagged(ladder, document, importance)
        summary = ladder.rungs[ladder.start]
        text = _written(ladder, summary, form, explain, levels)
    warn(summary.warnings)
    write_result(text, output)


def _check_work(work: Path | None, at_once: bool) -> None:
    """Refuse a place for summaries of parts that cannot be one, or that nothing would use."""
    if work is None:
        return
    if at_once:
        raise LongsumError("--at-once makes no parts for --work to keep; leave out one of them.")
    if work.exists() and not work.is_dir():
        raise LongsumError(f"'{work}' is a file; give --work a folder.")


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
    from longsum.systems.loading import DEFAULT, is_extractor, is_model, load_model, load_system

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
    from longsum.systems.abstractive.hub import load_token_tagger

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
        from longsum.reports.summary_page import render_html

        return render_html(ladder, shaded=explain)
    from longsum.summaries.formats import to_markdown, to_text

    if form is Format.markdown:
        below = levels_to_markdown(levels) if levels else ""
        return "\n".join(filter(None, [to_markdown(summary, explain), below]))
    below = levels_to_text(levels) if levels else ""
    return "\n".join(filter(None, [to_text(summary, explain), below]))
