"""The tables of reStructuredText: grids, columns under borders, lists of lists, and CSV."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

_BORDER = re.compile(r"=+(?: +=+)+")
_SPAN = re.compile(r"-+(?: +-+)*")
_GRID = re.compile(r"\+(?:-+\+)+")
_GRID_RULE = re.compile(r"[+|](?:[-=]+[+|])+|\+(?:-{2,}|={2,})\+")
_CELL = re.compile(r"(?P<row>\*)? *- ?(?P<text>.*)")


def table_at(lines: Sequence[str], at: int) -> tuple[int, list[Sequence[str]]]:
    """Return the end of the table that opens at a line, 0 if none does, and its rows."""
    if _GRID.fullmatch(lines[at]):
        end = at
        while end < len(lines) and lines[end][:1] in ("+", "|"):
            end += 1
        return end, list(_grid_rows(lines[at:end]))
    if not _BORDER.fullmatch(lines[at]):
        return 0, []
    borders = 0
    for end in range(at + 1, len(lines)):
        if _BORDER.fullmatch(lines[end]):
            borders += 1
            if borders == 2 or not "".join(lines[end + 1 : end + 2]):
                return end + 1, list(_simple_rows(lines[at : end + 1]))
    return 0, []


def _grid_rows(lines: Iterable[str]) -> Iterator[Sequence[str]]:
    """Yield the rows of a table that is drawn with lines around its cells."""
    group: list[list[str]] = []
    for line in lines:
        bare = _GRID_RULE.sub("|", line)
        group.append([cell.strip() for cell in bare.strip("|").split("|")])
        if bare != line:
            yield from _joined(group)
            group = []
    yield from _joined(group)


def _joined(group: Sequence[Sequence[str]]) -> Iterable[Sequence[str]]:
    """Return lines of cells as one row if they have the same columns."""
    group = [cells for cells in group if any(cells)]
    if len(set(map(len, group))) != 1:
        return group
    return [[" ".join(filter(None, column)) for column in zip(*group, strict=True)]]


def _simple_rows(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the rows of a table whose columns are under a border."""
    starts = [found.start() for found in re.finditer("=+", lines[0])]
    row: list[str] = []
    for line in lines:
        if _BORDER.fullmatch(line) or _SPAN.fullmatch(line):
            continue
        cells = [line[start:end].strip() for start, end in pairwise([*starts, None])]
        if row and line and not cells[0]:
            row = [f"{above} {cell}".strip() for above, cell in zip(row, cells, strict=True)]
        else:
            yield row
            row = cells
    yield row


def _list_rows(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the rows of a table that is written as a list of lists."""
    row: list[str] = []
    for line in lines:
        found = _CELL.fullmatch(line)
        if found and found["row"]:
            yield row
            row = []
        if found:
            row.append(found["text"])
        elif row:
            row[-1] = f"{row[-1]} {line.strip()}".strip()
    yield row


def _csv_rows(lines: Sequence[str]) -> Iterable[Sequence[str]]:
    try:
        return list(csv.reader(lines, skipinitialspace=True))
    except csv.Error:
        return [[line] for line in lines]


TABLES = {"csv-table": _csv_rows, "list-table": _list_rows}
"""Readers of the rows of tables in directives."""
