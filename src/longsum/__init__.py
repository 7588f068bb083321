"""longsum: summaries of long structured documents, of any length, that show their sources."""

# ruff: noqa: E402 -- nothing may take long before Ctrl-C is seen to
from longsum.common.beginning import end_at_once as _end_at_once

_end_at_once()

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from longsum.common.beginning import announce as _announce
from longsum.common.beginning import report_nothing as _report_nothing
from longsum.common.views import Views as _Views
from longsum.common.views import set_views as _set_views

if _TYPE_CHECKING:
    from longsum.checking.checker import check
    from longsum.common.errors import LongsumError
    from longsum.core.grounding.given_text import summary_of
    from longsum.core.library import summarize, summarize_all
    from longsum.core.loading import load_system
    from longsum.core.summaries import Budget, NestedSummaries, Summary
    from longsum.documents import Document
    from longsum.documents.readers import ReadLimits, read, read_bytes
    from longsum.documents.readers.cache import DocumentCache
    from longsum.dossiers.library import summarize_together

__version__ = "0.1.0"
__all__ = [
    "Budget",
    "Document",
    "DocumentCache",
    "LongsumError",
    "NestedSummaries",
    "ReadLimits",
    "Summary",
    "__version__",
    "check",
    "load_system",
    "read",
    "read_bytes",
    "summarize",
    "summarize_all",
    "summarize_together",
    "summary_of",
]


def __getattr__(name: str) -> _Any:
    """Import what is public where it is first used: `import longsum` itself takes no time."""
    home: _Any
    if name in ("Budget", "NestedSummaries", "Summary"):
        from longsum.core import summaries as home
    elif name == "DocumentCache":
        from longsum.documents.readers import cache as home
    elif name in ("ReadLimits", "read", "read_bytes"):
        from longsum.documents import readers as home
    elif name in ("summarize", "summarize_all"):
        from longsum.core import library as home
    elif name == "summary_of":
        from longsum.core.grounding import given_text as home
    elif name == "summarize_together":
        from longsum.dossiers import library as home
    elif name == "check":
        from longsum.checking import checker as home
    elif name == "load_system":
        from longsum.core import loading as home
    elif name == "Document":
        from longsum import documents as home
    elif name == "LongsumError":
        from longsum.common import errors as home
    else:
        import sys

        # With the module's `__dir__`, Python suggests the nearest name.
        raise AttributeError(
            f"module 'longsum' has no attribute '{name}'", name=name, obj=sys.modules[__name__]
        )
    return getattr(home, name)


def __dir__() -> list[str]:
    return [*{*globals(), *__all__}]


def _views() -> _Views:
    from longsum.core.pages import cell as views

    return views


_report_nothing()
_announce()
_set_views(_views)
