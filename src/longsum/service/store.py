"""The jobs of a service, their progress and their results.

A job is claimed with a token that grows with every claim, and for a time (its lease). Whoever tells
anything of a job names the token: once the job is another's, cancelled or expired, nothing that the
former worker says counts. So every job ends once, whatever is killed at whatever point.
"""

import json
import secrets
import shutil
import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from longsum.common.errors import LongsumError
from longsum.service.errors import ServiceError, failure
from longsum.service.folder import ServiceFolder
from longsum.service.records import JOB_COLUMNS, Event, Job, State, Upload

LIVE, ENDED = ("queued", "running"), ("done", "failed", "cancelled")
LEASE = 30.0
"""Seconds for which a claim holds unless it is renewed."""
ATTEMPTS = 2
"""Times that a worker may end at a job before it is given up."""
CLAIMS = 10
"""Times that a job may be begun in all, restarts of the server included."""
_REMEMBERED = 4
"""Times their lifetime that expired jobs are known to have been."""


class Store(ServiceFolder):
    """The folder of a service with the jobs that are done in it."""

    def _open(self) -> None:
        super()._open()
        # Whoever worked for a server before this one has nothing to say any more.
        with self.transaction() as database:
            running = "SELECT id, token FROM jobs WHERE state = 'running'"
            for job, token in database.execute(running).fetchall():
                self._requeue(job, token)

    def submit(
        self,
        document: str | Upload,
        wanted: Mapping[str, Any],
        hash_: str,
        *,
        most: int,
        key: str = "",
    ) -> tuple[Job, bool]:
        """Accept a job, or return the one that the same request made before.

        A document that came with the request is stored with the job, or not at all.

        Args:
            document: The document, or the id of one that is stored.
            wanted: The request.
            hash_: The same for requests with the same result.
            most: How many jobs may wait or be worked on.
            key: The client's own name for the request; the same one returns the same job whatever
                became of it.

        Returns:
            The job, and whether it is new.

        Raises:
            ServiceError: There are so many already, the key came with another request, or there is
                no room for the document.
            LongsumError: The document is gone.
        """
        identity = document if isinstance(document, str) else document.id
        with self.transaction() as database:
            if found := self._same(hash_, key):
                self._use(identity)
                return found, False
            if (live := self.live()) >= most:
                said = f"{live} jobs are not done, and no more may; try again later."
                raise ServiceError(429, "queue-full", said)
            if isinstance(document, Upload):
                self.add(document)
            elif self.document(identity) is None:
                raise LongsumError("The document was deleted meanwhile; send it again.")
            for each in (identity, *self.members(identity)):
                self._use(each)
            job = secrets.token_urlsafe(16)
            database.execute(
                "INSERT INTO jobs (id, document, wanted, hash, state, created) "
                "VALUES (?, ?, ?, ?, 'queued', ?)",
                (job, identity, json.dumps(wanted, sort_keys=True), hash_, self.clock()),
            )
            if key:
                database.execute("INSERT OR REPLACE INTO keys VALUES (?, ?, ?)", (key, job, hash_))
            self._happened(job, state="queued", stage="queued")
            return self.known(job), True

    def _same(self, hash_: str, key: str) -> Job | None:
        if key:
            for job, stated in self._rows("SELECT job, hash FROM keys WHERE key = ?", key):
                if stated != hash_:
                    said = "This idempotency key came with another request; use a new one."
                    raise ServiceError(422, "bad-request", said)
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
            return self._end(job, token, "failed", json.dumps(failure("crash", detail)))
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
                self.lose(
                    job, token, failure("crash", "Its process was silent for too long, twice.")
                )
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

    def delete_document(self, identity: str) -> bool:
        """Remove a document with its jobs and results; return whether there was one."""
        with self._lock:
            for (job,) in self._rows("SELECT id FROM jobs WHERE document = ?", identity):
                self.cancel(job)
                self._forget(job)
            with self.transaction() as database:
                delete = "DELETE FROM documents WHERE id = ?"
                found = database.execute(delete, (identity,)).rowcount > 0
                database.execute("DELETE FROM members WHERE dossier = ?", (identity,))
            if found:
                shutil.rmtree(self.place(identity), ignore_errors=True)
            return found

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
                "WHERE state <> 'expired') AND id NOT IN (SELECT document FROM members)",
                now - self.keep,
            )
            for (document,) in unused:
                self.delete_document(document)
            with suppress(sqlite3.OperationalError):
                forget = "DELETE FROM jobs WHERE state = 'expired' AND expires < ?"
                self._database.execute(forget, (now - _REMEMBERED * self.keep,))
            return len(late)
