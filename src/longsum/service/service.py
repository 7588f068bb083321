"""A service as used by its routes: store, workers, settings, and the content of responses."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from longsum.common.errors import LongsumError
from longsum.service.errors import Problem, ServiceError
from longsum.service.jobs import Wanted, ready_systems
from longsum.service.metrics import Metrics
from longsum.service.records import Job, JobFacts, StoredDocument, Upload
from longsum.service.service_settings import Settings
from longsum.service.store import Store
from longsum.service.workers import Supervisor

_MOST_PAUSE = 120
Form = Literal["json", "text", "markdown", "html"]
MEDIA_TYPES: dict[str, str] = {
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


class JobView(JobFacts):
    """A job: its request and its progress."""

    wanted: Annotated[dict[str, Any], Field(description="The fields of the request.")]
    ahead: Annotated[int | None, Field(description="Number of jobs ahead of it, if it waits.")]
    seconds_left: Annotated[
        float | None, Field(description="An estimate from the pace of the latest jobs.")
    ]
    forms: Annotated[list[str], Field(description="Forms of the result: json, text, …")]
    problem: Annotated[Problem | None, Field(description="Why it failed.")]


class Answer(BaseModel):
    """A job, and its result if that was made in time."""

    job: JobView
    result: dict[str, Any] | None


class DocumentView(BaseModel):
    """A document that the service keeps."""

    id: Annotated[str, Field(description="A hash of its content and its kind of file.")]
    name: str
    size: Annotated[int, Field(description="Bytes.")]
    created: datetime
    used: Annotated[datetime, Field(description="When it was last used.")]
    about: Annotated[
        dict[str, Any] | None,
        Field(description="Title, language, words, pages and more; null until it was read."),
    ]
    members: Annotated[
        list[str], Field(description="The ids of the documents that it consists of, if several.")
    ]


class DocumentList(BaseModel):
    """Documents, the latest first, and where the next page begins."""

    documents: list[DocumentView]
    before: Annotated[
        float | None, Field(description="What to ask for the next page with; null on the last.")
    ]


class JobList(BaseModel):
    """Jobs, the latest first."""

    jobs: list[JobView]


@dataclass(frozen=True)
class Service:
    """The operations behind the routes."""

    settings: Settings
    store: Store
    workers: Supervisor
    metrics: Metrics

    @property
    def most(self) -> int:
        """Maximum number of unfinished jobs."""
        return self.settings.queue + self.settings.workers

    def submit(self, document: str | Upload, wanted: Wanted, key: str = "") -> Job:
        """Accept a job, or return that of an earlier identical request.

        Raises:
            ServiceError: Too many wait already, the key came with another request, or there is no
                room for the document.
            LongsumError: What it names is not configured, or the document is gone.
        """
        wanted.check(self.settings)
        identity = document if isinstance(document, str) else document.id
        several = self.store.members(identity) if isinstance(document, str) else document.members
        if several and wanted.kind == "table":
            raise LongsumError("A report is made from one table; send only one.")
        hash_ = wanted.hash_with(identity, self.settings)
        job, new = self.store.submit(document, wanted.stated(), hash_, most=self.most, key=key)
        if new:
            self.workers.ring()
        return job

    def refuses(self, error: ServiceError) -> None:
        """Count a refusal for lack of capacity, and add when to try again."""
        if error.status in (429, 507):
            self.metrics.refused.labels(error.reason).inc()
        if error.status == 429:
            error.headers["retry-after"] = str(self.pause())

    def pause(self) -> int:
        """Estimate the seconds until a place in the queue is free."""
        each, _ = self.store.pace()
        return min(max(1, math.ceil(each / self.settings.workers)), _MOST_PAUSE)

    def seconds_left(self, job: Job, ahead: int | None) -> float | None:
        """Estimate the remaining seconds of a job from recent ones; None once it has ended."""
        if job.state not in ("queued", "running"):
            return None
        each, a_byte = self.store.pace()
        own = max(sum(a_byte * each.size for each in self.store.stored(job.document)), 0.5)
        if job.state == "running":
            passed = self.store.clock() - (job.started or job.created).timestamp()
            if job.total and job.done:
                return round(passed * (job.total - job.done) / job.done, 1)
            return round(max(own - passed, 0.5), 1)
        return round(own + each * (ahead or 0) / self.settings.workers, 1)

    def limits(self) -> Mapping[str, Any]:
        """Return the limits on requests and the names that they may use."""
        own = ("queue", "wait", "seconds", "keep", "storage", "workers", "connections")
        return {
            **{name: getattr(self.settings, name) for name in own},
            "read": asdict(self.settings.limits),
            "systems": list(ready_systems()),
            "writers": sorted(self.settings.writers),
        }

    def job_view(self, job: Job) -> JobView:
        """Return a job in the form of responses."""
        ahead = self.store.ahead(job) if job.state == "queued" else None
        told = {
            "wanted": json.loads(job.wanted),
            "ahead": ahead,
            "seconds_left": self.seconds_left(job, ahead),
            "forms": [form for form in self.store.forms(job.id) if form in MEDIA_TYPES],
            "problem": None if job.problem is None else failed(job).as_problem(),
        }
        return JobView.model_validate(job.model_dump() | told)

    def document_view(self, document: StoredDocument) -> DocumentView:
        """Return a document in the form of responses."""
        told = {"about": document.facts or None, "members": self.store.members(document.id)}
        return DocumentView.model_validate(asdict(document) | told)


def failed(job: Job) -> ServiceError:
    """Return why a job failed."""
    return ServiceError(**json.loads(job.problem or ""), job=job.id)
