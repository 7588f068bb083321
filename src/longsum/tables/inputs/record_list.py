"""A list of records as a table: which entity has which value of which type."""

from collections.abc import Mapping, Sequence
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.language.characters import clean
from longsum.tables.inputs.rows import MOST_CELLS, table_of_rows
from longsum.tables.inputs.table_schema import ColumnSchema, TableSchema
from longsum.tables.table import Table, as_number

MOST_TYPES = 1000
_ENTITY, _SIDE = "entity", "side"
_FORM = '{"entity": …, "type": …, "value": …}, and "side" where there is one'


def is_record_list(value: Any) -> bool:
    """Return whether a JSON value looks like a list of records, rather than of games."""
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, Mapping) and {_ENTITY, "type", "value"} <= first.keys()


def read_record_list(
    values: Sequence[Any], schema: TableSchema | None, name: str = "The table"
) -> Table:
    """Return the table of a list of records.

    Args:
        values: The records; `side`, if they have it, is `home` or `away`.
        schema: What their types mean, as for columns; its `entity` must be `entity`. Without one,
            types whose values are all numbers are numbers, and the others are texts.
        name: What messages call it.

    Raises:
        LongsumError: A record has another form, an entity has two values of a type, or what
            `table_of_rows` raises.
    """
    rows: dict[str, dict[str, str]] = {}
    types: dict[str, list[str]] = {}
    for number, record in enumerate(values, start=1):
        entity, type_, value, side = _parts(record, f"{name}, record {number},")
        row = rows.setdefault(entity, {_ENTITY: entity})
        if type_ in row:
            raise LongsumError(
                f"{name} has two values of {quote(type_)} for {quote(entity)}; leave one out."
            )
        if side and row.setdefault(_SIDE, side) != side:
            raise LongsumError(f"{name} has {quote(entity)} on both sides; correct one of them.")
        row[type_] = value
        types.setdefault(type_, []).append(value)
    if len(types) > MOST_TYPES or len(rows) * len(types) > MOST_CELLS:
        raise LongsumError(
            f"{name} has more than {MOST_TYPES:,} types or {MOST_CELLS:,} cells; give fewer."
        )
    header = list(dict.fromkeys([_ENTITY, *types, *(key for row in rows.values() for key in row)]))
    cells = enumerate(([row.get(column, "") for column in header] for row in rows.values()), 1)
    return table_of_rows(header, cells, schema or _schema(types, _SIDE in header), name)


def _parts(record: Any, where: str) -> tuple[str, str, str, str]:
    if not isinstance(record, Mapping):
        raise LongsumError(f"{where} is {quote(record)}; a record has the form {_FORM}.")
    entity, type_, side = (record.get(key) for key in (_ENTITY, "type", _SIDE))
    value = record.get("value")
    if not isinstance(entity, str) or not isinstance(type_, str) or type_ in (_ENTITY, _SIDE):
        raise LongsumError(f"{where} lacks its entity or its type; a record has the form {_FORM}.")
    if isinstance(value, (Mapping, list)) or not isinstance(side, str | None):
        raise LongsumError(
            f"{where} has a value or a side that is neither a number nor a text; write one."
        )
    return clean(entity), clean(type_), "" if value is None else str(value), side or ""


def _schema(types: Mapping[str, Sequence[str]], sided: bool) -> TableSchema:
    columns = {
        type_: ColumnSchema(kind="number" if all(map(_numeric, values)) else "text")
        for type_, values in types.items()
    }
    return TableSchema(entity=_ENTITY, columns=columns, side=_SIDE if sided else None)


def _numeric(value: str) -> bool:
    return not value.strip() or as_number(value) is not None
