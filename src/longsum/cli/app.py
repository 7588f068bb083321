"""The program: its commands, exit codes and standard streams."""

import atexit
import errno
import gc
import logging
import os
import shlex
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from longsum import __version__
from longsum.cli.command import epilog
from longsum.cli.streams import OutputLost, close, tell
from longsum.common.beginning import INTERRUPTED
from longsum.common.errors import LongsumError, UnwritableError
from longsum.common.extras import missing_extras_explained
from longsum.common.names import is_file
from longsum.common.registry import find, registered
from longsum.common.threads import limit_blas_threads, wait_passively
from longsum.common.wording import did_you_mean, quote

# torchao, which is loaded whenever it is installed, logs about kernels for other machines.
_NOISY = ("torchao", "torch.utils._pytree")
_UNWRITTEN = 1
_USAGE = 2
# A full disk or quota, a file at its maximum size, a broken device, a closed stream.
_UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
_WIDTH = 100
_CACHE = "TORCHINDUCTOR_CACHE_DIR"
# New objects between two garbage collections. With Python's 700, imports and reading, which create
# thousands of lasting objects, take a twentieth longer.
_GC_THRESHOLD = 50_000
# Usage errors of Typer, from Click or Typer's own copy of it.
_WrongUsage: Any = typer.BadParameter.__base__
# The order of commands in the help text; those of other packages come last.
_ORDER = (
    *("summarize", "questions", "table", "outline", "read", "systems", "train", "checkpoint"),
    *("convert", "export", "evaluate", "reproduce", "metrics", "agreement", "data", "biases"),
    *("annotate", "batch", "serve", "mcp"),
)


class Program(TyperGroup):
    """The registered commands; any other word, such as the name of a file, gets a hint."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order of the help text."""
        names = registered("commands")
        return sorted(names, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return the command with a name, or None; only that command is imported."""
        if cmd_name not in self.commands and (found := find("commands", cmd_name)) is not None:
            self.commands[cmd_name] = found.build(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command.

        Raises:
            LongsumError: There is none with this name.
        """
        name = args[0]
        if name.startswith("-") or ctx.resilient_parsing or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        if is_file(name):
            raise LongsumError(
                f"'{name}' is a file, not a command; run 'longsum summarize {shlex.quote(name)}'."
            )
        raise LongsumError(
            f"There is no command {quote(name)}; 'longsum --help' lists them."
            f"{did_you_mean(name, registered('commands'))}"
        )


app = typer.Typer(
    name="longsum",
    cls=Program,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain text starts in half the time, and is the same in a pipe.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _WIDTH},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"longsum {__version__}")
        raise typer.Exit


@app.callback(
    epilog=epilog(
        (
            "longsum summarize report.pdf",
            "longsum summarize report.pdf --length 250w --explain",
            "longsum summarize --help",
        )
    )
)
def program(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Summaries of long documents, of any length, that show where every sentence came from.

    Results go to standard output, everything else to standard error. Exit status: 0 success, 1 the
    output cannot be written, 2 wrong usage or an input that cannot be read, 130 interrupted.
    """


def main() -> None:
    """Run the program; an error that a user can fix ends in one sentence and status 2.

    If results cannot be written, a sentence says so and the status is 1, unless their reader has
    closed the pipe (`| head`).
    """
    signal.signal(signal.SIGINT, lambda *_: sys.exit(INTERRUPTED))
    gc.set_threshold(_GC_THRESHOLD)
    # The interpreter's final garbage collection of everything loaded would take 0.1 s.
    atexit.register(gc.freeze)
    _open_closed_streams()
    wait_passively()
    limit_blas_threads()
    own_cache = _CACHE not in os.environ
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.ERROR)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            # Characters that a terminal cannot show must not end the program.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    status, problem = _run()
    # Otherwise the interpreter would flush again at exit, and complain.
    problem = close(sys.stdout) or problem
    if problem is not None and problem.errno == errno.EPIPE:
        status = 0
    elif problem is not None:
        tell(f"longsum: The output cannot be written: {problem.strerror}.")
        status = _UNWRITTEN
    close(sys.stderr)
    if own_cache and _CACHE in os.environ:
        # PyTorch creates this folder on import; it is kept if it has compiled code in it.
        with suppress(OSError):
            Path(os.environ[_CACHE]).rmdir()
    sys.exit(status)


def _open_closed_streams() -> None:
    """Open the null device in place of each standard stream that is closed.

    Otherwise a file or socket would get its descriptor, and child processes would take it for the
    stream.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # It gets the lowest free descriptor.
            os.open(os.devnull, os.O_RDWR)


def _run() -> tuple[Any, OSError | None]:
    """Run the command; return its exit status, and the error if its output cannot be written."""
    try:
        with missing_extras_explained():
            return app(prog_name="longsum", standalone_mode=False) or 0, None
    except SystemExit as done:
        return done.code, None
    except _WrongUsage as error:
        _tell_usage(error)
        return _USAGE, None
    except LongsumError as error:
        tell(f"longsum: {error}")
        return _UNWRITTEN if isinstance(error, UnwritableError) else _USAGE, None
    except OutputLost as lost:
        return _UNWRITTEN, lost.cause
    except OSError as error:
        if error.errno in _UNWRITABLE:
            return _UNWRITTEN, error
        if error.filename is None:
            raise
        tell(f"longsum: {quote(error.filename)} cannot be used ({error.strerror}).")
        return _USAGE, None


def _tell_usage(error: Any) -> None:
    """Print a usage error as one sentence, or the help text if that was requested."""
    context, message = error.ctx, error.format_message()
    if context is not None and message == context.get_help():
        with suppress(OSError):
            error.show()
        return
    command = "longsum" if context is None else context.command_path
    sentence = " ".join(message.split()).rstrip(".").replace("Value error, ", "")
    tell(f"longsum: {sentence}; '{command} --help' shows how it is used.")
