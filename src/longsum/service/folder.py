"""The folder of a service: its lock, its database, and the documents that are kept in it.

service.lock        held by the server that uses the folder
service.sqlite      all but the documents' bytes
documents/ID/       `original`, the bytes that came, and `read.json`, as `longsum read` has it
"""

import json
import math
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.shared_files import locked
from longsum.common.wording import quote
from longsum.service.errors import ServiceError, unknown
from longsum.service.records import DOCUMENT_COLUMNS, SCHEMA, StoredDocument, Upload


class ServiceFolder:
    """The folder of a service, which one server at a time may use. All threads may call it.

    Results and unused documents are kept for `keep` seconds, `storage` bytes of documents at most.

    Raises:
        LongsumError: Another server uses the folder, or it cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        *,
        keep: float = 7 * 24 * 3600,
        storage: int = 10_000_000_000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder, self.keep, self.storage, self.clock = folder, keep, storage, clock
        self._lock = threading.RLock()
        self._held = ExitStack()
        try:
            (folder / "documents").mkdir(0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        except OSError as error:
            raise LongsumError(
                f"The folder {quote(folder)} cannot be used ({error.strerror}); give another with "
                "--folder."
            ) from None
        if not self._held.enter_context(locked(folder / "service.lock")):
            self._held.close()
            raise LongsumError(
                f"Another server uses the folder {quote(folder)}; stop it, or give --folder."
            )
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._held.close()
            raise LongsumError(
                f"The database in {quote(folder)} cannot be used ({error}); move it away."
            ) from None

    def _open(self) -> None:
        self._database = sqlite3.connect(
            self.folder / "service.sqlite", isolation_level=None, check_same_thread=False
        )
        self._database.row_factory = sqlite3.Row
        self._held.callback(self._database.close)
        for setting in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -4000"):
            self._database.execute(f"PRAGMA {setting}")
        self._database.executescript(SCHEMA)
        known = {identity for (identity,) in self.rows("SELECT id FROM documents")}
        for entry in (self.folder / "documents").iterdir():
            if entry.name not in known:
                shutil.rmtree(entry, ignore_errors=True)

    def close(self) -> None:
        """Close the database, and let another server use the folder."""
        with self._lock:
            self._held.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the database alone; what is changed in it is changed whole or not at all."""
        with self._lock:
            if self._database.in_transaction:
                yield self._database
                return
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def add_tables(self, schema: str) -> None:
        """Make the tables of another part of the service, if there are none yet."""
        with self._lock:
            self._database.executescript(schema)

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        with self._lock:
            return self._database.execute(query, values).fetchall()

    def change(self, change: str, *values: Any) -> bool:
        """Make a change; return whether there was anything to change."""
        with self._lock:
            return self._database.execute(change, values).rowcount > 0

    def place(self, document: str) -> Path:
        """Return the folder of a document, whose id was given by `add`."""
        return self.folder / "documents" / document

    def add(self, upload: Upload) -> None:
        """Store a document, unless it is there; its file is moved.

        Raises:
            ServiceError: There is no room for it.
        """
        with self.transaction() as database:
            if not self.stored(upload.id):
                (held,) = self.rows("SELECT coalesce(sum(size), 0) FROM documents")[0]
                if held + upload.size > self.storage:
                    raise ServiceError(
                        507,
                        "storage-full",
                        "The documents take as much room as they may; delete some, or try later.",
                    )
                self.place(upload.id).mkdir(0o700, exist_ok=True)
                if upload.path is not None:
                    upload.path.replace(self.place(upload.id) / "original")
                now = self.clock()
                insert = f"INSERT INTO documents ({DOCUMENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, NULL)"
                self.change(insert, upload.id, upload.name, upload.size, now, now)
                members = [(upload.id, *each) for each in enumerate(upload.members)]
                database.executemany("INSERT INTO members VALUES (?, ?, ?)", members)
            self._use(upload.id)

    def _use(self, *documents: str) -> None:
        for document in documents:
            self.change("UPDATE documents SET used = ? WHERE id = ?", self.clock(), document)

    def stored(self, *identities: str) -> list[StoredDocument]:
        """Return those of some documents that there are."""
        query = f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE id = ?"
        return [StoredDocument(**row) for each in identities for row in self.rows(query, each)]

    def document(self, document: str) -> StoredDocument:
        """Return a document by its id; one that there is not is unknown to the client."""
        for found in self.stored(document):
            return found
        raise unknown("There is no document of this id; send the document again.")

    def members(self, dossier: str) -> list[str]:
        """Return the ids of the documents that a document consists of; none of one by itself."""
        query = "SELECT document FROM members WHERE dossier = ? ORDER BY place"
        return [document for (document,) in self.rows(query, dossier)]

    def documents(self, *, before: float | None = None, most: int = 50) -> list[StoredDocument]:
        """Return documents, the latest first; `before` is the time that the last page ended at."""
        end = math.inf if before is None else before
        query = (
            f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE created < ? "
            "ORDER BY created DESC LIMIT ?"
        )
        return [StoredDocument(**row) for row in self.rows(query, end, most)]

    def tell_about(self, document: str, about: Mapping[str, Any]) -> None:
        """Keep what is known of a document once it was read."""
        told = json.dumps(about, ensure_ascii=False)
        self.change("UPDATE documents SET about = ? WHERE id = ?", told, document)
