"""Systems made of other systems, but never of themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from longsum.common.errors import LongsumError

_MADE: ContextVar[tuple[Any, ...]] = ContextVar("_MADE", default=())
"""The settings of the systems being built, each a part of the one before it."""


@contextmanager
def forbid_self_nesting(name: str, config: Any) -> Iterator[None]:
    """Allow the parts of a system with these settings to be loaded.

    Raises:
        LongsumError: The system is one of its own parts.
    """
    if config in _MADE.get():
        raise LongsumError(f"The system '{name}' is a part of itself; name another for its part.")
    outer = _MADE.set((*_MADE.get(), config))
    try:
        yield
    finally:
        _MADE.reset(outer)
