"""`longsum check`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import Format, FormatOption, InputOptions, OutputOptions
from longsum.cli.streams import progress, warn
from longsum.common.wording import counted

if TYPE_CHECKING:
    from longsum.checking.text_check import TextCheck

EXAMPLES = (
    "longsum check summary.txt --against report.pdf",
    "longsum check summary.md -a report.pdf -a annex.docx -o check.html",
    "longsum check draft.txt --against report.pdf --format json --fail-on differs > check.json",
    "longsum check draft.txt --against report.pdf --judge models/nli",
)
_FAILED = 1


class FailOn(StrEnum):
    """The verdicts that end with exit status 1; Typer has no lists of literals."""

    differs = "differs"
    not_found = "not_found"


def check(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The text to check; - reads standard input.")
    ],
    against: Annotated[
        list[str],
        typer.Option(
            "--against",
            "-a",
            metavar="DOCUMENT",
            help=(
                "A document that the text is about: a file of any kind that longsum reads; repeat "
                "the option for each."
            ),
        ),
    ],
    form: FormatOption = "text",
    fail_on: Annotated[
        list[FailOn] | None,
        typer.Option(
            "--fail-on",
            help=(
                "End with exit status 1 if a sentence has this verdict; repeat the option to name "
                "both."
            ),
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="MODEL",
            help="Also show a model's opinion on each sentence and its sources: the folder of a "
            "classifier with the labels entailment, neutral and contradiction, or a language "
            "model, its folder or an address such as http://127.0.0.1:8080/v1#NAME. Verdicts do "
            "not change.",
        ),
    ] = None,
    allow_net: Annotated[
        bool,
        typer.Option(
            "--allow-net",
            help="Allow an endpoint on another machine, to which sentences and sources are sent.",
        ),
    ] = False,
    *,
    read: InputOptions,
    output: OutputOptions,
) -> None:
    """Show what a text says that its documents do not, sentence by sentence.

    Each sentence is confirmed, differs (with what the document says instead), is not found, or
    makes no claim that can be checked. Numbers, units, dates, names, negation, directions, roles,
    quotations and cited pages are compared by rules, which err: only a reader can tell.
    """
    output.check()
    from longsum.checking.checker import check as check_text

    checked = read.read(text)
    documents = [read.read(each) for each in against]
    with progress(f"Checking {counted(len(checked.sentences), 'sentence')}"):
        result = check_text(checked, *documents)
    if judge is not None:
        from longsum.checking.judging import judged, load_judge

        with progress("Loading the model"):
            model = load_judge(judge, allow_net=allow_net)
        with progress(f"Asking {model.name}"):
            result = judged(result, model)
    warn([*checked.warnings, *result.document.warnings, *result.notices])
    _write(result, form, output)
    if any(result.counts[verdict.value] for verdict in fail_on or ()):
        raise typer.Exit(_FAILED)


def _write(found: "TextCheck", form: Format, output: OutputOptions) -> None:
    from longsum.checking.formats import to_json, to_markdown, to_text
    from longsum.checking.page import render_check

    output.write_as(
        form,
        json=lambda: to_json(found),
        html=lambda: render_check(found),
        markdown=lambda: to_markdown(found),
        text=lambda: to_text(found),
    )


COMMAND = Command(check, "Show what a text says that its documents do not.", EXAMPLES)
