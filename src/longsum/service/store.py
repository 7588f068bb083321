"""The folder of a service: one SQLite database of documents, jobs, progress and results.

    service.lock        held by the server that uses the folder
    service.sqlite      all but the documents' bytes
    documents/ID/       `original`, the bytes that came, and `read.json`, as `longsum read` has it

A job is claimed with a token that grows with every claim, and for a time (its lease). Whoever tells
anything of a job names the token: once the job is another's, cancelled or expired, nothing that the
former worker says counts. So every job ends once, whatever is killed at whatever point.
"""

import json
import secrets
import shutil
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from longsum.common.errors import LongsumError
from longsum.common.files import locked
from longsum.common.wording import quote
from longsum.service.records import (
    DOCUMENT_COLUMNS,
    JOB_COLUMNS,
    SCHEMA,
    Event,
    Job,
    KeyReusedError,
    QueueFullError,
    State,
    StorageFullError,
    StoredDocument,
)

LIVE, ENDED = ("queued", "running"), ("done", "failed", "cancelled")
LEASE = 30.0
"""Seconds for which a claim holds unless it is renewed."""
ATTEMPTS = 2
"""Times that a worker may end at a job before it is given up."""
CLAIMS = 10
"""Times that a job may be begun in all, restarts of the server included."""
_REMEMBERED = 4
"""Times their lifetime that expired jobs are known to have been."""


