"""The folder of a service: its documents, and its jobs with their progress and results.

service.lock        locked by the server that uses the folder
service.sqlite      everything except the documents' bytes
documents/ID/       `original`, the uploaded bytes, and `read.json`, as by `longsum read`

A job is claimed for a limited time (its lease), with a token that grows with every claim. Every
report on a job names the token: once the job has been reassigned, cancelled or expired, reports of
the former worker are ignored. So every job ends exactly once, no matter what is killed when.
"""

import json
import math
import secrets
import shutil
import sqlite3
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.shared_files import locked
from longsum.common.wording import quote
from longsum.service.errors import ServiceError, unknown
from longsum.service.records import SCHEMA, Job, State, StoredDocument, Upload, failure

LIVE: tuple[State, ...] = ("queued", "running")
ENDED: tuple[State, ...] = ("done", "failed", "cancelled")
LEASE = 30.0
"""Seconds for which a claim is valid unless renewed."""
ATTEMPTS = 2
"""Number of workers that may die on a job before it is given up."""
CLAIMS = 10
"""Number of times that a job may be started in total, including server restarts."""
_HELD = "id = ? AND token = ? AND state = 'running'"
_REMEMBERED = 4
"""Multiple of their lifetime for which expired jobs are remembered."""


class Store:
    """The folder of a service, used by one server at a time; thread-safe.

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
        # Workers of an earlier server no longer hold their jobs.
        with self.transaction():
            for job in self._jobs("state = 'running'"):
                self.release(job.id, job.token)

    def close(self) -> None:
        """Close the database, and release the folder to other servers."""
        with self._lock:
            self._held.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the database exclusively; changes apply completely or not at all."""
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
        """Create the tables of another part of the service, if they do not exist."""
        with self._lock:
            self._database.executescript(schema)

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        with self._lock:
            return self._database.execute(query, values).fetchall()

    def change(self, change: str, *values: Any) -> bool:
        """Execute a change; return whether it affected anything."""
        with self._lock:
            return self._database.execute(change, values).rowcount > 0

    def place(self, document: str) -> Path:
        """Return the folder of a document; its id comes from `add`."""
        return self.folder / "documents" / document

    def add(self, upload: Upload) -> None:
        """Store a document unless it exists already; its file is moved.

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
                        "The documents have used up the space they may take; delete some, or try "
                        "later.",
                    )
                self.place(upload.id).mkdir(0o700, exist_ok=True)
                if upload.path is not None:
                    upload.path.replace(self.place(upload.id) / "original")
                now = self.clock()
                insert = "INSERT INTO documents VALUES (?, ?, ?, ?, ?, NULL)"
                self.change(insert, upload.id, upload.name, upload.size, now, now)
                members = [(upload.id, *each) for each in enumerate(upload.members)]
                database.executemany("INSERT INTO members VALUES (?, ?, ?)", members)
            self._use(upload.id)

    def _use(self, *documents: str) -> None:
        for document in documents:
            self.change("UPDATE documents SET used = ? WHERE id = ?", self.clock(), document)

    def stored(self, *identities: str) -> list[StoredDocument]:
        """Return those of the given documents that exist."""
        query = "SELECT * FROM documents WHERE id = ?"
        return [StoredDocument(**row) for each in identities for row in self.rows(query, each)]

    def document(self, document: str) -> StoredDocument:
        """Return a document by its id; if there is none, the error is for the client."""
        for found in self.stored(document):
            return found
        raise unknown("There is no document with this id; send the document again.")

    def members(self, dossier: str) -> list[str]:
        """Return the ids of a document's members; none if it is a single document."""
        query = "SELECT document FROM members WHERE dossier = ? ORDER BY place"
        return [document for (document,) in self.rows(query, dossier)]

    def documents(self, *, before: float | None = None, most: int = 50) -> list[StoredDocument]:
        """Return documents, the latest first; `before` is the time at which the last page ended."""
        end = math.inf if before is None else before
        query = "SELECT * FROM documents WHERE created < ? ORDER BY created DESC LIMIT ?"
        return [StoredDocument(**row) for row in self.rows(query, end, most)]

    def tell_about(self, document: str, about: Mapping[str, Any]) -> None:
        """Store the facts about a document once it was read."""
        facts = json.dumps(about, ensure_ascii=False)
        self.change("UPDATE documents SET about = ? WHERE id = ?", facts, document)

    def submit(
        self,
        document: str | Upload,
        wanted: Mapping[str, Any],
        hash_: str,
        *,
        most: int,
        key: str = "",
    ) -> tuple[Job, bool]:
        """Accept a job, or return that of an earlier identical request; and whether it is new.

        A document that came with the request is stored together with the job, or not at all.
        Requests with the same result have the same hash; at most `most` jobs may be unfinished. The
        key is the client's own name for the request; the same key returns the same job, whatever
        its outcome.

        Raises:
            ServiceError: There are so many already, the key came with another request, or there is
                no room for the document.
            LongsumError: The document is gone.
        """
        identity = document if isinstance(document, str) else document.id
        with self.transaction():
            if found := self._same(hash_, key):
                self._use(identity)
                return found, False
            if (live := self.count(*LIVE)) >= most:
                said = f"The queue is full: {live} jobs are not done; try again later."
                raise ServiceError(429, "queue-full", said)
            if isinstance(document, Upload):
                self.add(document)
            elif not self.stored(identity):
                raise LongsumError("The document was deleted in the meantime; send it again.")
            self._use(identity, *self.members(identity))
            job = secrets.token_urlsafe(16)
            self.change(
                "INSERT INTO jobs (id, document, wanted, hash, state, created) "
                "VALUES (?, ?, ?, ?, 'queued', ?)",
                *(job, identity, json.dumps(wanted, sort_keys=True), hash_, self.clock()),
            )
            if key:
                self.change("INSERT OR REPLACE INTO keys VALUES (?, ?, ?)", key, job, hash_)
            return self.job(job), True

    def _same(self, hash_: str, key: str) -> Job | None:
        for job, stated in self.rows("SELECT job, hash FROM keys WHERE key = ?", key):
            if stated != hash_:
                said = "This idempotency key was used for another request; use a new one."
                raise LongsumError(said)
            return self.job(job)
        same = "hash = ? AND state IN ('queued', 'running', 'done') AND coalesce(expires, ?) > ?"
        now = self.clock()
        return next(iter(self._jobs(same, hash_, now + 1, now)), None)

    def _jobs(self, which: str, *values: Any) -> list[Job]:
        query = f"SELECT * FROM jobs WHERE {which} ORDER BY number DESC"
        return [Job(**row) for row in self.rows(query, *values)]

    def job(self, job: str) -> Job:
        """Return a job by its id; if there is none any more, the error is for the client."""
        for found in self._jobs("id = ?", job):
            return found
        raise unknown("There is no job with this id; check it.")

    def jobs(self, document: str) -> list[Job]:
        """Return the jobs of a document, the latest first."""
        return self._jobs("document = ?", document)

    def ahead(self, job: Job) -> int:
        """Return the number of jobs ahead of a waiting one."""
        query = "SELECT count(*) FROM jobs WHERE state = 'queued' AND number < ?"
        return int(self.rows(query, job.number)[0][0])

    def claim(self) -> Job | None:
        """Claim the job that has waited longest, for `LEASE` seconds; None if none is waiting."""
        now = self.clock()
        rows = self.rows(
            "UPDATE jobs SET state = 'running', token = token + 1, started = ?, lease = ?, "
            "stage = 'starting', done = 0, total = 0 WHERE number = (SELECT number FROM jobs "
            "WHERE state = 'queued' ORDER BY number LIMIT 1) RETURNING *",
            *(now, now + LEASE),
        )
        return Job(**rows[0]) if rows else None

    def holds(self, job: str, token: int) -> bool:
        """Return whether a claim is still valid."""
        return bool(self._jobs(_HELD, job, token))

    def progress(self, job: str, token: int, stage: str, done: int = 0, total: int = 0) -> bool:
        """Record a job's stage, and renew its claim; return whether the claim was valid."""
        change = f"UPDATE jobs SET stage = ?, done = ?, total = ?, lease = ? WHERE {_HELD}"
        return self.change(change, stage, done, total, self.clock() + LEASE, job, token)

    def finish(self, job: str, token: int, forms: Mapping[str, bytes]) -> bool:
        """End a job with its result in each of its forms; return whether the claim was valid."""
        with self.transaction() as database:
            if held := self._end("done", None, _HELD, job, token):
                rows = [(job, form, zlib.compress(body, 6)) for form, body in forms.items()]
                database.executemany("INSERT INTO results VALUES (?, ?, ?)", rows)
            return held

    def fail(self, job: str, token: int, problem: Mapping[str, Any]) -> bool:
        """End a job that failed; return whether the claim was valid."""
        return self._end("failed", problem, _HELD, job, token)

    def _end(
        self, state: State, problem: Mapping[str, Any] | None, which: str, *values: Any
    ) -> bool:
        now, told = self.clock(), json.dumps(problem) if problem else None
        change = "state = ?, stage = ?, ended = ?, expires = ?, problem = ?, lease = NULL"
        update = f"UPDATE jobs SET {change} WHERE {which}"
        return self.change(update, state, state, now, now + self.keep, told, *values)

    def lose(self, job: str, token: int, problem: Mapping[str, Any]) -> bool:
        """Record that a job's worker died: it is retried, or fails; return as `fail`."""
        with self.transaction():
            if not self.change(f"UPDATE jobs SET deaths = deaths + 1 WHERE {_HELD}", job, token):
                return False
            if self.job(job).deaths < ATTEMPTS:
                return self.release(job, token)
            return self.fail(job, token, problem)

    def release(self, job: str, token: int) -> bool:
        """Put a job back in the queue, since its worker ended through no fault of the job."""
        if token >= CLAIMS:
            said = f"It was started {token} times and never finished; send it again."
            return self.fail(job, token, failure("crash", said))
        change = f"UPDATE jobs SET state = 'queued', stage = 'queued', lease = NULL WHERE {_HELD}"
        return self.change(change, job, token)

    def lapse(self) -> list[str]:
        """Revoke expired claims; return their jobs."""
        with self.transaction():
            late = self._jobs("state = 'running' AND lease < ?", self.clock())
            problem = failure("crash", "Its process was silent for too long, twice.")
            return [job.id for job in late if self.lose(job.id, job.token, problem)]

    def cancel(self, job: str) -> None:
        """Cancel a job, if it has not ended."""
        self._end("cancelled", None, f"id = ? AND state IN {LIVE}", job)

    def expire(self, job: str) -> None:
        """Remove the result of a job, if it has ended."""
        self._forget(f"id = ? AND state IN {ENDED}", job)

    def _forget(self, which: str, *values: Any) -> None:
        change = "state = 'expired', expires = ?, wanted = '{}', problem = NULL"
        self.change(f"UPDATE jobs SET {change} WHERE {which}", self.clock(), *values)

    def result(self, job: str, form: str) -> bytes | None:
        """Return the result of a job in a given form; None if there is none."""
        rows = self.rows("SELECT body FROM results WHERE job = ? AND form = ?", job, form)
        return zlib.decompress(rows[0][0]) if rows else None

    def forms(self, job: str) -> list[str]:
        """Return the forms that the result of a job has."""
        return [form for (form,) in self.rows("SELECT form FROM results WHERE job = ?", job)]

    def events(self, job: str, after: int = 0) -> list[tuple[int, dict[str, Any]]]:
        """Return a job's events after a given one, with ids that grow across all jobs."""
        query = "SELECT id, data FROM events WHERE job = ? AND id > ? ORDER BY id"
        # Clients may give a larger number than SQLite can hold.
        found = self.rows(query, job, min(after, sys.maxsize))
        return [(each, json.loads(data)) for each, data in found]

    def count(self, *states: State) -> int:
        """Return the number of jobs in these states."""
        query = "SELECT count(*) FROM jobs WHERE state IN (SELECT value FROM json_each(?))"
        return int(self.rows(query, json.dumps(states))[0][0])

    def pace(self) -> tuple[float, float]:
        """Return the pace of recent jobs: seconds each, and seconds per byte of document."""
        seconds, size, jobs = self.rows(
            "SELECT total(ended - started), total(size), count(*) FROM (SELECT ended, started, "
            "size FROM jobs JOIN documents ON documents.id = document WHERE state = 'done' ORDER "
            "BY number DESC LIMIT 32)"
        )[0]
        return (seconds / jobs, seconds / max(size, 1)) if jobs else (1.0, 2e-5)

    def delete_document(self, identity: str) -> None:
        """Remove a document with its jobs and results."""
        with self._lock:
            with self.transaction():
                self._forget("document = ?", identity)
                self.change("DELETE FROM documents WHERE id = ?", identity)
            # If killed before this, the next server removes the folder.
            shutil.rmtree(self.place(identity), ignore_errors=True)

    def sweep(self) -> int:
        """Remove expired results, documents and traces; return the number of results."""
        now = self.clock()
        ended = f"state IN {ENDED} AND expires < ?"
        with self.transaction():
            late = len(self._jobs(ended, now))
            self._forget(ended, now)
        unused = self.rows(
            "SELECT id FROM documents WHERE used < ? AND id NOT IN (SELECT document FROM jobs "
            "WHERE state <> 'expired') AND id NOT IN (SELECT document FROM members)",
            now - self.keep,
        )
        for (document,) in unused:
            self.delete_document(document)
        forget = "DELETE FROM jobs WHERE state = 'expired' AND expires < ?"
        self.change(forget, now - _REMEMBERED * self.keep)
        return late
