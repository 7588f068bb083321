"""Where results, warnings and progress go."""

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from longsum.errors import LongsumError
from longsum.language.characters import written_out


def check_output(output: Path | None, force: bool) -> None:
    """Refuse an output that exists or cannot be made, before any work is done.

    Raises:
        LongsumError: The file exists and `force` is not given, or its folder does not exist.
    """
    if output is None:
        return
    if output.is_dir():
        raise LongsumError(f"'{output}' is a folder; give -o a file.")
    if output.exists() and not force:
        raise LongsumError(f"'{output}' exists; add --force to replace it, or give another file.")
    if not output.parent.is_dir():
        raise LongsumError(f"The folder '{output.parent}' does not exist; make it first.")


def write_result(text: str, output: Path | None) -> None:
    """Write a result to standard output, or to a file; see `write_file`."""
    if output is not None:
        write_file(text.encode("utf-8"), output)
        return
    sys.stdout.write(text)
    sys.stdout.flush()


def write_file(content: bytes, output: Path) -> None:
    """Write a file that appears whole or not at all.

    Raises:
        LongsumError: It cannot be written.
    """
    try:
        with tempfile.NamedTemporaryFile(
            dir=output.parent, prefix=f".{output.name}.", delete=False
        ) as file:
            file.write(content)
        temporary = Path(file.name)
        temporary.chmod(0o644)
        temporary.replace(output)
    except OSError as error:
        raise LongsumError(f"'{output}' cannot be written: {error.strerror}.") from None


def warn(messages: Iterable[str]) -> None:
    """Print warnings to standard error."""
    for message in messages:
        typer.echo(f"longsum: warning: {written_out(message)}", err=True)


@contextmanager
def progress(message: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done, on a terminal only; yields a function that changes the message."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(message) as status:
        yield status.update


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Lay out a plain table, columns as wide as their content, for terminals and pipes alike."""
    lines = [list(head), *[list(row) for row in rows]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        + "\n"
        for line in lines
    )
