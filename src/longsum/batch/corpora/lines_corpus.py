"""A file with one JSON record a line."""

from collections.abc import Iterator
from typing import Any

from longsum.batch.corpora.corpus import Item, RecordCorpus
from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits


class LinesCorpus(RecordCorpus):
    """Records of a JSON-lines file; empty lines are passed over.

    A line that is no record stays a document, which then cannot be read.
    """

    def items(self) -> Iterator[Item]:
        """Yield the records by their offsets, which are their places."""
        offset = 0
        try:
            with self.path.open("rb") as lines:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        yield Item(self._id(line, number), (offset, len(line), number), len(line))
                    offset += len(line)
        except OSError as error:
            raise LongsumError(f"'{self.path}' cannot be read: {error.strerror}.") from None

    def _id(self, line: bytes, number: int) -> str:
        try:
            record = parse_json(line)
        except ValueError:
            record = None
        found = record.get(self.fields.id) if isinstance(record, dict) else None
        if isinstance(found, str | int) and str(found).strip():
            return str(found).encode("utf-8", "backslashreplace").decode()
        return f"line-{number}"

    def read(self, item: Item, limits: ReadLimits) -> Document:
        """Read a record; see `longsum.read` on JSON."""
        offset, length, number = map(int, item.place)
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                line = file.read(length)
        except OSError as error:
            raise LongsumError(f"'{self.path}' cannot be read: {error.strerror}.") from None
        return self.document(self._record(line, number), item, limits)

    def _record(self, line: bytes, number: int) -> Any:
        try:
            return parse_json(line)
        except ValueError as error:
            raise LongsumError(
                f"Line {number} of {self.path.name} is not valid JSON ({error})."
            ) from None
