"""The content of a service's database: documents, jobs, events and results."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

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
CREATE TRIGGER IF NOT EXISTS job_came AFTER INSERT ON jobs BEGIN
    INSERT INTO events (job, at, data)
    VALUES (new.id, new.created, json_object('state', new.state, 'stage', new.stage));
END;
CREATE TRIGGER IF NOT EXISTS job_went_on AFTER UPDATE OF stage ON jobs BEGIN
    INSERT INTO events (job, at, data)
    VALUES (new.id, (julianday('now') - 2440587.5) * 86400, json_object(
        'state', new.state, 'stage', new.stage, 'done', new.done, 'total', new.total));
END;
CREATE TRIGGER IF NOT EXISTS job_expired AFTER UPDATE OF state ON jobs WHEN new.state = 'expired'
BEGIN
    DELETE FROM results WHERE job = new.id;
    DELETE FROM events WHERE job = new.id;
    DELETE FROM keys WHERE job = new.id;
END;
CREATE TRIGGER IF NOT EXISTS document_went AFTER DELETE ON documents BEGIN
    DELETE FROM members WHERE dossier = old.id;
END;
"""
"""Tables and triggers: a new stage of a job creates an event."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document: its id, original name and size, and the facts known once it was read."""

    id: str
    name: str
    size: int
    created: float
    used: float
    about: str | None

    @property
    def facts(self) -> dict[str, Any]:
        """Its title, language, words and more; empty before it was read."""
        return json.loads(self.about) if self.about else {}


@dataclass(frozen=True, slots=True)
class Upload:
    """A document that is not stored yet: a file, which is moved when stored, or several as one.

    Several documents have ids instead of a path.
    """

    id: str
    name: str
    size: int = 0
    path: Path | None = None
    members: tuple[str, ...] = ()


class JobFacts(BaseModel):
    """The public record of a job; times are seconds since 1970."""

    id: str
    state: State
    document: Annotated[str, Field(description="The id of its document.")]
    created: datetime
    started: datetime | None
    ended: datetime | None
    expires: Annotated[datetime | None, Field(description="When its result will be removed.")]
    stage: Annotated[str, Field(description="What is being done.")]
    done: Annotated[int, Field(description="How much of the stage is done.")]
    total: Annotated[int, Field(description="How much there is to do; 0 if it is not known.")]


class Job(JobFacts):
    """The full record of a job.

    Attributes:
        number: Its place in the order of all jobs.
        wanted: The request, as JSON.
        token: The claim that holds it.
        deaths: Number of workers that died on it.
        problem: Why it failed, as JSON.
    """

    number: int
    wanted: str
    token: int
    deaths: int
    problem: str | None


def failure(reason: str, detail: str) -> dict[str, Any]:
    """Return the reason for a job's failure, in the form of the database and `ServiceError`."""
    return {"reason": reason, "status": 422, "detail": detail}
