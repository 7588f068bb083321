"""Files of rows: Parquet or JSON lines."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from longsum.batch.rows import Row
from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained, require
from longsum.common.files import write_text
from longsum.common.structured_text import parse_json

if TYPE_CHECKING:
    from pyarrow import Schema

RowFormat = Literal["parquet", "jsonl"]


def check_format(form: RowFormat) -> None:
    """Check that files of a format can be written here.

    Raises:
        LongsumError: A package is missing.
    """
    if form == "parquet":
        try:
            require("pyarrow")
        except LongsumError as error:
            raise LongsumError(f"{error} Or give --format jsonl.") from None


def write_rows(path: Path, rows: Sequence[Row], form: RowFormat) -> None:
    """Write rows into a file.

    Raises:
        LongsumError: It cannot be written, or a package is missing.
    """
    values = [row.to_dict() for row in rows]
    if form == "jsonl":
        # Escaped, as a document may have half a character.
        write_text(path, "".join(f"{json.dumps(value)}\n" for value in values))
        return
    with missing_extras_explained():
        import pyarrow as pa
        from pyarrow import parquet
    table = pa.Table.from_pylist([_encodable(value) for value in values], schema=_schema())
    parquet.write_table(table, path, compression="zstd")


def read_rows(path: Path, form: RowFormat) -> Iterator[Row]:
    """Yield the rows of a file.

    Raises:
        LongsumError: It is missing or damaged, or a package is missing.
    """
    try:
        for value in _values(path, form):
            yield Row.from_dict(value)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LongsumError(f"'{path}' cannot be read as rows of results: {error}.") from None


def _values(path: Path, form: RowFormat) -> Iterator[dict[str, Any]]:
    if form == "jsonl":
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield parse_json(line)
        return
    with missing_extras_explained():
        from pyarrow.parquet import read_table
    # Of this file alone: names of folders are no columns.
    yield from read_table(path, partitioning=None).to_pylist()


def _encodable(value: Any) -> Any:
    """Return JSON values without lone surrogates, which UTF-8 and so Parquet cannot hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: _encodable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(inner) for inner in value]
    return value


def _schema() -> "Schema":
    """Return the columns of a row; see `longsum.batch.rows.Row`."""
    import pyarrow as pa

    text, whole = pa.string(), pa.int64()
    sentence = pa.struct(
        {
            "text": text,
            "start": whole,
            "end": whole,
            "page": whole,
            "section": text,
            "doubts": pa.list_(text),
        }
    )
    return pa.schema(
        {
            "id": text,
            "status": text,
            "summary": text,
            "sentences": pa.list_(sentence),
            "words": whole,
            "title": text,
            "sha256": text,
            "characters": whole,
            "sentences_read": whole,
            "sentences_total": whole,
            "finish_reason": text,
            "notices": pa.list_(text),
            "seconds": pa.float64(),
            "error_type": text,
            "error": text,
            "result": text,
        }
    )
