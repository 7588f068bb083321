"""A folder of documents, with its subfolders."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from longsum.batch.corpora.corpus import Corpus, Item
from longsum.common.errors import LongsumError
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import read

_KINDS = {stat.S_IFDIR: "a link to a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket"}


class FolderCorpus(Corpus):
    """Every file of a folder and of its subfolders, by name; hidden ones are passed over.

    A document's id is its path within the folder. Links to files are followed, links to folders are
    not, so that no document comes twice. What is no file, or a link to none, stays a document,
    which then cannot be read.
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
                # A name that is no UTF-8 has characters that no file of results can hold.
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
            raise LongsumError(f"'{item.id}' leads to no file ({error.strerror}).") from None
        if not stat.S_ISREG(mode):
            # It may never end.
            kind = _KINDS.get(stat.S_IFMT(mode), "a device")
            raise LongsumError(f"'{item.id}' is {kind}; only files are read.")
        return read(path, limits=limits)