class Store:
    """The folder of a service, which one server at a time may use. All threads may call it.

    Args:
        folder: The folder, made for its owner alone.
        keep: Seconds that results and unused documents are kept.
        storage: Bytes of all documents together.
        clock: Tells the time.

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
                f"The folder {quote(folder)} cannot be used ({error.strerror}); give another."
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
        self._held.callback(self._database.close)
        for setting in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -4000"):
            self._database.execute(f"PRAGMA {setting}")
        self._database.executescript(SCHEMA)
        # Whoever worked for a server before this one has nothing to say any more.
        with self.transaction() as database:
            running = "SELECT id, token FROM jobs WHERE state = 'running'"
            for job, token in database.execute(running).fetchall():
                self._requeue(job, token)
        known = {identity for (identity,) in self._rows("SELECT id FROM documents")}
        for entry in (self.folder / "documents").iterdir():
            if entry.name not in known:
                shutil.rmtree(entry, ignore_errors=True)

    def close(self) -> None:
        """Close the database, and let another server use the folder."""
        with self._lock:
            self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the database alone; what is changed in the context is changed whole or not at all.

        Other parts of the service may have tables of their own here.
        """
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

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._database.execute(query, values).fetchall()

    # Documents

    def place(self, document: str) -> Path:
        """Return the folder of a document, whose id was given by `add`."""
        return self.folder / "documents" / document

    def add(self, identity: str, name: str, original: Path, size: int) -> StoredDocument:
        """Store a document, unless it is there; the file `original` is moved.

        Raises:
            StorageFullError: There is no room for it.
        """
        with self.transaction() as database:
            if (found := self.document(identity)) is None:
                (held,) = self._rows("SELECT coalesce(sum(size), 0) FROM documents")[0]
                if held + size > self.storage:
                    raise StorageFullError(
                        "The documents take as much room as they may; delete some, or try later."
                    )
                self.place(identity).mkdir(0o700, exist_ok=True)
                original.replace(self.place(identity) / "original")
                now = self.clock()
                found = StoredDocument(identity, name, size, now, now, None)
                row = (identity, name, size, now, now)
                database.execute(
                    f"INSERT INTO documents ({DOCUMENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, NULL)", row
                )
            else:
                self._use(identity)
        return found

    def _use(self, document: str) -> None:
        with self._lock:
            update = "UPDATE documents SET used = ? WHERE id = ?"
            self._database.execute(update, (self.clock(), document))

    def document(self, identity: str) -> StoredDocument | None:
        """Return a document; None if there is none of this id."""
        rows = self._rows(f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE id = ?", identity)
        return StoredDocument(*rows[0]) if rows else None

    def documents(self, *, before: float | None = None, most: int = 50) -> list[StoredDocument]:
        """Return documents, the latest first; `before` is the time that the last page ended at."""
        end = self.clock() + 1 if before is None else before
        query = (
            f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE created < ? "
            "ORDER BY created DESC LIMIT ?"
        )
        return [StoredDocument(*row) for row in self._rows(query, end, most)]

    def tell_about(self, document: str, about: Mapping[str, Any]) -> None:
        """Keep what is known of a document once it was read."""
        with self.transaction() as database:
            update = "UPDATE documents SET about = ? WHERE id = ?"
            database.execute(update, (json.dumps(about, ensure_ascii=False), document))

    def delete_document(self, identity: str) -> bool:
        """Remove a document with its jobs and results; return whether there was one."""
        with self._lock:
            for (job,) in self._rows("SELECT id FROM jobs WHERE document = ?", identity):
                self.cancel(job)
                self._forget(job)
            with self.transaction() as database:
                delete = "DELETE FROM documents WHERE id = ?"
                found = database.execute(delete, (identity,)).rowcount > 0
            if found:
                shutil.rmtree(self.place(identity), ignore_errors=True)
            return found

    # Jobs

    def submit(
        self, document: str, wanted: Mapping[str, Any], hash_: str, *, most: int, key: str = ""
    ) -> tuple[Job, bool]:
        """Accept a job, or return the one that the same request made before.

        Args:
            document: The id of its document.
            wanted: The request.
            hash_: The same for requests with the same result.
            most: How many jobs may wait or be worked on.
            key: The client's own name for the request; the same one returns the same job whatever
                became of it.

        Returns:
            The job, and whether it is new.

        Raises:
            QueueFullError: There are so many already.
            KeyReusedError: The key came with another request.
            LongsumError: The document is gone.
        """
        with self.transaction() as database:
            if found := self._same(hash_, key):
                self._use(document)
                return found, False
            if (live := self.live()) >= most:
                raise QueueFullError(f"{live} jobs are not done, and no more may; try again later.")
            if self.document(document) is None:
                raise LongsumError("The document was deleted meanwhile; send it again.")
            self._use(document)
            job = secrets.token_urlsafe(16)
            database.execute(
                "INSERT INTO jobs (id, document, wanted, hash, state, created) "
                "VALUES (?, ?, ?, ?, 'queued', ?)",
                (job, document, json.dumps(wanted, sort_keys=True), hash_, self.clock()),
            )
            if key:
                database.execute("INSERT OR REPLACE INTO keys VALUES (?, ?, ?)", (key, job, hash_))
            self._happened(job, state="queued", stage="queued")
            return self.known(job), True

    def _same(self, hash_: str, key: str) -> Job | None:
        if key:
            for job, stated in self._rows("SELECT job, hash FROM keys WHERE key = ?", key):
                if stated != hash_:
                    raise KeyReusedError(
                        "This idempotency key came with another request; use a new one."
                    )
                return self.known(job)
        query = (
            f"SELECT {JOB_COLUMNS} FROM jobs WHERE hash = ? "
            "AND state IN ('queued', 'running', 'done') AND coalesce(expires, ?) > ? "
            "ORDER BY number DESC LIMIT 1"
        )
        now = self.clock()
        rows = self._rows(query, hash_, now + 1, now)
        return Job(*rows[0]) if rows else None

    def job(self, identity: str) -> Job | None:
        """Return a job; None if there was none of this id, or so long ago that it is forgotten."""
        rows = self._rows(f"SELECT {JOB_COLUMNS} FROM jobs WHERE id = ?", identity)
        return Job(*rows[0]) if rows else None

    def known(self, identity: str) -> Job:
        """Return a job that there is."""
        job = self.job(identity)
        assert job is not None
        return job

    def jobs(self, document: str) -> list[Job]:
        """Return the jobs of a document, the latest first."""
        query = f"SELECT {JOB_COLUMNS} FROM jobs WHERE document = ? ORDER BY number DESC"
        return [Job(*row) for row in self._rows(query, document)]

    def ahead(self, job: Job) -> int:
        """Return how many jobs are worked on before a waiting one."""
        query = "SELECT count(*) FROM jobs WHERE state = 'queued' AND number < ?"
        return int(self._rows(query, job.number)[0][0])

    def claim(self) -> Job | None:
        """Take the job that has waited longest, for `LEASE` seconds; None if none waits."""
        now = self.clock()
        with self.transaction() as database:
            row = database.execute(
                "UPDATE jobs SET state = 'running', token = token + 1, started = ?, lease = ?, "
                "stage = 'starting', done = 0, total = 0 WHERE number = (SELECT number FROM jobs "
                f"WHERE state = 'queued' ORDER BY number LIMIT 1) RETURNING {JOB_COLUMNS}",
                (now, now + LEASE),
            ).fetchone()
            if row is None:
                return None
            job = Job(*row)
            self._happened(job.id, state="running", stage="starting")
            return job

    def holds(self, job: str, token: int) -> bool:
        """Return whether a claim still holds."""
        query = "SELECT 1 FROM jobs WHERE id = ? AND token = ? AND state = 'running'"
        return bool(self._rows(query, job, token))

    def _change(self, job: str, token: int, change: str, *values: Any) -> bool:
        update = f"UPDATE jobs SET {change} WHERE id = ? AND token = ? AND state = 'running'"
        with self._lock:
            return self._database.execute(update, (*values, job, token)).rowcount == 1

    def progress(self, job: str, token: int, stage: str, done: int = 0, total: int = 0) -> bool:
        """Tell what is being done for a job, whose claim holds for another `LEASE` seconds.

        Returns whether it still held.
        """
        with self.transaction():
            change = "stage = ?, done = ?, total = ?, lease = ?"
            lease = self.clock() + LEASE
            if not self._change(job, token, change, stage, done, total, lease):
                return False
            self._happened(job, state="running", stage=stage, done=done, total=total)
            return True

    def finish(self, job: str, token: int, forms: Mapping[str, bytes]) -> bool:
        """End a job with its result in each of its forms; return whether the claim held."""
        with self.transaction() as database:
            if not self._end(job, token, "done", None):
                return False
            rows = [(job, form, zlib.compress(body, 6)) for form, body in forms.items()]
            database.executemany("INSERT INTO results VALUES (?, ?, ?)", rows)
            return True

    def fail(self, job: str, token: int, problem: Mapping[str, Any]) -> bool:
        """End a job that cannot be done; return whether the claim held."""
        with self.transaction():
            return self._end(job, token, "failed", json.dumps(problem))

    def _end(self, job: str, token: int, state: State, problem: str | None) -> bool:
        now = self.clock()
        change = "state = ?, ended = ?, expires = ?, lease = NULL, stage = ?, problem = ?"
        if not self._change(job, token, change, state, now, now + self.keep, state, problem):
            return False
        self._happened(job, state=state, stage=state)
        return True

    def lose(self, job: str, token: int, problem: Mapping[str, Any]) -> bool:
        """Tell that the worker of a job ended: it is tried again, or fails; return as `fail`."""
        with self.transaction():
            if not self._change(job, token, "deaths = deaths + 1"):
                return False
            if self.known(job).deaths < ATTEMPTS:
                return self._requeue(job, token)
            return self.fail(job, token, problem)

    def release(self, job: str, token: int) -> bool:
        """Put a job back in the queue, as its worker ended through no fault of the job."""
        with self.transaction():
            return self._requeue(job, token)

    def _requeue(self, job: str, token: int) -> bool:
        if token >= CLAIMS:
            detail = f"It was begun {token} times and never came to its end; send it again."
            return self._end(job, token, "failed", json.dumps(_crash(detail)))
        held = self._change(job, token, "state = 'queued', lease = NULL, stage = 'queued'")
        if held:
            self._happened(job, state="queued", stage="queued")
        return held

    def lapse(self) -> list[str]:
        """Take back the claims whose time is over; return their jobs."""
        with self.transaction():
            query = "SELECT id, token FROM jobs WHERE state = 'running' AND lease < ?"
            late = self._rows(query, self.clock())
            for job, token in late:
                self.lose(job, token, _crash("Its process was silent for too long, twice."))
            return [job for job, _ in late]

    def cancel(self, job: str) -> Job | None:
        """Cancel a job that has not ended; return it as it is then, None if there is none."""
        now = self.clock()
        with self.transaction() as database:
            update = (
                "UPDATE jobs SET state = 'cancelled', stage = 'cancelled', ended = ?, expires = ?, "
                "lease = NULL WHERE id = ? AND state IN ('queued', 'running')"
            )
            if database.execute(update, (now, now + self.keep, job)).rowcount:
                self._happened(job, state="cancelled", stage="cancelled")
            return self.job(job)

    def expire(self, job: str) -> Job | None:
        """Remove the result of a job that has ended; return it as it is then."""
        with self.transaction():
            found = self.job(job)
            if found is not None and found.state in ENDED:
                self._forget(job)
            return self.job(job)

    def _forget(self, job: str) -> None:
        with self.transaction() as database:
            change = "state = 'expired', expires = ?, wanted = '{}', problem = NULL"
            database.execute(f"UPDATE jobs SET {change} WHERE id = ?", (self.clock(), job))
            for table in ("results", "events", "keys"):
                database.execute(f"DELETE FROM {table} WHERE job = ?", (job,))

    def result(self, job: str, form: str) -> bytes | None:
        """Return the result of a job in a form; None if it has none in this form."""
        rows = self._rows("SELECT body FROM results WHERE job = ? AND form = ?", job, form)
        return zlib.decompress(rows[0][0]) if rows else None

    def forms(self, job: str) -> list[str]:
        """Return the forms that the result of a job has."""
        return [form for (form,) in self._rows("SELECT form FROM results WHERE job = ?", job)]

    def _happened(self, job: str, **data: Any) -> None:
        with self._lock:
            insert = "INSERT INTO events (job, at, data) VALUES (?, ?, ?)"
            self._database.execute(insert, (job, self.clock(), json.dumps(data)))

    def events(self, job: str, after: int = 0) -> list[Event]:
        """Return what happened to a job after an event."""
        query = "SELECT id, at, data FROM events WHERE job = ? AND id > ? ORDER BY id"
        return [Event(row[0], row[1], json.loads(row[2])) for row in self._rows(query, job, after)]

    def live(self) -> int:
        """Return how many jobs wait or are worked on."""
        return int(self._rows(f"SELECT count(*) FROM jobs WHERE state IN {LIVE}")[0][0])

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        return dict(self._rows("SELECT state, count(*) FROM jobs GROUP BY state"))

    def pace(self) -> tuple[float, float]:
        """Return what the latest jobs took: seconds each, and seconds a byte of their documents."""
        seconds, size, jobs = self._rows(
            "SELECT total(ended - started), total(size), count(*) FROM (SELECT ended, started, "
            "size FROM jobs JOIN documents ON documents.id = document WHERE state = 'done' ORDER "
            "BY number DESC LIMIT 32)"
        )[0]
        return (seconds / jobs, seconds / max(size, 1)) if jobs else (1.0, 2e-5)

    def sweep(self) -> int:
        """Remove what has had its time: results, documents that nobody uses, and old traces.

        Returns:
            How many results were removed.
        """
        now = self.clock()
        with self._lock:
            ended = f"state IN {ENDED} AND expires < ?"
            late = self._rows(f"SELECT id FROM jobs WHERE {ended}", now)
            for (job,) in late:
                self._forget(job)
            unused = self._rows(
                "SELECT id FROM documents WHERE used < ? AND id NOT IN (SELECT document FROM jobs "
                "WHERE state <> 'expired')",
                now - self.keep,
            )
            for (document,) in unused:
                self.delete_document(document)
            with suppress(sqlite3.OperationalError):
                forget = "DELETE FROM jobs WHERE state = 'expired' AND expires < ?"
                self._database.execute(forget, (now - _REMEMBERED * self.keep,))
            return len(late)


def _crash(detail: str) -> dict[str, Any]:
    return {"reason": "crash", "status": 422, "detail": detail}
