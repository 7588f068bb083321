"""Rows with a header as a table, by a schema: from CSV, TSV, Parquet or any other file."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from io import BytesIO
from itertools import islice
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.extras import requirement
from longsum.common.wording import counted, did_you_mean, quote
from longsum.language.characters import clean
from longsum.tables.inputs.derived import derived_cells, mark_of
from longsum.tables.inputs.guessed_schema import guess_schema, row_names, schema_to_yaml
from longsum.tables.inputs.panels import pivoted
from longsum.tables.inputs.summary_rows import with_summary_rows, wrong_totals
from longsum.tables.inputs.table_schema import ABSENT, LONGEST_VALUE, TableSchema
from longsum.tables.inputs.written_values import days_of, decimal_comma, numbers_of
from longsum.tables.table import MISSING, Entity, RecordType, Side, Table, as_number, make_table

MOST_CELLS = 1_000_000


def table_of_rows(
    header: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], schema: TableSchema, name: str
) -> Table:
    """Return the table of rows.

    Args:
        header: The names of the columns.
        rows: The cells of each row, with its line number.
        schema: What the columns mean.
        name: What messages call the table.

    Raises:
        LongsumError: A column of the schema is missing, a row has too many or too few cells, two
            rows share a name, or a value is not of its column's kind.
    """
    header = [clean(column) for column in header]
    _check_header(header, schema, name)
    if schema.panel:
        header, rows, schema = pivoted(header, rows, schema)
    places, named = {column: place for place, column in enumerate(header)}, schema.named_columns
    types = {column: each.record_type(column) for column, each in schema.columns.items()}
    overall = schema.overall
    grouping = {column: types[column].phrase for column in overall if overall[column] == "groups"}
    groups: dict[str, dict[str, str]] = {phrase: {} for phrase in grouping.values()}
    cells: list[tuple[Entity, RecordType, str]] = []
    for line, row in rows:
        if len(row) != len(header):
            raise _wide(name, line, len(row), len(header))
        values = {column: clean(row[places[column]]) for column in named}
        entity = _entity(values, schema, name, line)
        for column, type_ in types.items():
            value = _value(values[column], type_, name, line)
            if column in grouping and value != MISSING:
                marked = mark_of(value) if type_.kind == "number" else value
                groups[grouping[column]][entity.name] = marked
            if column not in schema.entity_columns:
                cells.append((entity, type_, value))
        if len(cells) > MOST_CELLS:
            raise _long(name)
    if not cells:
        raise LongsumError(f"{name} has no rows below its header.")
    if schema.summary:
        cells = with_summary_rows(cells)
        cells += derived_cells(cells, groups, schema)
    return make_table(cells, date=schema.date, title=schema.title, kind="table")


def _wide(name: str, line: int, cells: int, columns: int) -> LongsumError:
    return LongsumError(
        f"{name} has {counted(cells, 'cell')} in line {line}, but {columns} columns; put cells "
        "that hold the separator in quotes."
    )


def _long(name: str) -> LongsumError:
    return LongsumError(f"{name} has more than {MOST_CELLS:,} cells; give fewer rows.")


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
    if value.casefold() in ABSENT:
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
_WITHOUT_REMARKS = 2
"""With so many columns, a row with words in the first one alone lacks a value and is no remark."""


def read_guessed(text: str, name: str = "The table") -> tuple[Table, list[str]]:
    """Return the table of a delimited text without a schema, and notes on the guessed schema.

    Rows that end early are filled with empty cells.

    Raises:
        LongsumError: It is not a table, or a row has more cells than there are columns.
    """
    every = list(_rows(text, name)) or [(0, [])]
    begin = _header(every)
    (_, header), *rows = every[begin:]
    if not rows:
        raise LongsumError(f"{name} has no rows below its header.")
    if len(rows) * len(header) > MOST_CELLS:
        raise _long(name)
    notes = [_no_rows(every[:begin])] if begin else []
    for line, row in rows:
        if any(map(clean, row[len(header) :])):
            raise _wide(name, line, len(row), len(header))
    while rows and len(header) > _WITHOUT_REMARKS and _is_remark(rows[-1][1]):
        notes.append(_no_rows([rows.pop()]))
    filled = [[*row, *[""] * (len(header) - len(row))][: len(header)] for _, row in rows]
    names, cells, schema, more = guess_schema(header, filled, comma=_separator(text) == ";")
    if begin:
        schema = replace(schema, title=_first(every[0][1]))
    if not schema.columns:
        raise LongsumError(f"{name} has no column besides the names of its rows; add one.")
    guessed = (
        f"{name} is read by this guess, which --schema replaces: {schema_to_yaml(schema).strip()}"
    )
    table = table_of_rows(names, enumerate(cells, start=2), schema, name)
    return table, [guessed, *notes, *more, *wrong_totals(table)]


def _first(row: Sequence[str]) -> str:
    """Return the first cell of a row that is not empty."""
    return next(filter(None, map(clean, row)), "")


def _no_rows(lines: Sequence[tuple[int, Sequence[str]]]) -> str:
    """Return the note on lines before or after the rows that are not rows."""
    (first, row), (last, _) = lines[0], lines[-1]
    if first == last:
        told = f"line {first} is not a row and is left out"
    else:
        told = f"lines {first} to {last} are not rows and are left out"
    return f"{told}: {quote(_first(row))}"


def _header(rows: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Return which row is the header: the first below lines with nothing but a title or a date."""
    if not rows[0][1]:
        return 0
    filled = [
        [place for place, cell in enumerate(row, start=1) if clean(cell)]
        for _, row in rows[:_READ_FOR_SEPARATOR]
    ]
    most = max(map(len, filled))
    return next(
        place for place, each in enumerate(filled) if len(each) * 2 > most or each[-1] >= most
    )


