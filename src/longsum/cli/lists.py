"""Lists of entries with their texts, wrapped to the width of a terminal."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

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
