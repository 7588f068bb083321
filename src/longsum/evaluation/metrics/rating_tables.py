"""Tables of ratings, as spreadsheets export them."""

import csv
from io import StringIO

from longsum.common.errors import LongsumError
from longsum.common.wording import counted, quote
from longsum.evaluation.metrics.agreement import Rating

MOST_CHARACTERS = 10_000_000
"""Longer tables are refused."""
_FEWEST_RATERS = 2


def parse_ratings(text: str, name: str) -> list[list[Rating]]:
    """Read ratings from CSV: a line for each unit, a column for each rater.

    The first line names the raters and the first column the units; an empty cell is no rating.

    Args:
        text: The table.
        name: What it is called, for messages.

    Returns:
        The ratings of each unit as written, `[units][raters]`.

    Raises:
        LongsumError: It is too long, no CSV, has fewer than two raters or no unit, or a line has
            another number of cells than the first.
    """
    if len(text) > MOST_CHARACTERS:
        raise LongsumError(
            f"{quote(name)} has more than {MOST_CHARACTERS:,} characters; divide it into tables."
        )
    try:
        lines = [line for line in csv.reader(StringIO(text), strict=True) if any(line)]
    except csv.Error as error:
        raise LongsumError(f"{quote(name)} is no CSV file ({error}); export it again.") from None
    if len(lines) < 2 or len(lines[0]) <= _FEWEST_RATERS:
        raise LongsumError(
            f"{quote(name)} has no ratings: it needs a first line that names a column of units and "
            "two raters or more, and a line for each unit."
        )
    head, *rows = lines
    for row in rows:
        if len(row) != len(head):
            raise LongsumError(
                f"The line of {quote(row[0])} in {quote(name)} has {counted(len(row), 'cell')} and "
                f"the first line {len(head)}; give each rater a cell, if an empty one."
            )
    return [[cell.strip() or None for cell in row[1:]] for row in rows]
