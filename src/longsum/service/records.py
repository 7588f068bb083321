"""What the database of a service holds: documents, jobs, what happened to them, and results."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

State = Literal["queued", "running", "done", "failed", "cancelled", "expired"]
SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, created REAL NOT NULL,
    used REAL NOT NULL, about TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS members (
    dossier TEXT NOT NULL, place INTEGER NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (dossier, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, document TEXT NOT NULL,
    wanted TEXT NOT NULL, hash TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL,
    started REAL, ended REAL, expires REAL, token INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0, lease REAL, stage TEXT NOT NULL DEFAULT 'queued',
    done INTEGER NOT NULL DEFAULT 0, total INTEGER NOT NULL DEFAULT 0, problem TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, number);
CREATE INDEX IF NOT EXISTS jobs_by_hash ON jobs (hash);
CREATE INDEX IF NOT EXISTS jobs_by_document ON jobs (document);
CREATE TABLE IF NOT EXISTS keys (
    key TEXT PRIMARY KEY, job TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, at REAL NOT NULL, data TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_job ON events (job, id);
CREATE TABLE IF NOT EXISTS results (
    job TEXT NOT NULL, form TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (job, form)
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document: its id, the name it came with, its size, and what is known once it was read."""

    id: str
    name: str
    size: int
    created: float
    used: float
    about: str | None

    @property
    def facts(self) -> dict[str, Any]:
        """Its title, language, words and more; nothing before it was read."""
        return json.loads(self.about) if self.about else {}


@dataclass(frozen=True, slots=True)
class Upload:
    """A document that is not stored yet: bytes that came, or several documents as one.

    Attributes:
        id: What its document is called once it is stored.
        name: The name it came with.
        size: Its bytes.
        path: The file that has them, which storing takes away; None of several documents.
        members: The ids of those.
    """

    id: str
    name: str
    size: int = 0
    path: Path | None = None
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A job as the database has it; times are seconds since 1970.

    Attributes:
        number: Its place in the order of all jobs.
        id: What requests call it.
        document: The id of its document.
        wanted: The request, as JSON.
        hash: The same for requests with the same result.
        state: Where it stands.
        created: When it was accepted.
        started: When it was claimed last.
        ended: When it ended.
        expires: When its result is removed.
        token: Which claim holds it.
        deaths: How many workers ended at it.
        lease: Until when the claim holds.
        stage: What is being done.
        done: How much of that is done.
        total: How much there is to do; 0 where nobody knows.
        problem: Why it failed, as JSON.
    """

    number: int
    id: str
    document: str
    wanted: str
    hash: str
    state: State
    created: float
    started: float | None
    ended: float | None
    expires: float | None
    token: int
    deaths: int
    lease: float | None
    stage: str
    done: int
    total: int
    problem: str | None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a job: ids grow, over all jobs and restarts."""

    id: int
    at: float
    data: dict[str, Any]


JOB_COLUMNS = ", ".join(field.name for field in fields(Job))
DOCUMENT_COLUMNS = ", ".join(field.name for field in fields(StoredDocument))
