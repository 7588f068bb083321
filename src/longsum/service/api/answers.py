"""What answers hold: jobs, documents, limits, in the words of OpenAPI."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from longsum.service.errors import Problem, ServiceError
from longsum.service.records import Job, JobFacts, StoredDocument
from longsum.service.service import Service

Form = Literal["json", "text", "markdown", "html"]
MEDIA_TYPES: dict[str, str] = {
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


class JobView(JobFacts):
    """A job: what was asked for, and how far it is."""

    wanted: Annotated[dict[str, Any], Field(description="The fields of the request.")]
    ahead: Annotated[int | None, Field(description="Jobs that are done before it, if it waits.")]
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
    used: Annotated[datetime, Field(description="When it was used last.")]
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
        float | None, Field(description="What to ask for the next page with; null at the end.")
    ]


class JobList(BaseModel):
    """Jobs, the latest first."""

    jobs: list[JobView]


def job_view(job: Job, service: Service) -> JobView:
    """Return a job as answers have it."""
    ahead = service.store.ahead(job) if job.state == "queued" else None
    return JobView.model_validate(
        job.model_dump()
        | {
            "wanted": json.loads(job.wanted),
            "ahead": ahead,
            "seconds_left": service.seconds_left(job, ahead),
            "forms": [form for form in service.store.forms(job.id) if form in MEDIA_TYPES],
            "problem": None if job.problem is None else failed(job).told(),
        }
    )


def failed(job: Job) -> ServiceError:
    """Return why a job failed."""
    return ServiceError(**json.loads(job.problem or ""), job=job.id)


def document_view(document: StoredDocument, service: Service) -> DocumentView:
    """Return a document as answers have it."""
    told = {"about": document.facts or None, "members": service.store.members(document.id)}
    return DocumentView.model_validate(asdict(document) | told)
