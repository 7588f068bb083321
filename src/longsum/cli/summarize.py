"""`longsum summarize`."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import (
    AtOnce,
    EndpointOptions,
    Focus,
    FormatOption,
    InputOptions,
    OutputOptions,
    Shorten,
    SummaryOptions,
    SystemChoice,
)
from longsum.cli.streams import bar, hide_bars_of_transformers, progress, warn, warn_of
from longsum.common.errors import LongsumError
from longsum.common.wording import counted

EXAMPLES = (
    "longsum summarize report.pdf",
    "longsum summarize report.pdf --length 10%",
    "longsum summarize report.pdf --focus 'water rights' --explain",
    "longsum summarize report.pdf -o summary.html",
    "longsum summarize book.epub --length '1200 words' --levels",
    "longsum summarize report.pdf --model facebook/bart-large-cnn",
    "longsum summarize report.pdf annex.docx minutes.html --length 500w",
    "cat notes.md | longsum summarize - --length 5s",
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from longsum.core.summaries import NestedSummaries
    from longsum.documents import Document

_UNREAD = 2


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model searches, and what it reads besides the document."""

    beams: Annotated[
        int | None,
        typer.Option(
            "--beams",
            metavar="N",
            min=1,
            help="Number of beams the model searches, by default the model's own setting.",
        ),
    ] = None
    importance: Annotated[
        str | None,
        typer.Option(
            "--importance",
            metavar="FOLDER",
            help="Folder of a tagger that rates how important each word is: shown with --explain, "
            "and used by models that need it.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Division:
    """How a long text is divided."""

    levels: Annotated[
        bool,
        typer.Option(
            "--levels",
            help="Also print the summaries of the chapters, from which that of the whole is made.",
        ),
    ] = False
    work: Annotated[
        Path | None,
        typer.Option(
            "--work",
            metavar="FOLDER",
            help="Keep the summaries of the parts of a long text in this folder, so that an "
            "interrupted run can resume.",
        ),
    ] = None
    at_once: AtOnce = False


@dataclass(frozen=True, slots=True)
class Presentation:
    """How the summary is presented."""

    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Show where each sentence comes from, why it was chosen, and how important each "
            "part of the document is.",
        ),
    ] = False
    headings: Annotated[
        bool | None,
        typer.Option(
            "--headings/--no-headings",
            help="Put the sentences under the titles of their sections, or do not; by default "
            "above 300 words, and always in the HTML page.",
        ),
    ] = None
    form: FormatOption = "text"

    def check(self, levels: bool) -> None:
        """Refuse options that do not apply to the format."""
        if levels and self.form == "html":
            raise LongsumError(
                "The HTML page does not show levels; give --format json or markdown."
            )
        if self.headings is not None and self.form == "json":
            raise LongsumError(
                "JSON gives the section of every sentence; leave out --headings and --no-headings."
            )


def summarize(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT…",
            help="A file (text, PDF, DOCX, ODT, EPUB, HTML, XML, …), or several as one summary; - "
            "reads standard input.",
        ),
    ],
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            metavar="LENGTH",
            help="The maximum length of the summary: 250w or '250 words', 300t (tokens: the "
            "model's, or words and punctuation marks), 12s (sentences), 8% of the document, or "
            "short, medium, long (100, 250, 600 words); auto leaves it to the system.",
        ),
    ] = "medium",
    *,
    choice: SystemChoice,
    writer: ModelOptions,
    endpoint: EndpointOptions,
    focus: Focus = None,
    division: Division,
    shorten: Shorten = None,
    made: SummaryOptions,
    shown: Presentation,
    read: InputOptions,
    output: OutputOptions,
) -> None:
    """Summarize a document, or several as one.

    The summary is never longer than you ask, and whatever could not be read is reported. A text
    that is too long for the system, such as a book, is divided: first its chapters are summarized,
    then their summaries. The extractor reads up to 100,000 words at once, a model as many as it
    can. Each of several documents gets a share of the length, and what they have in common is said
    once; one that cannot be read is reported and left out, and the exit status is 2.
    """
    output.check()
    shown.check(division.levels)
    from longsum.core import pipeline
    from longsum.core.summaries import Budget
    from longsum.core.systems.system import Request

    chosen = choice.options(**asdict(writer), endpoint=endpoint.settings)
    options = pipeline.Options(
        focus=focus,
        shorten=shorten,
        importance=writer.importance,
        **asdict(division),
        **made.settings,
    )
    chosen.check(options)
    budget = Budget.parse(length)
    document, unread = _read(sources, read)
    with progress("Loading"):
        if chosen.uses_transformers:
            hide_bars_of_transformers()
        system = chosen.load()
    if endpoint.estimate:
        asked = Request(document, budget.absolute(document), focus, options.seed)
        output.write(f"{system.estimate(asked)}\n")
        return
    doing = f"Summarizing {counted(len(document.sentences), 'sentence')}"
    with bar(doing, "part", note=lambda: system.spent) as show:

        def show_part(level: int, done: int, total: int) -> None:
            show(done, total, f"Summarizing parts, level {level}")

        ready = replace(options, progress=show_part)
        if len(sources) > 1:
            from longsum.dossiers.dossier_system import prepared

            system, ready = prepared(system, document, ready)
        make = pipeline.summarize_lengths if shown.form == "html" else pipeline.summarize_length
        nested = make(document, budget, system, ready)
        text = _written(nested, shown, division.levels)
    summary = nested.summaries[nested.start]
    if division.work is not None and not (summary.levels or system.keeps_work):
        warn(["Nothing is kept in the folder of --work: the text is read at once."])
    warn_of(summary.notices)
    output.write(text)
    if unread:
        raise typer.Exit(_UNREAD)


def _read(sources: "Sequence[str]", read: InputOptions) -> "tuple[Document, Sequence[str]]":
    """Return one document or several as one, and why others cannot be read."""
    if len(sources) == 1:
        return read.read(sources[0]), ()
    from longsum.dossiers.gathering import gather

    gathered = gather(sources, read.read)
    return gathered.document, gathered.unread


def _written(nested: "NestedSummaries", shown: Presentation, levels: bool) -> str:
    summary = nested.summaries[nested.start]
    if levels and not summary.levels:
        warn(["There are no levels: the text does not have two chapters of 60 words or more."])
    if shown.form == "json":
        from longsum.core.summaries.result_file import dump_json, summary_to_json

        return dump_json(summary_to_json(summary, levels=levels, importance=shown.explain))
    if shown.form == "html":
        return nested.to_html(shaded=shown.explain, headings=shown.headings is not False)
    from longsum.core.summaries.formats import (
        levels_to_markdown,
        levels_to_text,
        to_markdown,
        to_text,
    )

    whole, below = to_text, levels_to_text
    if shown.form == "markdown":
        whole, below = to_markdown, levels_to_markdown
    text = whole(summary, shown.explain, headings=shown.headings)
    return f"{text}\n{below(summary.levels)}" if levels and summary.levels else text


COMMAND = Command(summarize, "Summarize a document.", EXAMPLES)
