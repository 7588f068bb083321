"""Files of data sets, read one record at a time."""

import csv
import gzip
import lzma
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO, cast

from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained
from longsum.common.structured_text import encodable, parse_json
from longsum.evaluation.datasets.info import split_names

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
LONGEST_FIELD = 2**31 - 1
"""Maximum characters of a CSV field; the csv module's default is too low for a chapter."""


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-lines file, also `.gz` and `.xz`.

    Raises:
        LongsumError: The file cannot be read, or a line is not a JSON object.
    """
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            yield _object(line)
        except ValueError as error:
            raise LongsumError(
                f"Line {number} of {path} is not a JSON object ({error}); download the file again."
            ) from None


def csv_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a CSV or TSV file with a header line, also `.gz` and `.xz`.

    Raises:
        LongsumError: The file cannot be read.
    """
    csv.field_size_limit(LONGEST_FIELD)
    try:
        yield from csv.DictReader(_lines(path), delimiter="\t" if ".tsv" in path.suffixes else ",")
    except csv.Error as error:
        problem = f"{path} is not valid CSV ({error}); download the file again."
        raise LongsumError(problem) from error


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file with one of `ENDINGS`; any other file is read as JSON lines.

    Raises:
        LongsumError: The file cannot be read, or needs a package that is not installed.
    """
    endings = path.suffixes
    if ".csv" in endings or ".tsv" in endings:
        return csv_rows(path)
    if ".parquet" in endings or ".arrow" in endings:
        return _column_rows(path)
    return _json_list(path) if ".json" in endings else json_lines(path)


ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".arrow")
"""Extensions of record files; all but the last two may also be compressed, `.gz` or `.xz`."""
_PACKED = (".gz", ".xz")


def is_record_file(path: Path) -> bool:
    """Return whether a name is that of a record file, by its extension."""
    ending = path.with_suffix("").suffix if path.suffix in _PACKED else path.suffix
    return ending in ENDINGS


def _json_list(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON file, which is a list of them or has one per line."""
    first = next((line for line in _lines(path) if line.strip()), "")
    if not first.lstrip().startswith("["):
        yield from json_lines(path)
        return
    try:
        yield from map(_checked, _parsed("".join(_lines(path))))
    except ValueError as error:
        raise LongsumError(
            f"{path} does not contain a list of JSON objects ({error}); check the file."
        ) from None


def _column_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file, or of an Arrow stream as `datasets` saves them."""
    with missing_extras_explained():
        import pyarrow
        from pyarrow import ipc, parquet
    try:
        if path.suffix == ".parquet":
            with parquet.ParquetFile(path) as columns:
                for batch in columns.iter_batches(batch_size=_ROWS):
                    yield from batch.to_pylist()
            return
        with pyarrow.memory_map(str(path)) as file, ipc.open_stream(file) as batches:
            for batch in batches:
                yield from batch.to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise LongsumError(f"{path} cannot be read ({error}); check the file.") from error


_ROWS = 64
"""Rows of a Parquet file that are unpacked together."""


def json_file(path: Path) -> dict[str, Any]:
    """Return the one object of a JSON file.

    Raises:
        LongsumError: The file cannot be read or contains something else.
    """
    try:
        return _object("".join(_lines(path)))
    except ValueError as error:
        raise LongsumError(
            f"{path} does not contain a single JSON object ({error}); download the file again."
        ) from None


def _object(text: str) -> dict[str, Any]:
    return _checked(_parsed(text))


def _parsed(text: str) -> Any:
    value = parse_json(text)
    # Few texts need it, and it visits every value.
    return encodable(value) if _SURROGATE.search(text) else value


def _checked(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"it is {type(value).__name__}")
    return value


def text_file(path: Path) -> str:
    """Return the text of a file, also `.gz` and `.xz`."""
    return "".join(_lines(path))


def require_split_file(folder: Path, split: str, *patterns: str) -> Path:
    """Return the file of a split; see `split_file`.

    Raises:
        LongsumError: There is none; the message names the first pattern.
    """
    path = split_file(folder, split, *patterns)
    if path is None:
        raise no_split_file(folder, split, patterns[0])
    return path


def split_file(folder: Path, split: str, *patterns: str) -> Path | None:
    """Return the file of a split; None if there is none.

    Args:
        folder: Where to look.
        split: A canonical split; the file may use any of its names.
        patterns: File names in order of preference, with `{split}` for the name of the split; the
            file may also end in `.gz` or `.xz`.
    """
    for pattern in patterns:
        for name in split_names(split):
            for ending in ("", ".gz", ".xz"):
                path = folder / (pattern.format(split=name) + ending)
                if path.is_file():
                    return path
    return None


def no_split_file(folder: Path, split: str, *patterns: str) -> LongsumError:
    """Return the error for missing files of a split."""
    wanted = " or ".join(pattern.format(split=split_names(split)[0]) for pattern in patterns)
    return LongsumError(
        f"{folder} has no files of the split '{split}': put {wanted} there, "
        "or give the folder that contains them as --root."
    )


def first_folder(root: Path, *names: str) -> Path:
    """Return the first of the named folders that exists in `root`, else `root` itself."""
    return next((root / name for name in names if (root / name).is_dir()), root)


def _lines(path: Path) -> Iterator[str]:
    try:
        with _open(path) as file:
            yield from file
    except FileNotFoundError as error:
        raise LongsumError(f"{path} is missing; download the data set again.") from error
    except (OSError, EOFError, lzma.LZMAError, zlib.error, UnicodeDecodeError) as error:
        raise LongsumError(
            f"{path} cannot be read ({error}); check it or download it again."
        ) from error


def _open(path: Path) -> TextIO:
    # Some programs begin a file with a byte order mark. newline="" leaves line endings to the csv
    # module; JSON accepts any white space.
    if path.suffix == ".xz":
        return cast(TextIO, lzma.open(path, "rt", encoding="utf-8-sig", newline=""))
    if path.suffix == ".gz":
        return cast(TextIO, gzip.open(path, "rt", encoding="utf-8-sig", newline=""))
    return path.open(encoding="utf-8-sig", newline="")
