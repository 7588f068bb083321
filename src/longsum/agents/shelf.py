"""Documents that were read, kept by their content."""

from collections import OrderedDict
from hashlib import sha256
from threading import Lock

from longsum.agents.folders import Folders
from longsum.documents.model import Document
from longsum.documents.readers import ReadLimits, read_bytes

MOST_CHARACTERS = 40_000_000
"""Characters of the documents that are kept; a few hundred bytes of memory each at the worst."""


class Shelf:
    """Reads documents of folders, each content once while it is used."""

    def __init__(self, folders: Folders, limits: ReadLimits) -> None:
        self.folders, self._limits = folders, limits
        self._kept: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._lock = Lock()

    def document(self, path: str) -> Document:
        """Return the document at a path, as it is now.

        Raises:
            LongsumError: It may not or cannot be read.
        """
        data, name = self.folders.read(path, self._limits)
        key = sha256(data).hexdigest(), name
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        document = read_bytes(data, name, limits=self._limits)
        with self._lock:
            self._kept[key] = document
            held = sum(len(each.text) for each in self._kept.values())
            while held > MOST_CHARACTERS and len(self._kept) > 1:
                held -= len(self._kept.popitem(last=False)[1].text)
        return document
