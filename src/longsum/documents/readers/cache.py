"""A folder of documents read before, so that the same file is not read again."""

import hashlib
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.files import read_kept, write_kept
from longsum.documents.document_json import document_from_json, document_to_json
from longsum.documents.model import Document
from longsum.documents.readers.limits import ReadLimits

MOST_BYTES = 1_000_000_000
"""Most bytes of a folder, by default."""

_SCHEMA = "longsum/kept-document/2"
_PREFIX, _SUFFIX = "longsum-document-", ".jsonl"
_ROOM = Path(__file__).parents[1]
# What readers depend on; if one of these is replaced, a file may be read differently.
_LIBRARIES = ("charset-normalizer", "lxml", "markdown-it-py", "nupunkt", "py3langid", "pypdfium2")
_NOT_KEPT = "The document was not kept, as the folder of the cache cannot be written."


@cache
def readers_version() -> str:
    """Return an identifier of how files are read: by code, and versions of libraries and Python.

    The code is that of `documents` and `language`, so that a change there is noticed whether or not
    a version was raised.
    """
    found = hashlib.sha256(sys.version.encode())
    for library in _LIBRARIES:
        with suppress(PackageNotFoundError):
            found.update(f"{library} {version(library)}\n".encode())
    for room in (_ROOM, _ROOM.with_name("language")):
        for file in sorted(room.rglob("*.*")):
            if file.suffix in (".py", ".txt"):
                found.update(file.relative_to(room.parent).as_posix().encode() + b"\n")
                found.update(file.read_bytes())
    return found.hexdigest()


@dataclass(frozen=True)
class DocumentCache:
    """Documents by the content of their files, and by everything else that affects reading.

    An entry is a file of two lines of JSON: what it is, with a checksum, and the document. Entries
    that are damaged count as missing. Any number of processes may share a folder: an entry appears
    whole or not at all, and nothing is locked.

    Attributes:
        folder: The folder, created when it is first written to, accessible only to its owner.
            Nothing else in it is touched.
        most: Bytes of all entries together; beyond that, the least recently used ones are removed.
    """

    folder: Path
    most: int = MOST_BYTES
    _version: str = field(default_factory=readers_version, repr=False)

    def find(self, data: bytes, name: str, limits: ReadLimits) -> Document | None:
        """Return the document of a file with this content, name and limits; None if not kept."""
        path = self._path(data, name, limits)
        try:
            head, content = read_kept(path, self.most).split(b"\n", 1)
            stated = json.loads(head)
            if stated != _head(path, content):
                return None
            document = document_from_json(json.loads(content))
        except (OSError, ValueError, RecursionError, LongsumError):
            return None
        # The time of last use decides what is removed.
        with suppress(OSError):
            os.utime(path)
        return document

    def keep(self, data: bytes, name: str, limits: ReadLimits, document: Document) -> Document:
        """Keep the document of a file; return it, with a warning if it cannot be kept."""
        values = document_to_json(document)
        content = json.dumps(values, ensure_ascii=False).encode() + b"\n"
        path = self._path(data, name, limits)
        entry = json.dumps(_head(path, content)).encode() + b"\n" + content
        if len(entry) > self.most:
            return document
        try:
            # What is read may be private: no other user can look into a folder that is created
            # here.
            self.folder.mkdir(0o700, parents=True, exist_ok=True)
            write_kept(path, entry)
        except (OSError, LongsumError):
            return replace(document, warnings=(*document.warnings, _NOT_KEPT))
        self._make_room()
        return document

    def _path(self, data: bytes, name: str, limits: ReadLimits) -> Path:
        parts = {"version": self._version, "name": name, "limits": asdict(limits)}
        key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode() + b"\n")
        key.update(data)
        return self.folder / f"{_PREFIX}{key.hexdigest()}{_SUFFIX}"

    def _make_room(self) -> None:
        """Remove the least recently used entries, until the others fit."""
        entries = []
        with suppress(OSError):
            for path in self.folder.glob(f"{_PREFIX}*{_SUFFIX}"):
                # Another process may have removed it.
                with suppress(OSError):
                    state = path.stat()
                    entries.append((state.st_mtime_ns, state.st_size, path))
        held = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if held <= self.most:
                return
            with suppress(OSError):
                path.unlink()
            held -= size


def _head(path: Path, content: bytes) -> dict[str, str]:
    # With its own name, so that an entry under another's name counts as damaged.
    found = hashlib.sha256(content).hexdigest()
    return {"schema": _SCHEMA, "entry": path.name, "sha256": found}
