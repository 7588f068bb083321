"""longsum: summaries of long structured documents, of any length, that show their sources."""

from typing import TYPE_CHECKING, Any

from longsum.models.announce import announce

if TYPE_CHECKING:
    from longsum.documents import Document
    from longsum.documents.readers import ReadLimits, read
    from longsum.errors import LongsumError
    from longsum.summaries import Budget, Summary
    from longsum.systems import load_system, summarize

__version__ = "0.1.0"
__all__ = [
    "Budget",
    "Document",
    "LongsumError",
    "ReadLimits",
    "Summary",
    "__version__",
    "load_system",
    "read",
    "summarize",
]

# Imported where first used, so that `import longsum` and the command line start at once.
_HOMES = {
    "Budget": "longsum.summaries",
    "Document": "longsum.documents",
    "LongsumError": "longsum.errors",
    "ReadLimits": "longsum.documents.readers",
    "Summary": "longsum.summaries",
    "load_system": "longsum.systems",
    "read": "longsum.documents.readers",
    "summarize": "longsum.systems",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'longsum' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


announce()
