"""The routes for programs: summaries, jobs and documents."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from longsum.common.errors import LongsumError
from longsum.documents.document_json import document_from_json, document_to_json
from longsum.dossiers.gathering import gather
from longsum.service.api.admission import FORM, JSON, DocumentRequest, SummaryRequest, sent
from longsum.service.errors import ServiceError, problems, unknown
from longsum.service.records import Job, StoredDocument
from longsum.service.service import (
    MEDIA_TYPES,
    Answer,
    DocumentList,
    DocumentView,
    Form,
    JobList,
    JobView,
    Service,
    failed,
)
from longsum.service.store import LIVE

_GLANCES = (0.02, 0.25)
"""Seconds between two checks of a job: initially, and at most."""
_AGAIN = 1.0
"""Seconds between two reports of the place in the queue."""
_IN_PAGE = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data:"
Key = Annotated[
    str,
    Header(
        max_length=200, description="The same key returns the same job, even after it has ended."
    ),
]


def _body(schema: type[Any], *, file: bool) -> dict[str, Any]:
    """Return the OpenAPI description of a body: JSON, or a form with a file and the same fields."""
    stated = schema.model_json_schema(ref_template="#/components/schemas/{model}")
    fields = {name: field for name, field in stated["properties"].items() if name != "text"}
    upload = {"type": "string", "format": "binary", "description": "The document's file."}
    form = {
        "type": "object",
        "title": f"{schema.__name__}Form",
        "properties": {"file": upload, **fields},
        "additionalProperties": False,
        **({"required": ["file"]} if file else {}),
    }
    content = {FORM: {"schema": form}, JSON: {"schema": stated}}
    return {"requestBody": {"required": True, "content": content}}


def router(service: Service) -> APIRouter:
    """Return the routes of a service."""
    routes = APIRouter(prefix="/v1")

    @routes.post(
        "/summaries",
        tags=["summaries"],
        response_model=Answer,
        responses=problems(408, 413, 415, 422, 429, 507)
        | {202: {"model": Answer, "description": "Not done yet: the job continues."}},
        openapi_extra=_body(SummaryRequest, file=False),
    )
    async def summarize(
        request: Request,
        wait: Annotated[
            float | None,
            Query(ge=0, description="Seconds to wait for the summary; 0 for none."),
        ] = None,
        idempotency_key: Key = "",
    ) -> Response:
        """Summarize a document, which comes as a file, as text, or by the id of one sent before.

        The same document and options return the same job. A result that is ready within the waiting
        time is returned (200); otherwise the job is returned (202) and continues.
        """
        async with sent(request, service) as came:
            job = await asyncio.to_thread(came.submitted, service, idempotency_key)
        most = service.settings.wait
        return await _answer(service, job, most if wait is None else min(wait, most))

    routes.include_router(_jobs(service))
    routes.include_router(_documents(service))
    return routes


def _jobs(service: Service) -> APIRouter:
    routes = APIRouter(prefix="/jobs/{job}", tags=["jobs"], responses=problems(404))
    store = service.store
    one = Annotated[Job, Depends(store.job)]

    @routes.get("")
    def get_job(job: one) -> JobView:
        """Return the progress of a job."""
        return service.job_view(job)

    @routes.delete("")
    def delete_job(job: one) -> JobView:
        """Cancel a job that has not ended, or remove the result of one that has."""
        (store.cancel if job.state in LIVE else store.expire)(job.id)
        service.workers.ring()
        return service.job_view(store.job(job.id))

    @routes.get(
        "/result",
        responses=problems(409, 410, 422)
        | {200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}}},
        response_class=Response,
    )
    def get_result(job: one, form: Form = "json") -> Response:
        """Return the result of a job, in one of the forms that it has."""
        if job.state in LIVE:
            detail = f"The job is {job.state}; ask again."
            pause = _pause(service.job_view(job))
            raise ServiceError(409, "not-ready", detail, job=job.id, headers=pause)
        if job.state != "done":
            raise _ended(job)
        body = store.result(job.id, form)
        if body is None:
            raise unknown(
                f"This result has no form {form!r}, only {', '.join(store.forms(job.id))}; the "
                "page of a summary is made if lengths=true.",
            )
        headers = {"content-security-policy": _IN_PAGE} if form == "html" else None
        return Response(body, media_type=MEDIA_TYPES[form], headers=headers)

    @routes.get("/events", response_class=EventSourceResponse)
    async def follow_job(
        request: Request, job: one, last_event_id: Annotated[str, Header(max_length=18)] = ""
    ) -> AsyncIterator[ServerSentEvent]:
        """Follow a job by server-sent events, from the one after `Last-Event-ID` to its end.

        Each is of the kind `progress`, with the current job as its data and an increasing id. While
        a job waits, events with its place in the queue have no id.
        """
        after = int(last_event_id) if last_event_id.isdecimal() else 0
        reported, glance = 0.0, _GLANCES[0]
        while not await request.is_disconnected():
            found, events = await asyncio.to_thread(_since, service, job.id, after)
            view = service.job_view(found).model_dump(mode="json")
            for after, data in events:
                reported = time.monotonic()
                yield ServerSentEvent(data=view | data, event="progress", id=str(after))
            if found.state not in LIVE:
                return
            if found.state == "queued" and time.monotonic() - reported > _AGAIN:
                reported = time.monotonic()
                yield ServerSentEvent(data=view, event="progress")
            glance = _GLANCES[0] if events else min(2 * glance, _GLANCES[1])
            await asyncio.sleep(glance)

    return routes


def _documents(service: Service) -> APIRouter:
    routes = APIRouter(prefix="/documents", tags=["documents"], responses=problems())
    store = service.store
    one = Annotated[StoredDocument, Depends(store.document)]

    @routes.post(
        "",
        status_code=201,
        responses=problems(408, 413, 415, 422, 507),
        openapi_extra=_body(DocumentRequest, file=True),
    )
    async def send_document(request: Request) -> DocumentView:
        """Keep a document, so that summaries of it need only its id."""
        async with sent(request, service) as came:
            if fields := sorted(came.fields):
                raise LongsumError(f"There is no field {fields[0][:40]!r} here; leave it out.")
            if came.upload is None:
                raise LongsumError("Send a document: a file, or a text.")
            await asyncio.to_thread(store.add, came.upload)
        return service.document_view(store.document(came.upload.id))

    @routes.get("")
    def list_documents(
        most: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[
            float | None, Query(description="The `before` of the previous page.")
        ] = None,
    ) -> DocumentList:
        """List documents, the latest first."""
        found = store.documents(before=before, most=most)
        following = found[-1].created if len(found) == most else None
        views = [service.document_view(each) for each in found]
        return DocumentList(documents=views, before=following)

    @routes.get("/{document}", responses=problems(404))
    def get_document(document: one) -> DocumentView:
        """Return what is known about a document."""
        return service.document_view(document)

    @routes.get("/{document}/jobs", responses=problems(404))
    def list_jobs(document: one) -> JobList:
        """List the jobs of a document, the latest first."""
        jobs = [service.job_view(job) for job in store.jobs(document.id)]
        return JobList(jobs=jobs)

    @routes.get(
        "/{document}/content",
        response_class=FileResponse,
        responses=problems(404, 409) | {200: {"content": {JSON: {}}}},
    )
    def get_content(document: one) -> Response:
        """Return a document as `longsum read` writes it: text, sections, sentences, pages."""
        members = store.members(document.id)
        paths = [
            store.place(each.id) / "read.json" for each in store.stored(*members or [document.id])
        ]
        if not paths or not all(path.is_file() for path in paths):
            detail = "The document has not been read yet; ask for a summary of it first."
            raise ServiceError(409, "not-ready", detail)
        if not members:
            return FileResponse(paths[0], media_type=JSON)
        whole = gather([json.loads(path.read_bytes()) for path in paths], document_from_json)
        return JSONResponse(document_to_json(whole.document))

    @routes.delete("/{document}", status_code=204, responses=problems(404))
    def delete_document(document: one) -> None:
        """Remove a document, its jobs and their results."""
        store.delete_document(document.id)
        service.workers.ring()

    return routes


def _since(service: Service, job: str, after: int) -> tuple[Job, list[tuple[int, Any]]]:
    """Return a job and its events after a given one, as of the same moment."""
    with service.store.transaction():
        return service.store.job(job), service.store.events(job, after)


async def _answer(service: Service, job: Job, seconds: float) -> Response:
    """Wait for a job, and answer with its result, or with its current state."""
    start, glance = time.monotonic(), _GLANCES[0]
    while job.state in LIVE and time.monotonic() - start < seconds:
        await asyncio.sleep(glance)
        glance = min(1.2 * glance, _GLANCES[1])
        job = service.store.job(job.id)
    view, where = service.job_view(job), {"location": f"/v1/jobs/{job.id}"}
    if job.state == "done":
        result = await asyncio.to_thread(service.store.result, job.id, "json")
        body = b'{"job":%b,"result":%b}' % (view.model_dump_json().encode(), result or b"null")
        return Response(body, media_type=JSON, headers=where)
    if job.state in LIVE:
        where |= _pause(view)
        return JSONResponse({"job": view.model_dump(mode="json"), "result": None}, 202, where)
    raise _ended(job)


def _pause(view: JobView) -> dict[str, str]:
    """Return the header that says when to try again."""
    return {"retry-after": str(max(1, round(view.seconds_left or 1)))}


def _ended(job: Job) -> ServiceError:
    """Return the error for a job that ended without a result, or no longer has one."""
    if job.state == "failed":
        return failed(job)
    if job.state == "cancelled":
        return ServiceError(410, "cancelled", "The job was cancelled.", job=job.id)
    detail = "The result has expired or was removed; send the request again."
    return ServiceError(410, "expired", detail, job=job.id)
