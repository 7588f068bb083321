"""Reads Parquet files as tables, by a schema; pyarrow has to be installed."""

from collections.abc import Iterator
from datetime import date, datetime
from io import BytesIO
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.extras import requirement
from longsum.tables.inputs.rows import MOST_CELLS, table_of_rows
from longsum.tables.inputs.table_schema import TableSchema
from longsum.tables.table import Table

MAGIC = b"PAR1"
"""What a Parquet file begins and ends with."""

_AT_ONCE = 1000


def read_parquet(data: bytes, schema: TableSchema, name: str = "The table") -> Table:
    """Return the table of a Parquet file; only the columns that the schema names are read.

    Raises:
        LongsumError: pyarrow is not installed, the file is damaged, or what `table_of_rows` raises.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise LongsumError(
            f"{name} is a Parquet file, which needs pyarrow; run pip install "
            f"'{requirement('pyarrow')}', or save the table as CSV."
        ) from None
    try:
        file = parquet.ParquetFile(BytesIO(data))
        header = list(file.schema_arrow.names)
        wanted = [column for column in header if column.strip() in schema.named_columns]
        if file.metadata.num_rows * max(len(wanted), 1) > MOST_CELLS:
            raise LongsumError(f"{name} has more than {MOST_CELLS:,} cells; give fewer rows.")
        rows = list(_rows(file, wanted))
    except (pyarrow.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())
        raise LongsumError(f"{name} is no readable Parquet file ({reason}).") from None
    return table_of_rows(wanted or header, enumerate(rows, start=1), schema, name)


def _rows(file: Any, columns: list[str]) -> Iterator[list[str]]:
    for batch in file.iter_batches(batch_size=_AT_ONCE, columns=columns):
        values = [batch.column(place).to_pylist() for place in range(len(columns))]
        yield from ([_cell(value) for value in row] for row in zip(*values, strict=True))


def _cell(value: Any) -> str:
    """Return a value as CSV would have it."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)
