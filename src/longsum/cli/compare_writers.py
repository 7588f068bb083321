"""`longsum compare-writers`."""

import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from longsum.cli.command import Command
from longsum.cli.options import (
    AsWritten,
    Focus,
    InputOptions,
    LanguageModelOptions,
    OutputOptions,
    Seed,
    written_form,
)
from longsum.cli.result_tables import format_results
from longsum.cli.streams import bar, hide_bars_of_transformers, progress, warn
from longsum.common.errors import LongsumError
from longsum.common.extras import require
from longsum.common.wording import quote

if TYPE_CHECKING:
    from longsum.core.summaries import Summary
    from longsum.documents import Document
    from longsum.evaluation.datasets import Example
    from longsum.lab.comparison.comparison_report import Gathered
    from longsum.lab.comparison.comparison_results import Results

EXAMPLES = (
    "longsum compare-writers report.pdf --model http://127.0.0.1:8080/v1#NAME",
    "longsum compare-writers *.pdf --model local --length 300w -o writers.html",
    "longsum compare-writers *.pdf --model folder/of/a/model --judge folder/of/an/nli-model",
)


def compare_writers(
    sources: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="The documents, in any format.")
    ],
    *,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="The language model: a folder, owner/name on the Hugging Face Hub, or the address "
            "of a chat endpoint, such as http://127.0.0.1:8080/v1#NAME.",
        ),
    ],
    length: Annotated[
        str,
        typer.Option("--length", "-l", metavar="LENGTH", help="As in summarize."),
    ] = "medium",
    judge: Annotated[
        Path | None,
        typer.Option(
            "--judge",
            metavar="FOLDER",
            help="An entailment model (NLI) that judges, in addition to our checks, whether "
            "sources support the text: a transformers checkpoint that classifies pairs.",
        ),
    ] = None,
    focus: Focus = None,
    as_written: AsWritten = False,
    seed: Seed = 0,
    language_model: LanguageModelOptions,
    form: Annotated[Literal["text", "json", "html"], written_form("text", "json", "html")] = "text",
    read: InputOptions,
    output: OutputOptions,
) -> None:
    """Compare what a language model writes by itself with what it writes under longsum.

    It is asked in three ways: once, with as much of the document's beginning as fits (bare); for
    parts and merges of them, without citations (hierarchical); and as summarize does it (longsum).
    The report shows how much of the document was read, what the sources support, doubts, lengths
    and costs.
    """
    output.check()
    from longsum.core.loading import is_chat, load_model
    from longsum.core.model_files.folders import check_local
    from longsum.core.pipeline import Options
    from longsum.core.summaries import Budget
    from longsum.lab.comparison.comparison_report import Gathered
    from longsum.lab.comparison.writer_comparison import compare_writers
    from longsum.writers.summarizer import WriterSummarizer

    budget = Budget.parse(length)
    options = Options(focus=focus, seed=seed, as_written=as_written)
    if not is_chat(model):
        raise LongsumError(
            "Only language models can be compared this way; give --model with the folder of one "
            "or an address such as http://127.0.0.1:8080/v1#NAME."
        )
    if judge is not None:
        check_local(judge)
        require("transformers")
    documents = _read(sources, read)
    with progress("Loading"):
        system = load_model(model, **language_model.settings)
        assert isinstance(system, WriterSummarizer)
        judging = None
        if judge is not None:
            from longsum.lab.checking.checkers import ClaimScorer

            hide_bars_of_transformers()
            judging = ClaimScorer.load(judge)
    gathered = Gathered()
    made: list[dict[str, Any]] = []

    def keep(example: "Example", summary: "Summary") -> None:
        gathered.add(example, summary)
        made.append({"id": example.id, "system": summary.system, "summary": summary.to_dict()})

    with bar("Comparing", "document") as show:
        results = compare_writers(
            documents,
            system,
            budget,
            options,
            judge=judging,
            done=lambda done: show(done, len(documents), "Comparing"),
            keep=keep,
        )
    if not system.window.known_by:
        warn([f"The window of {system.window.tokens:,} tokens is a guess; set it with --context."])
    title = f"{system.name}, {system.window.tokens:,} tokens at a time"
    named = {"model": {**system.settings}, "judge": None if judge is None else str(judge)}
    output.write_as(
        form,
        json=lambda: {**named, **results.to_json(), "summaries": made},
        html=lambda: _page(results, gathered, title, system.settings),
        text=lambda: format_results(results, title),
    )


def _page(results: "Results", gathered: "Gathered", title: str, settings: dict[str, Any]) -> str:
    from longsum.lab.comparison.comparison_report import comparison_view
    from longsum.lab.comparison.writer_comparison import INFO
    from longsum.lab.pages.comparison_page import render_comparison

    card = {
        "Command": shlex.join(["longsum", *sys.argv[1:]]),
        "Model": ", ".join(f"{name} {value}" for name, value in settings.items()),
    }
    view = comparison_view(
        results, gathered, title=title, unit="document", infos={"writers": INFO}, card=card
    )
    return render_comparison(view)


def _read(sources: list[str], read: InputOptions) -> "dict[str, Document]":
    """Return the documents by the names of their files."""
    for source, count in Counter(sources).items():
        if count > 1:
            raise LongsumError(f"{quote(source)} is given {count} times; give each file once.")
    return {source: read.read(source) for source in sources}


COMMAND = Command(compare_writers, "Compare a language model alone and under longsum.", EXAMPLES)