def _is_remark(row: Sequence[str]) -> bool:
    """Return whether a row below the others has words in its first cell and nothing else."""
    first, *others = map(clean, row)
    return " " in first and not any(others)


def read_delimited(text: str, schema: TableSchema, name: str = "The table") -> Table:
    """Return the table of a delimited text with a header line.

    The separator is a comma, a semicolon or a tab, whichever is most frequent in the header. Cells
    that are empty, `N/A`, NaN or a dash have no value.

    Raises:
        LongsumError: A column of the schema is missing, a row has too many or too few cells, two
            rows share a name, or a value is not of its column's kind.
    """
    every = list(_rows(text, name)) or [(0, [])]
    (_, header), *rows = every[_header(every) if schema.summary else 0 :]
    comma = _separator(text) == ";"
    if schema.summary:
        cells = (clean(cell) for _, row in rows for cell in row)
        comma = decimal_comma(cells, otherwise=comma)
    written = _in_one_way(header, rows, schema, comma=comma)
    if schema.summary and isinstance(schema.entity, str):
        names, written = _with_names(header, written, schema.entity)
        return table_of_rows(names, written, schema, name)
    return table_of_rows(header, written, schema, name)


def _with_names(
    header: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]], entity: str
) -> tuple[Sequence[str], Sequence[tuple[int, Sequence[str]]]]:
    """Return rows named like those of a guessed schema."""
    names = [clean(column) for column in header]
    if entity not in names:
        names = [*names, entity]
        rows = [(line, [*row, ""]) for line, row in rows]
    place = names.index(entity)
    cells = [clean(row[place]) if place < len(row) else "" for _, row in rows]
    known, _ = row_names(cells if any(cells) else [], len(rows))
    named = zip(rows, known, strict=True)
    return names, [(line, [*row[:place], name, *row[place + 1 :]]) for (line, row), name in named]


def _in_one_way(
    header: Sequence[str],
    rows: Sequence[tuple[int, Sequence[str]]],
    schema: TableSchema,
    *,
    comma: bool,
) -> Sequence[tuple[int, Sequence[str]]]:
    """Return rows with numbers and dates in a uniform notation, as `guess_schema` reads them.

    A column that cannot be read in this way stays as it is, and so does one with a unit other than
    its schema's; `table_of_rows` reports what is wrong with it.
    """
    if any(len(row) != len(header) for _, row in rows):
        return rows
    written = [list(row) for _, row in rows]
    for place, column in enumerate(map(clean, header)):
        meant = schema.columns.get(column)
        if meant is None or meant.kind == "text":
            continue
        values = [clean(row[place]) for row in written]
        values = ["" if value.casefold() in ABSENT else value for value in values]
        if meant.kind == "date":
            found = days[0] if (days := days_of(values)) else None
        elif not (schema.summary or comma) and all(
            not value or as_number(value) is not None for value in values
        ):
            continue
        else:
            numbers = numbers_of(values, comma=comma)
            units = {unit for value, unit in numbers or [] if value} - {"", meant.unit}
            found = [value for value, _ in numbers] if numbers and not units else None
        for row, value in zip(written, found or [], strict=False):
            row[place] = value
    return [(line, row) for (line, _), row in zip(rows, written, strict=True)]


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with the numbers of their last lines."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise LongsumError(
            f"{name} is not valid CSV in line {reader.line_num} ({error}); check the quotes."
        ) from None


_READ_FOR_SEPARATOR = 40


def _separator(text: str) -> str:
    """Return the separator that gives most of the first lines the same number of cells."""
    first = text.split("\n", 1)[0]

    def alike(separator: str) -> tuple[int, int, int]:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        try:
            widths = Counter(len(row) for row in islice(lines, _READ_FOR_SEPARATOR) if len(row) > 1)
        except csv.Error:
            widths = Counter()
        width, count = max(widths.items(), key=lambda each: each[::-1], default=(0, 0))
        return count, first.count(separator), width

    return max(_SEPARATORS, key=alike)


MAGIC = b"PAR1"
"""What a Parquet file begins and ends with."""

_BLOCK = 1000


def read_parquet(data: bytes, schema: TableSchema, name: str) -> Table:
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
            raise _long(name)
        rows = list(_parquet_rows(file, wanted))
    except (pyarrow.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())
        raise LongsumError(
            f"{name} is not a readable Parquet file ({reason}); write it again."
        ) from None
    return table_of_rows(wanted or header, enumerate(rows, start=1), schema, name)


def _parquet_rows(file: Any, columns: list[str]) -> Iterator[list[str]]:
    for batch in file.iter_batches(batch_size=_BLOCK, columns=columns):
        values = [batch.column(place).to_pylist() for place in range(len(columns))]
        yield from ([_cell(value) for value in row] for row in zip(*values, strict=True))


def _cell(value: Any) -> str:
    """Return a value as written in CSV."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)
