"""Corpora: folders and JSON lines."""

import json
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import quote
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import read, read_bytes

# A corpus lists its documents without reading them, and can read each by its place, so that any
# worker can be told which documents to process.

Place = tuple[str | int, ...]
"""Where a corpus finds a document; strings and integers, so that it can be stored."""


@dataclass(frozen=True, slots=True)
class Item:
    """A document of a corpus that has not been read yet.

    Attributes:
        id: Its name within the corpus.
        place: Where the corpus finds it.
        size: Its approximate size in bytes.
    """

    id: str
    place: Place
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Names of the fields, or columns, of records.

    Attributes:
        id: The field with a record's id; a record without one is named by its position.
        text: The field with its text.
        title: The field with its title.
    """

    id: str = "id"
    text: str = "text"
    title: str = "title"


class Corpus(ABC):
    """Documents that can be listed and read one by one."""

    @abstractmethod
    def items(self) -> Iterator[Item]:
        """Yield the documents in a fixed order; two may have the same id.

        Raises:
            LongsumError: The corpus cannot be read.
        """

    @abstractmethod
    def read(self, item: Item, limits: ReadLimits) -> Document:
        """Read a document.

        Raises:
            LongsumError: It cannot be read or no longer exists.
        """


class RecordCorpus(Corpus):
    """A file of records with a text, or sections, as `longsum.read` takes them from JSON."""

    def __init__(self, path: Path, fields: Fields) -> None:
        self.path = path
        self.fields = fields

    def document(self, record: Any, item: Item, limits: ReadLimits) -> Document:
        """Make a document from a record.

        Raises:
            LongsumError: The record has no text.
        """
        if isinstance(record, dict):
            record = self._with_usual_names(record, item)
        return read_bytes(json.dumps(record).encode(), f"{item.id}.json", limits=limits)

    def _with_usual_names(self, record: dict[str, Any], item: Item) -> dict[str, Any]:
        fields = self.fields
        if fields.text not in record and "sections" not in record:
            raise LongsumError(
                f"{item.id} has no field {quote(fields.text)}, only {', '.join(map(str, record))}; "
                "name the field of the text with --text-field."
            )
        usual = dict(record)
        for ours, theirs in (("text", fields.text), ("title", fields.title)):
            if theirs in record:
                usual[ours] = record[theirs]
        if fields.text != "text":
            usual.pop("sections", None)
        return usual


_KINDS = {stat.S_IFDIR: "a link to a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket"}


class FolderCorpus(Corpus):
    """All files of a folder and its subfolders, by name; hidden ones are skipped.

    A document's id is its path within the folder. Links to files are followed, links to folders are
    not, so that no document occurs twice. Anything that is not a file, or links to none, is listed
    as a document that cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def items(self) -> Iterator[Item]:
        """Yield the files in the order of their paths, folder by folder."""
        pending = [self.path]
        while pending:
            folder = pending.pop()
            inner = []
            for entry in self._entries(folder):
                if entry.is_dir(follow_symlinks=False):
                    inner.append(folder / entry.name)
                    continue
                path = (folder / entry.name).relative_to(self.path).as_posix()
                # A name that is not UTF-8 has characters that result files cannot hold.
                shown = path.encode("utf-8", "backslashreplace").decode()
                size = 0
                with suppress(OSError):
                    size = entry.stat().st_size
                yield Item(shown, (path,), size)
            pending.extend(reversed(inner))

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                seen = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            raise LongsumError(
                f"The folder '{folder}' cannot be read ({error.strerror}); make it readable, or "
                "move it away."
            ) from None
        return sorted(seen, key=lambda entry: entry.name)

    def read(self, item: Item, limits: ReadLimits) -> Document:
        """Read a file; see `longsum.read`."""
        path = self.path / str(item.place[0])
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise LongsumError(f"'{item.id}' does not lead to a file ({error.strerror}).") from None
        if not stat.S_ISREG(mode):
            # Reading it might never end.
            kind = _KINDS.get(stat.S_IFMT(mode), "a device")
            raise LongsumError(f"'{item.id}' is {kind}; only files are read.")
        return read(path, limits=limits)


class LinesCorpus(RecordCorpus):
    """Records of a JSON-lines file; empty lines are skipped.

    A line that is not a record is listed as a document that cannot be read.
    """

    def items(self) -> Iterator[Item]:
        """Yield the records, with their offsets as places."""
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
                f"Line {number} of {self.path.name} is not valid JSON ({error}); correct it."
            ) from None
