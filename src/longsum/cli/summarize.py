"""`longsum summarize`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.bars import bar
from longsum.cli.command import Command
from longsum.cli.options import (
    AsWritten,
    Cache,
    FillOption,
    Focus,
    Force,
    Format,
    Keep,
    Model,
    Output,
    Prototype,
    ReadLimit,
    Seed,
    Shorten,
    Source,
    System,
    read_input,
)
from longsum.cli.streams import check_output, progress, warn, warn_of, write_result
from longsum.common.errors import LongsumError
from longsum.common.wording import counted

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
    from longsum.core.summaries import Ladder


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
            "medium, long (100, 250, 600 words); auto leaves it to the system.",
        ),
    ] = "medium",
    fill: FillOption = None,
    system: System = None,
    model: Model = None,
    prototype: Prototype = None,
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
    focus: Focus = None,
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
            "--levels",
            help="Print the summaries of the chapters too, from which that of the whole is made.",
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
    as_written: AsWritten = False,
    at_once: Annotated[
        bool,
        typer.Option(
            "--at-once", help="Do not divide a long text; a model then reads only its beginning."
        ),
    ] = False,
    headings: Annotated[
        bool | None,
        typer.Option(
            "--headings/--no-headings",
            help="Put the sentences under the titles of their sections, or do not; by default "
            "above 300 words, and always in the HTML page.",
        ),
    ] = None,
    shorten: Shorten = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    read_limit: ReadLimit = None,
    cache: Cache = None,
    keep: Keep = "",
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
    if headings is not None and form is Format.json:
        raise LongsumError(
            "JSON gives the section of every sentence; leave out --headings and --no-headings."
        )
    from longsum.core import pipeline
    from longsum.core.summaries import Budget

    choice = pipeline.SystemOptions(
        system=system, model=model, prototype=prototype, beams=beams, importance=importance
    )
    options = pipeline.Options(
        focus=focus,
        seed=seed,
        as_written=as_written,
        at_once=at_once,
        levels=levels,
        shorten=shorten,
        work=work,
        importance=importance,
        fill=None if fill is None else fill.value,
    )
    choice.check(options)
    budget = Budget.parse(length)
    document = read_input(source, read_limit, cache, keep)
    with progress("Loading"):
        if choice.uses_transformers:
            _quiet()
        chosen = choice.load()
    with bar(f"Summarizing {counted(len(document.sentences), 'sentence')}", "part") as show:

        def show_part(level: int, done: int, total: int) -> None:
            show(done, total, f"Summarizing parts, level {level}")

        make = pipeline.summarize_ladder if form is Format.html else pipeline.summarize_length
        ladder = make(document, budget, chosen, replace(options, progress=show_part))
        summary = ladder.rungs[ladder.start]
        text = _written(ladder, form, explain, levels, headings)
    if work is not None and not summary.levels:
        warn(["Nothing is kept for --work: the text is read at once."])
    warn_of(summary.notices)
    write_result(text, output)


def _quiet() -> None:
    """Keep the progress bars of `transformers` out of the output."""
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]


def _written(
    ladder: "Ladder", form: Format, explain: bool, levels: bool, headings: bool | None
) -> str:
    summary = ladder.rungs[ladder.start]
    if levels and not summary.levels:
        warn(["There are no levels: the text has no two chapters of 60 words or more."])
    if form is Format.json:
        from longsum.core.summaries.result_file import dump_json, summary_to_json

        return dump_json(summary_to_json(summary, levels=levels, importance=explain))
    if form is Format.html:
        return ladder.to_html(shaded=explain, headings=headings is not False)
    from longsum.core.summaries.formats import to_markdown, to_text
    from longsum.core.summaries.level_formats import levels_to_markdown, levels_to_text

    whole, below = (
        (to_markdown, levels_to_markdown) if form is Format.markdown else (to_text, levels_to_text)
    )
    shown = [whole(summary, explain, headings=headings)]
    if levels and summary.levels:
        shown.append(below(summary.levels))
    return "\n".join(shown)


COMMAND = Command(summarize, "Summarize a document.", EXAMPLES)
