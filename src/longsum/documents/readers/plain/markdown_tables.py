"""The tables of Pandoc's Markdown that are drawn with rules, converted to those of GitHub.

A rule of dashes with gaps between the columns stands below the head of a table, or above its first
row. Where a rule without gaps or no head stands above it, another one ends the table, and a row may
take several lines, with blank lines between rows.
"""

import re
from collections.abc import Sequence
from itertools import groupby, zip_longest

RULE = re.compile(r" {0,3}-{2,}(?: {1,40}-{2,}){1,60} *")
"""What divides the columns of such a table."""
_END = re.compile(r" {0,3}-{2,}(?: {1,40}-{2,})* *")
_FRAME = re.compile(r" {0,3}-{3,} *")
_MOST_HEAD_LINES, _MOST_LINES = 6, 400


def ruled_table(lines: Sequence[str], rule: int) -> tuple[int, list[str], int] | None:
    """Return a table: its first line, its rows with bars between the cells, and the line below it.

    Args:
        lines: The lines of a text.
        rule: The number of one that `RULE` matches; if no table belongs to it, None is returned.
    """
    first = rule
    while rule - first < _MOST_HEAD_LINES and first > 0 and lines[first - 1].strip():
        if _FRAME.fullmatch(lines[first - 1]):
            break
        first -= 1
    head = lines[first:rule]
    framed = bool(head) and first > 0 and _FRAME.fullmatch(lines[first - 1]) is not None
    ruled = framed or not head
    below = rule + 1
    most = min(len(lines), below + _MOST_LINES)
    while below < most and not _END.fullmatch(lines[below]) and (ruled or lines[below].strip()):
        below += 1
    closed = below < len(lines) and _END.fullmatch(lines[below]) is not None
    body = lines[rule + 1 : below]
    starts = [found.start() for found in re.finditer("-+", lines[rule])]
    aligned = all(
        not line[start - 1 : start].strip() for line in (*head, *body) for start in starts
    )
    if not body or not aligned or (ruled and not closed) or (len(head) > 1 and not framed):
        return None
    apart = ruled and any(not line.strip() for line in body)
    grouped = (
        [[line] for line in body]
        if not apart
        else [list(group) for said, group in groupby(body, lambda line: bool(line.strip())) if said]
    )
    rows = [_row(each, starts) for each in (head, *grouped)]
    rows.insert(1, f"|{'-|' * len(starts)}")
    return first - framed, rows, below + closed


def _row(lines: Sequence[str], starts: Sequence[int]) -> str:
    """Return the cells of a row, which may take several lines, with bars between them."""
    columns = zip_longest(starts, starts[1:])
    cells = (" ".join(line[start:end].strip() for line in lines) for start, end in columns)
    return f"|{'|'.join(cell.strip().replace('|', chr(92) + '|') or ' ' for cell in cells)}|"
