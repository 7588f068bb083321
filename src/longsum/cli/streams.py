"""Output of results, warnings and progress; the layout of tables and lists."""

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import wrap
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

import typer

from longsum.common.errors import LongsumError
from longsum.common.files import as_unwritable, would_overwrite, write_text
from longsum.language.characters import written_out

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

    from longsum.core.summaries import Notice

# Control characters, except line breaks and tabs.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class OutputLost(Exception):  # noqa: N818
    """Standard output cannot be written; `cause` is the system's error.

    It is not an `OSError`, since Typer handles some of those itself.
    """

    def __init__(self, cause: OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


def check_output(output: Path | None, force: bool) -> None:
    """Refuse an output that exists or cannot be created, before any work is done.

    Raises:
        LongsumError: The file exists and `force` is not given, or its folder does not exist.
        UnwritableError: Its folder may not be entered, or its name is impossible for a file.
    """
    if output is None:
        return
    with as_unwritable(output):
        if output.is_dir():
            raise LongsumError(f"'{output}' is a folder; give -o a file.")
        if would_overwrite(output) and not force:
            raise LongsumError(
                f"'{output}' exists; add --force to replace it, or give another file."
            )
        if not output.parent.is_dir():
            raise LongsumError(f"The folder '{output.parent}' does not exist; make it first.")


def check_outputs(outputs: Iterable[Path | None], force: bool) -> None:
    """Refuse outputs as `check_output` does, and the same file for two of them."""
    files: set[str] = set()
    for output in filter(None, outputs):
        check_output(output, force)
        if os.path.realpath(output) in files and (output.is_file() or not output.exists()):
            raise LongsumError(f"'{output}' is given for two outputs; give each a file of its own.")
        files.add(os.path.realpath(output))


def check_folder(folder: Path, force: bool) -> None:
    """Refuse a folder that files cannot be written to, before any work is done.

    Raises:
        LongsumError: It is not empty and `force` is not given, or it cannot be a folder.
    """
    with as_unwritable(folder):
        if folder.exists() and not folder.is_dir():
            raise LongsumError(f"'{folder}' is a file; give a folder.")
        if not folder.exists() and not folder.parent.is_dir():
            raise LongsumError(f"The folder '{folder.parent}' does not exist; make it first.")
        if folder.is_dir() and not force and any(folder.iterdir()):
            raise LongsumError(
                f"The folder '{folder}' is not empty; add --force to write into it, or give "
                "another."
            )


def write_result(text: str, output: Path | None) -> None:
    """Write a result to standard output, or to a file; see `longsum.common.files.write_bytes`.

    Raises:
        LongsumError: The file cannot be written.
        OutputLost: Standard output cannot be written.
    """
    # In JSON, these escapes stand for the same characters.
    text = _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    if output is not None:
        write_text(output, text)
        return
    if sys.stdout is None:
        raise OutputLost(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise OutputLost(error) from None


def write_json(values: Any, output: Path | None = None) -> None:
    """Write JSON values as a result; see `write_result`."""
    from longsum.core.summaries.result_file import dump_json

    write_result(dump_json(values), output)


def write_as(form: str, values: Any, text: Callable[[], str]) -> None:
    """Write a result to standard output, as JSON values or as the text returned by a function."""
    if form == "json":
        write_json(values)
    else:
        write_result(text(), None)


def tell(message: str) -> None:
    """Print a line to standard error, with invisible characters as escapes.

    A line that cannot be printed is dropped.
    """
    with suppress(OSError):
        typer.echo(written_out(message), err=True)


def warn(messages: Iterable[str]) -> None:
    """Print warnings to standard error."""
    for message in messages:
        tell(f"longsum: warning: {message}")


def warn_of(notices: Iterable["Notice"]) -> None:
    """Print notices to standard error: as warnings, unless they are merely informative."""
    for notice in notices:
        weight = "note" if notice.kind == "own_summary" else "warning"
        tell(f"longsum: {weight}: {notice.text}")


def close(stream: TextIO | None) -> OSError | None:
    """Flush a standard stream, so that the interpreter has nothing left to flush when it exits.

    Returns:
        The error if it cannot be flushed; the rest then goes to the null device.
    """
    if stream is None:
        return None
    try:
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return error
    return None


@contextmanager
def progress(message: str) -> Iterator[None]:
    """Show what is being done, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(message):
        yield


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Lay out a plain table for terminals and pipes, with columns as wide as their content."""
    lines = [list(head), *[list(row) for row in rows]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        + "\n"
        for line in lines
    )


WIDTH = 100
"""The longest line."""

_INDENT = 2


def entries(named: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Lay out entries: a name, its first text beside it, and its other texts below that.

    Args:
        named: Names with their texts, each of which takes one line or more.
    """
    rows = list(named)
    column = max((len(name) for name, _ in rows), default=0) + 2 * _INDENT
    lines = []
    for name, texts in rows:
        first, *others = texts
        shown = filled(first, column) + [
            line for text in others for line in filled(text, column + _INDENT)
        ]
        lines += [f"{' ' * _INDENT}{name}".ljust(column) + shown[0][column:], *shown[1:]]
    return "".join(f"{line}\n" for line in lines)


def filled(text: str, indent: int) -> list[str]:
    """Wrap a text behind an indent, without breaking words; return at least one line."""
    width = WIDTH - indent
    broken = wrap(text, width, break_on_hyphens=False) or [""]
    return [" " * indent + line for line in broken]


_MANY = 100
_BETWEEN_LINES = 60.0
"""Seconds between lines that report progress."""

Show = Callable[[int, int | None, str], None]
"""Shows the number of finished units, their total if known, and the current work."""


@contextmanager
def bar(
    message: str,
    unit: str,
    console: "Console | None" = None,
    *,
    note: Callable[[], str] = lambda: "",
) -> Iterator[Show]:
    """Show the current work on a terminal and, once units are counted, its progress.

    If standard error is not a terminal, a line reports it every minute. Units that are already done
    at the first report, such as the earlier steps of a resumed run, do not count towards the rate.

    Args:
        message: What is being done.
        unit: What is counted, in the singular.
        console: Where to show it; by default on standard error.
        note: Returns an additional text to show, such as the resources used so far.
    """
    if console is None and not sys.stderr.isatty():
        yield _in_lines(unit)
        return
    from rich.console import Console
    from rich.progress import Progress

    shown = Progress(
        *_columns(unit, note), console=console or Console(stderr=True), transient=True, expand=False
    )
    with shown:
        yield _in_bars(shown, message)


def _in_lines(unit: str) -> Show:
    """Return the function that reports progress in lines, as for the log of a job."""
    last = monotonic()

    def show(done: int, total: int | None, message: str) -> None:
        nonlocal last
        if monotonic() - last >= _BETWEEN_LINES:
            last = monotonic()
            of = "" if total is None else f" of {total:,}"
            tell(f"{message}: {done:,}{of} {unit}s")

    return show


def _in_bars(progress: "Progress", message: str) -> Show:
    """Return the function that shows a bar; each new message begins a new one."""
    task = progress.add_task(message, total=None)
    counted: str | None = None

    def show(done: int, total: int | None, message: str) -> None:
        nonlocal task, counted
        if message != counted:
            progress.remove_task(task)
            task = progress.add_task(message, total=total, completed=done)
            counted = message
        progress.update(task, completed=done, total=total)

    return show


def _columns(unit: str, note: Callable[[], str]) -> "list[ProgressColumn | str]":
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Count(ProgressColumn):
        def render(self, task: Task) -> Text:
            if not (task.completed or task.total):
                return Text()
            of = "" if task.total is None else f"/{int(task.total):,}"
            return Text(f"{int(task.completed):,}{of} {unit}s")

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(pace(task.finished_speed or task.speed, unit))

    class Note(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002
            return Text(note())

    left = TimeRemainingColumn()
    return [TextColumn("{task.description}"), BarColumn(20), Count(), Rate(), left, Note()]


def pace(speed: float | None, unit: str) -> str:
    """Return a rate in its most readable form: `3.2 steps/s`, `12 s per chapter`."""
    if not speed:
        return ""
    if speed < 1:
        return f"{1 / speed:.3g} s per {unit}"
    return f"{speed:,.0f} {unit}s/s" if speed >= _MANY else f"{speed:.3g} {unit}s/s"


def hide_bars_of_transformers() -> None:
    """Disable the progress bars of `transformers`, which this imports."""
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]
