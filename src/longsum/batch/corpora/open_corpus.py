"""Opens the corpus at a path; and corpora in Parquet files."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longsum.batch.corpora.corpus import (
    Corpus,
    Fields,
    FolderCorpus,
    Item,
    LinesCorpus,
    RecordCorpus,
)
from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained
from longsum.common.names import is_file, path_exists
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import ParquetFile

# Ids that are unpacked together. Texts are unpacked one by one: a few bytes may become gigabytes.
_IDS = 10_000


class ParquetCorpus(RecordCorpus):
    """Rows of a Parquet file, in its order.

    Rows are read one at a time. Reading them in order unpacks each once; going back unpacks the row
    group again from its beginning.
    """

    def __init__(self, path: Path, fields: Fields) -> None:
        super().__init__(path, fields)
        self._group = -1
        self._rows: Iterator[RecordBatch] = iter(())
        self._next = 0

    def items(self) -> Iterator[Item]:
        """Yield the rows; only their ids are read."""
        file = self._open()
        columns = [self.fields.id] if self.fields.id in file.schema_arrow.names else []
        for group in range(file.num_row_groups):
            described = file.metadata.row_group(group)
            size = described.total_byte_size // max(1, described.num_rows)
            for row, name in enumerate(self._ids(file, group, columns)):
                yield Item(f"row-{group}-{row}" if name is None else str(name), (group, row), size)

    def _ids(self, file: "ParquetFile", group: int, columns: list[str]) -> Iterator[Any]:
        if not columns:
            yield from repeat(None, file.metadata.row_group(group).num_rows)
            return
        with self._errors_explained():
            for batch in file.iter_batches(_IDS, row_groups=[group], columns=columns):
                yield from batch.column(0).to_pylist()

    def read(self, item: Item, limits: ReadLimits) -> Document:
        """Read a row; see `longsum.read` on JSON."""
        with self._errors_explained():
            batch = self._row(*map(int, item.place))
            if batch.nbytes > limits.size:
                raise limits.refusal(item.id, "size")
            (record,) = batch.to_pylist()
        known = {name: value for name, value in record.items() if value is not None}
        return self.document(known, item, limits)

    def _row(self, group: int, row: int) -> "RecordBatch":
        if group != self._group or row < self._next:
            self._group, self._next = group, 0
            self._rows = self._unpacked(group)
        try:
            for batch in self._rows:
                self._next += 1
                if self._next == row + 1:
                    return batch
        except BaseException:
            # After an error there is nothing more to read, although the end was not reached.
            self._group = -1
            raise
        raise LongsumError(
            f"'{self.path}' has changed: its row group {group} no longer has a row {row}; resume "
            "the run."
        )

    def _unpacked(self, group: int) -> Iterator["RecordBatch"]:
        file = self._open()
        fields = self.fields
        wanted = {fields.text, fields.title, "sections", "paragraph_unit"}
        columns = [name for name in file.schema_arrow.names if name in wanted]
        yield from file.iter_batches(1, row_groups=[group], columns=columns)

    def _open(self) -> "ParquetFile":
        with missing_extras_explained():
            from pyarrow.parquet import ParquetFile
        with self._errors_explained():
            return ParquetFile(self.path)

    @contextmanager
    def _errors_explained(self) -> Iterator[None]:
        from pyarrow import ArrowException

        try:
            yield
        except (OSError, ArrowException, UnicodeDecodeError) as error:
            raise LongsumError(
                f"'{self.path}' cannot be read as a Parquet file ({error}); write it again."
            ) from None


_LINES = (".jsonl", ".ndjson")
_PARQUET = (".parquet", ".pq")
_PACKED = (".gz", ".xz", ".bz2", ".zst", ".zip", ".tar", ".tgz")


def open_corpus(path: Path, fields: Fields = Fields()) -> Corpus:  # noqa: B008
    """Return the corpus at a path: a folder, a `.jsonl` or a `.parquet` file.

    Raises:
        LongsumError: There is nothing at the path, or a file of another kind.
    """
    if path_exists(path) and path.is_dir():
        return FolderCorpus(path)
    if not is_file(path):
        raise LongsumError(f"There is no folder or file '{path}'; check the path.")
    suffix = path.suffix.lower()
    if suffix in _LINES:
        return LinesCorpus(path, fields)
    if suffix in _PARQUET:
        return ParquetCorpus(path, fields)
    if suffix in _PACKED:
        raise LongsumError(
            f"'{path}' is compressed, so its documents cannot be reached one by one; unpack it "
            "first."
        )
    raise LongsumError(
        f"'{path}' is one file, not a corpus; give a folder or a .jsonl or .parquet file, or run "
        "longsum summarize on it."
    )
