"""Rows with a header as a table, by a schema, whichever file they are from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from longsum.common.errors import LongsumError
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
