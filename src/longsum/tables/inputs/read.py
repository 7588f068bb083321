"""Reads a table from a file: a game of Rotowire, records, or rows with a schema."""

import gzip
import lzma
import zlib
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.documents.readers.decode import decode
from longsum.documents.readers.isolation.reading_process import crashed, done_apart
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import load
from longsum.tables.games.rotowire import choose_game, game_table, read_games
from longsum.tables.inputs.record_list import is_record_list, read_record_list
from longsum.tables.inputs.rows import MAGIC, read_delimited, read_guessed, read_parquet
from longsum.tables.inputs.table_schema import TableSchema, parse_schema
from longsum.tables.table import Table

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_GZIP = b"\x1f\x8b"
_XZ = b"\xfd7zXZ\x00"
_BLOCK = 2**20


def read_table(
    source: str | Path,
    *,
    schema: TableSchema | None = None,
    game: str | None = None,
    limits: ReadLimits = ReadLimits(),  # noqa: B008
) -> tuple[Table, list[str]]:
    """Read a table from a file, or from standard input where `source` is `-`.

    Args:
        source: The JSON of one game or of several, or of a list of records
            (`record_list.read_record_list`), a CSV or TSV file, or with a schema a Parquet
            file; also compressed, as `.gz` or `.xz`.
        schema: What columns mean; guessed for a CSV or TSV file without one.
        game: The id or the number of a game, if there are several.
        limits: The most that is read.

    Returns:
        The table and warnings about how it was read.

    Raises:
        LongsumError: The file cannot be read, or is not a table.
    """
    if schema is not None and game is not None:
        raise LongsumError("A table with a schema has no games; leave out --game or --schema.")
    return _table(*load(source, limits), limits, schema, game)


def read_table_apart(
    path: Path, name: str, *, game: str | None = None, limits: ReadLimits
) -> tuple[Table, list[str]]:
    """Read an untrusted table like `read_table`, in an isolated process.

    Raises:
        LongsumError: As `read_table`, or it exceeds a limit or crashes its reader.
    """
    from pydantic import ValidationError

    data, _ = load(path, limits)
    values = done_apart(data, name, limits, work="table", wanted={"game": game})
    try:
        return _answers().validate_python(values)
    except ValidationError:
        raise crashed(name, "its answer is damaged") from None


def table_apart(data: bytes, name: str, limits: ReadLimits, game: str | None) -> Any:
    """Return the answer of the isolated process: a table and warnings, as JSON values."""
    return _answers().dump_python(_table(data, name, limits, None, game), mode="json")


@cache
def _answers() -> "TypeAdapter[tuple[Table, list[str]]]":
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[Table, list[str]])


def _table(
    data: bytes, name: str, limits: ReadLimits, schema: TableSchema | None, game: str | None
) -> tuple[Table, list[str]]:
    data = _content(data, name, limits)
    if data.startswith(MAGIC):
        if schema is None:
            raise LongsumError(f"Say with --schema what the columns of {name} mean.")
        return read_parquet(data, schema, name), []
    text, warnings = _decoded(data, name, limits)
    if game is None and text.lstrip().startswith("[") and is_record_list(values := _json(text)):
        return read_record_list(values, schema, name), warnings
    if schema is not None:
        return read_delimited(text, schema, name), warnings
    if not text.lstrip().startswith(("{", "[")):
        if game is not None:
            raise LongsumError(f"{name} is not a file of games; leave out --game.")
        table, notes = read_guessed(text, name)
        return table, [*warnings, *notes]
    return game_table(choose_game(read_games(text, name), game, name), name), warnings


def read_schema(source: str | Path, limits: ReadLimits) -> TableSchema:
    """Read the schema of a delimited file from YAML.

    Raises:
        LongsumError: The file cannot be read, or is not a schema.
    """
    text, name, _ = _text(source, limits)
    return parse_schema(text, name)


def read_all_games(
    source: str | Path, game: str | None, limits: ReadLimits
) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the games of a file, or the one of a number or an id, and warnings.

    Raises:
        LongsumError: The file cannot be read, or lacks games or that one.
    """
    text, name, warnings = _text(source, limits)
    games = read_games(text, name)
    return games if game is None else [choose_game(games, game, name)], warnings


def read_text(source: str | Path, limits: ReadLimits) -> tuple[str, str]:
    """Return the text of a file and its name.

    Raises:
        LongsumError: The file cannot be read.
    """
    text, name, _ = _text(source, limits)
    return text, name


def _json(text: str) -> Any:
    """Return the value of a JSON text; None if it is not JSON."""
    try:
        return parse_json(text)
    except ValueError:
        return None


def _text(source: str | Path, limits: ReadLimits) -> tuple[str, str, list[str]]:
    data, name = load(source, limits)
    text, warnings = _decoded(_content(data, name, limits), name, limits)
    return text, name, warnings


def _content(data: bytes, name: str, limits: ReadLimits) -> bytes:
    """Return the content of a file, unpacked."""
    if data.startswith((_GZIP, _XZ)):
        data = _unpacked(data, name, limits)
    if not data.strip():
        raise LongsumError(f"{name} is empty; there is nothing to report.")
    return data


def _decoded(data: bytes, name: str, limits: ReadLimits) -> tuple[str, list[str]]:
    text, warnings = decode(data, name)
    if len(text) > limits.characters:
        raise limits.refusal(name, "characters")
    return text, warnings


def _unpacked(data: bytes, name: str, limits: ReadLimits) -> bytes:
    opened = gzip.open if data.startswith(_GZIP) else lzma.open
    try:
        with opened(BytesIO(data)) as stream:
            # Block by block: reading so much at once would allocate room for all of it first.
            unpacked = bytearray()
            while len(unpacked) <= limits.unpacked and (block := stream.read(_BLOCK)):
                unpacked += block
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        raise LongsumError(f"{name} is damaged; its content cannot be unpacked.") from None
    if len(unpacked) > limits.unpacked:
        raise limits.refusal(name, "unpacked")
    return bytes(unpacked)
