"""The program: its commands, its exit codes, its streams."""

import errno
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from longsum import __version__
from longsum.cli.biases import biases
from longsum.cli.convert import convert
from longsum.cli.data import data
from longsum.cli.evaluate import evaluate
from longsum.cli.outline import outline
from longsum.cli.questions import questions
from longsum.cli.read import read
from longsum.cli.streams import OutputLost, close, tell
from longsum.cli.summarize import summarize
from longsum.cli.systems import systems
from longsum.cli.train import train
from longsum.errors import LongsumError

_UNWRITTEN = 1
_USAGE = 2
_INTERRUPTED = 130
# A full disk, a full share of one, a file at its greatest size, a broken device, a closed stream, a
# reader that has gone.
_UNWRITABLE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EPIPE}
)

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

    Results go to standard output, all else to standard error. Exit status: 0 done, 1 the output
    cannot be written, 2 wrong usage or an input that cannot be read, 130 interrupted.
    """


def main() -> None:
    """Run the program; what a user can put right ends in one sentence and status 2.

    Where results cannot be written, a sentence says so and the status is 1, unless their reader has
    gone (`| head`).
    """
    signal.signal(signal.SIGINT, lambda *_: sys.exit(_INTERRUPTED))
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            # Characters that a terminal cannot show must not end the program.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    status, problem = _run()
    # The interpreter would try once more, and complain.
    problem = close(sys.stdout) or problem
    if problem is not None and problem.errno == errno.EPIPE:
        status = 0
    elif problem is not None:
        tell(f"longsum: The output cannot be written: {problem.strerror}.")
        status = _UNWRITTEN
    close(sys.stderr)
    sys.exit(status)


def _run() -> tuple[Any, OSError | None]:
    """Run the command; return its exit status, and what kept its output from being written."""
    try:
        app()
    except SystemExit as done:
        return done.code, None
    except LongsumError as error:
        tell(f"longsum: {error}")
        return _USAGE, None
    except OutputLost as lost:
        return _UNWRITTEN, lost.cause
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        return _UNWRITTEN, error
    return 0, None
