"""Lists whose entries are told in full, no line wider than a terminal may be."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

WIDTH = 100
"""The longest line."""

_INDENT = 2


def entries(named: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Lay out entries: a name, beside it what is told first, and below that what is told besides.

    Args:
        named: Names with what is told of each, a line or more for each text.
    """
    rows = list(named)
    column = max((len(name) for name, _ in rows), default=0) + 2 * _INDENT
    lines = []
    for name, told in rows:
        first, *besides = told
        shown = filled(first, column) + [
            line for text in besides for line in filled(text, column + _INDENT)
        ]
        lines += [f"{' ' * _INDENT}{name}".ljust(column) + shown[0][column:], *shown[1:]]
    return "".join(f"{line}\n" for line in lines)


def filled(text: str, indent: int) -> list[str]:
    """Return the lines of a text behind an indent, words whole; at least one."""
    width = WIDTH - indent
    broken = wrap(text, width, break_on_hyphens=False) or [""]
    return [" " * indent + line for line in broken]
