"""Inverts the dependency of results on reports, which render them.

`Summary.to_html` and similar methods call the reports, which in turn import summaries. So that no
package imports one above it, the root of the package registers the renderer here
(`longsum/__init__.py`), and results look it up.
"""

from collections.abc import Callable
from typing import Any, Protocol


class Views(Protocol):
    """Renders a `Summary`, a `NestedSummaries` or a `QuestionSummary`."""

    def to_dict(self, result: Any) -> dict[str, Any]:
        """Return the result as JSON values."""
        ...

    def to_text(self, result: Any) -> str:
        """Return the result as plain text."""
        ...

    def to_html(self, result: Any, *, shaded: bool = False, headings: bool = True) -> str:
        """Return the result as an HTML page."""
        ...

    def to_cell(self, result: Any) -> str:
        """Return the result as a notebook cell's HTML."""
        ...


_loader: Callable[[], Views]


def set_views(loader: Callable[[], Views]) -> None:
    """Register the function that imports and returns the renderer on first use."""
    global _loader
    _loader = loader


def views() -> Views:
    """Return the renderer."""
    return _loader()
