"""A folder of documents, with its subfolders."""

import os
from collections.abc import Iterator
from pathlib import Path

from longsum.batch.corpus import Corpus, Item
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import read
from longsum.errors import LongsumError


class FolderCorpus(Corpus):
    """Every file of a folder and of its subfolders, by name; hidden ones are passed over.

    A document's id is its path within the folder. Links to files are followed, links to folders are
    not, so that no document comes twice.
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
                elif entry.is_file():
                    path = (folder / entry.name).relative_to(self.path).as_posix()
                    # A name that is no UTF-8 has characters that no file of results can hold.
                    shown = path.encode("utf-8", "backslashreplace").decode()
                    yield Item(shown, (path,), entry.stat().st_size)
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
        return read(self.path / str(item.place[0]), limits=limits)
