"""Corpora: a folder of documents, a file with one JSON record a line, or a Parquet file.

A corpus names its documents without reading them, and reads any of them again by its place, so that
a worker anywhere can be told which ones are its own.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import read_bytes

Place = tuple[str | int, ...]
"""Where a corpus finds a document again; strings and whole numbers, so that it can be stored."""


@dataclass(frozen=True, slots=True)
class Item:
    """A document of a corpus that was not read yet.

    Attributes:
        id: Its name within the corpus.
        place: Where the corpus finds it.
        size: Its bytes, at least roughly.
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
    """Documents that can be listed, and read one by one."""

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
            LongsumError: It cannot be read, or is not there any more.
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
                f"{item.id} has no field {quote(fields.text)}, only "
                f"{', '.join(map(str, record))}; say with --text-field which has the text."
            )
        usual = dict(record)
        for ours, theirs in (("text", fields.text), ("title", fields.title)):
            if theirs in record:
                usual[ours] = record[theirs]
        if fields.text != "text":
            usual.pop("sections", None)
        return usual
