"""longsum: summaries of long structured documents, of any length, that show their sources."""

import sys as _sys
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from longsum.models.announce import announce as _announce

if _TYPE_CHECKING:
    from longsum.documents import Document
    from longsum.documents.readers import ReadLimits, read, read_bytes
    from longsum.errors import LongsumError
    from longsum.summaries import Budget, Ladder, Summary
    from longsum.systems import load_system, summarize

__version__ = "0.1.0"
__all__ = [
    "Budget",
    "Document",
    "Ladder",
    "LongsumError",
    "ReadLimits",
    "Summary",
    "__version__",
    "load_system",
    "read",
    "read_bytes",
    "summarize",
]

# Imported where first used, so that `import longsum` and the command line start at once.
_HOMES = {
    "Budget": "longsum.summaries",
    "Document": "longsum.documents",
    "Ladder": "longsum.summaries",
    "LongsumError": "longsum.errors",
    "ReadLimits": "longsum.documents.readers",
    "Summary": "longsum.summaries",
    "load_system": "longsum.systems",
    "read": "longsum.documents.readers",
    "read_bytes": "longsum.documents.readers",
    "summarize": "longsum.systems",
}


def __getattr__(name: str) -> _Any:
    if name not in _HOMES:
        # With the module's `__dir__`, Python suggests the nearest name.
        raise AttributeError(
            f"module 'longsum' has no attribute '{name}'", name=name, obj=_sys.modules[__name__]
        )
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_announce()
