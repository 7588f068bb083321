"""The program: its commands, its exit codes, its streams."""

import os
import signal
import sys
from typing import Annotated

import typer

from longsum import __version__
from longsum.cli.biases import biases
from longsum.cli.convert import convert
from longsum.cli.data import data
from longsum.cli.evaluate import evaluate
from longsum.cli.outline import outline
from longsum.cli.questions import questions
from longsum.cli.read import read
from longsum.cli.summarize import summarize
from longsum.cli.systems import systems
from longsum.cli.train import train
from longsum.errors import LongsumError
from longsum.threads import wait_passively

_USAGE = 2
_INTERRUPTED = 130

app = typer.Typer(
    name="longsum",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    summarize,
    questions,
    read,
    outline,
    systems,
    data,
    evaluate,
    convert,
    train,
    biases,
):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"longsum {__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Summaries of long documents, of any length, that show where every sentence came from.

    Results go to standard output, all else to standard error. Exit status: 0 done, 2 wrong usage or
    an input that cannot be read, 130 interrupted.
    """


def main() -> None:
    """Run the program; what a user can put right ends in one sentence and status 2."""
    signal.signal(signal.SIGINT, lambda *_: sys.exit(_INTERRUPTED))
    wait_passively()
    for stream in (sys.stdout, sys.stderr):
        # Characters that a terminal cannot show must not end the program.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        app()
    except LongsumError as error:
        typer.echo(f"longsum: {error}", err=True)
        sys.exit(_USAGE)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`); closing it again would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
