"""How a result in hand shows itself, made by a room that stands above the results.

`Summary.to_html` and its kin call the reports, which know summaries. So that no room imports one
above it, the package's root says what makes them (`longsum/__init__.py`), and they ask here.
"""

from collections.abc import Callable
from typing import Any, Protocol


class Views(Protocol):
    """What makes the views of a `Summary`, a `Ladder` or a `QuestionSummary`."""

    def to_dict(self, result: Any) -> dict[str, Any]:
        """Return it as JSON values."""
        ...

    def to_text(self, result: Any) -> str:
        """Return it as plain text."""
        ...

    def to_html(self, result: Any, *, shaded: bool = False) -> str:
        """Return its page."""
        ...

    def to_cell(self, result: Any) -> str:
        """Return what a notebook shows of it."""
        ...


_loader: Callable[[], Views]


def set_views(loader: Callable[[], Views]) -> None:
    """Say what makes the views; it is imported when the first one is asked for."""
    global _loader
    _loader = loader


def views() -> Views:
    """Return what makes the views."""
    return _loader()
