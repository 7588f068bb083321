"""A Parquet file of records."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longsum.batch.corpora.corpus import Fields, Item, RecordCorpus
from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

# Rows that are unpacked together.
_ROWS = 64


class ParquetCorpus(RecordCorpus):
    """Rows of a Parquet file, in its order.

    Rows are read a few at a time. Whoever reads them in order unpacks each once; going back unpacks
    the row group again from its beginning.
    """

    def __init__(self, path: Path, fields: Fields) -> None:
        super().__init__(path, fields)
        self._group = -1
        self._rows: Iterator[dict[str, Any]] = iter(())
        self._next = 0

    def items(self) -> Iterator[Item]:
        """Yield the rows; only their ids are read."""
        file = self._open()
        columns = [self.fields.id] if self.fields.id in file.schema_arrow.names else []
        for group in range(file.num_row_groups):
            described = file.metadata.row_group(group)
            size = described.total_byte_size // max(1, described.num_rows)
            with self._told():
                ids = (
                    file.read_row_group(group, columns=columns).column(0).to_pylist()
                    if columns
                    else [None] * described.num_rows
                )
            for row, found in enumerate(ids):
                name = f"row-{group}-{row}" if found is None else str(found)
                yield Item(name, (group, row), size)

    def read(self, item: Item, limits: ReadLimits) -> Document:
        """Read a row; see `longsum.read` on JSON."""
        return self.document(self._row(*map(int, item.place)), item, limits)

    def _row(self, group: int, row: int) -> dict[str, Any]:
        if group != self._group or row < self._next:
            self._group, self._next = group, 0
            self._rows = self._unpacked(group)
        for record in self._rows:
            self._next += 1
            if self._next == row + 1:
                return record
        raise LongsumError(f"'{self.path}' has no row {row} in its row group {group} any more.")

    def _unpacked(self, group: int) -> Iterator[dict[str, Any]]:
        file = self._open()
        fields = self.fields
        wanted = {fields.text, fields.title, "sections", "paragraph_unit"}
        columns = [name for name in file.schema_arrow.names if name in wanted]
        for batch in file.iter_batches(_ROWS, row_groups=[group], columns=columns):
            for record in batch.to_pylist():
                yield {name: value for name, value in record.items() if value is not None}

    def _open(self) -> "ParquetFile":
        with missing_extras_explained():
            from pyarrow.parquet import ParquetFile
        with self._told():
            return ParquetFile(self.path)

    @contextmanager
    def _told(self) -> Iterator[None]:
        from pyarrow import ArrowException

        try:
            yield
        except (OSError, ArrowException) as error:
            raise LongsumError(
                f"'{self.path}' is no Parquet file that can be read: {error}."
            ) from None
