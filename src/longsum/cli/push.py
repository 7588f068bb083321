"""`longsum push`."""

from pathlib import Path
from typing import Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.streams import progress, write_result
from longsum.common.extras import require

EXAMPLES = (
    "longsum push runs/mine me/mine --dry-run",
    "longsum push runs/mine me/mine --license apache-2.0 --results scores.json",
)


def push(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a model.")],
    name: Annotated[
        str, typer.Argument(metavar="OWNER/NAME", help="The repository; it may exist already.")
    ],
    *,
    license: Annotated[
        str | None,
        typer.Option("--license", metavar="ID", help="The model's licence, as the Hub names it."),
    ] = None,
    results: Annotated[
        list[Path] | None,
        typer.Option(
            "--results",
            metavar="FILE",
            help="What 'longsum evaluate -o' wrote about the model, for the scores on its card; "
            "repeat the option for each.",
        ),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Make the repository private.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Send nothing, but print what would be sent.")
    ] = False,
) -> None:
    """Send the folder of a model to the Hugging Face Hub, with a card from the run's record.

    Weights in safetensors, settings and tokenizer are sent, and no code. Afterwards OWNER/NAME can
    be given wherever a folder can.
    """
    require("transformers")
    from longsum.core.model_files.folders import check_model
    from longsum.lab import publishing

    contents = publishing.publication(
        check_model(folder), name, license=license, results=results or (), private=private
    )
    if dry_run:
        write_result(publishing.listing(contents), None)
        return
    with progress("Sending"):
        address = publishing.push(name, contents, private=private)
    write_result(f"{address}\n", None)


COMMAND = Command(push, "Send a model to the Hugging Face Hub.", EXAMPLES)
