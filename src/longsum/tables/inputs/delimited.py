"""Reads CSV and TSV files as tables, by a schema."""

import csv
import io
from collections.abc import Iterator

from longsum.common.errors import LongsumError
from longsum.tables.inputs.rows import table_of_rows
from longsum.tables.inputs.table_schema import TableSchema
from longsum.tables.table import Table

_SEPARATORS = ("\t", ";", ",")


def read_delimited(text: str, schema: TableSchema, name: str = "The table") -> Table:
    """Return the table of a delimited text with a header line.

    The separator is a comma, a semicolon or a tab, whichever the header has most. Cells that are
    empty, `N/A`, NaN or a dash have no value.

    Raises:
        LongsumError: A column of the schema is missing, a row has too many or too few cells, two
            rows share a name, or a value is not of its column's kind.
    """
    rows = _rows(text, name)
    return table_of_rows(next(rows, (0, []))[1], rows, schema, name)


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with the numbers of their last lines."""
    first = text.split("\n", 1)[0]
    separator = max(_SEPARATORS, key=first.count)
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise LongsumError(
            f"{name} is not valid CSV in line {reader.line_num} ({error}); check the quotes."
        ) from None
