"""A progress bar with the rate and the remaining time, where there are units to count."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, TaskID

_MANY = 100

Show = Callable[[int, int | None, str], None]
"""Shows how many units are done, of how many if that is known, and what is being done."""


@contextmanager
def bar(message: str, unit: str, console: "Console | None" = None) -> Iterator[Show]:
    """Show on a terminal what is being done and, once units are counted, how far it is.

    Nothing is shown where standard error is not a terminal. What the first report says is done,
    such as the earlier steps of a resumed run, does not count towards the rate.

    Args:
        message: What is being done.
        unit: What is counted, in the singular.
        console: Where to show it; by default on standard error.
    """
    if console is None and not sys.stderr.isatty():
        yield lambda _done, _total, _message: None
        return
    from rich.console import Console
    from rich.progress import Progress

    shown = Progress(
        *_columns(unit), console=console or Console(stderr=True), transient=True, expand=False
    )
    with shown:
        yield _Counted(shown, message).show


class _Counted:
    """One count; a new one begins with each message."""

    def __init__(self, progress: "Progress", message: str) -> None:
        self._progress = progress
        self._message = message
        self._task: TaskID = progress.add_task(message, total=None)
        self._counting = False

    def show(self, done: int, total: int | None, message: str) -> None:
        """Show how far it is."""
        if not self._counting or message != self._message:
            self._progress.remove_task(self._task)
            self._task = self._progress.add_task(message, total=total, completed=done)
            self._message, self._counting = message, True
        self._progress.update(self._task, completed=done, total=total)


def _columns(unit: str) -> "list[ProgressColumn | str]":
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

    return [TextColumn("{task.description}"), BarColumn(20), Count(), Rate(), TimeRemainingColumn()]


def pace(speed: float | None, unit: str) -> str:
    """Return a rate in its most readable form: `3.2 steps/s`, `12 s per chapter`."""
    if not speed:
        return ""
    if speed < 1:
        return f"{1 / speed:.3g} s per {unit}"
    return f"{speed:,.0f} {unit}s/s" if speed >= _MANY else f"{speed:.3g} {unit}s/s"
