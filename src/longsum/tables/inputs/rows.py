"""Rows with a header as a table, by a schema: from CSV, TSV, Parquet or any other file."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from io import BytesIO
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.extras import requirement
from longsum.common.wording import counted, did_you_mean, quote
from longsum.documents.builder import clean
from longsum.tables.inputs.table_schema import TableSchema
from longsum.tables.table import MISSING, Entity, RecordType, Side, Table, as_number, make_table

MOST_CELLS = 1_000_000
LONGEST_VALUE = 500
"""Characters of a cell; a table of longer ones is a document."""

_ABSENT = frozenset({"", "n/a", "na", "nan", "null", "none", "-", "–", "—"})


def table_of_rows(
    header: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], schema: TableSchema, name: str
) -> Table:
    """Return the table of rows.

    Args:
        header: The names of the columns.
        rows: The cells of each row, with the line in which it stands.
        schema: What the columns mean.
        name: What messages call the table.

    Raises:
        LongsumError: A column of the schema is missing, a row has too many or too few cells, two
            rows share a name, or a value is not of its column's kind.
    """
    header = [clean(column) for column in header]
    _check_header(header, schema, name)
    places, named = {column: place for place, column in enumerate(header)}, schema.named_columns
    types = {column: each.record_type(column) for column, each in schema.columns.items()}
    cells: list[tuple[Entity, RecordType, str]] = []
    for line, row in rows:
        if len(row) != len(header):
            raise LongsumError(
                f"{name} has {counted(len(row), 'cell')} in line {line}, but {len(header)} "
                "columns; put cells that hold the separator in quotes."
            )
        values = {column: clean(row[places[column]]) for column in named}
        entity = _entity(values, schema, name, line)
        for column, type_ in types.items():
            cells.append((entity, type_, _value(values[column], type_, name, line)))
        if len(cells) > MOST_CELLS:
            raise LongsumError(f"{name} has more than {MOST_CELLS:,} cells; give fewer rows.")
    if not cells:
        raise LongsumError(f"{name} has no rows below its header.")
    return make_table(cells, date=schema.date, title=schema.title, kind="table")


def _check_header(header: Sequence[str], schema: TableSchema, name: str) -> None:
    (column, count), *_ = Counter(header).most_common(1) or [("", 0)]
    if count > 1:
        raise LongsumError(f"{name} has two columns {quote(column)}; rename one of them.")
    known = frozenset(header)
    named = [*schema.entity_columns, *schema.columns]
    named += [column for column in (schema.group, schema.side) if column]
    for column in named:
        if column not in known:
            raise LongsumError(
                f"{name} has no column {quote(column)}, which the schema names; it has "
                f"{quote(', '.join(header), 200)}.{did_you_mean(column, header)}"
            )


def _entity(values: Mapping[str, str], schema: TableSchema, name: str, line: int) -> Entity:
    full = " ".join(filter(None, (values[column] for column in schema.entity_columns)))
    if not full or len(full) > LONGEST_VALUE:
        problem = "no name" if not full else f"a name of more than {LONGEST_VALUE} characters"
        raise LongsumError(f"{name} has {problem} for the row in line {line}; correct it.")
    side: Side | None = None
    if schema.side:
        given = values[schema.side].casefold()
        if given not in ("home", "away"):
            raise LongsumError(
                f"{name} has {quote(given)} in line {line} as {schema.side}; "
                "it must be home or away."
            )
        side = "home" if given == "home" else "away"
    group = values[schema.group] if schema.group else ""
    return Entity(full, schema.kind, side, group or None)


def _value(value: str, type_: RecordType, name: str, line: int) -> str:
    if value.casefold() in _ABSENT:
        return MISSING
    if len(value) > LONGEST_VALUE:
        raise LongsumError(
            f"{name} has more than {LONGEST_VALUE} characters in line {line}, column "
            f"{quote(type_.name)}; leave the column out of the schema."
        )
    if type_.kind == "number" and as_number(value) is None:
        raise LongsumError(
            f"{name} has {quote(value)} in line {line}, column {quote(type_.name)}, which is not a "
            "number such as 1,234.5; correct it, or let the schema say kind: text."
        )
    if type_.kind == "date":
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError:
            raise LongsumError(
                f"{name} has {quote(value)} in line {line}, column {quote(type_.name)}, which is "
                "not a date; write it as YYYY-MM-DD."
            ) from None
    return value


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
        rows = list(_parquet_rows(file, wanted))
    except (pyarrow.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())
        raise LongsumError(f"{name} is no readable Parquet file ({reason}).") from None
    return table_of_rows(wanted or header, enumerate(rows, start=1), schema, name)


def _parquet_rows(file: Any, columns: list[str]) -> Iterator[list[str]]:
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
