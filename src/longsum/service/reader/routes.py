"""The routes of the reader's pages."""

import asyncio
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from threading import Lock
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from longsum.common.errors import LongsumError
from longsum.core.pages.page import host_page
from longsum.service.api.admission import checked, sent
from longsum.service.errors import ServiceError, unknown
from longsum.service.jobs import Wanted
from longsum.service.lines import FORM, Line, Lines
from longsum.service.reader.annotations import Annotation, Annotations, Change, anchor
from longsum.service.reader.exports import MEDIA_TYPES, Export, Kind, to_docx, to_json, to_markdown
from longsum.service.reader.page_pictures import page_picture, sentence_boxes
from longsum.service.reader.pages import NAVIGATION, Pages
from longsum.service.reader.search import Search
from longsum.service.records import Job, StoredDocument
from longsum.service.service import Service

_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
_MOST_FIELDS = 20
_MOST_NAME = 80
"""Characters of a document's name in those of its files."""


def router(service: Service) -> APIRouter:
    """Return the routes of the reader."""
    routes = APIRouter(include_in_schema=False, dependencies=[Depends(_check_origin)])
    reader, store = Reader(service), service.store
    of_job = Annotated[Job, Depends(store.job)]
    of_document = Annotated[StoredDocument, Depends(store.document)]

    @routes.get("/")
    def library(
        q: Annotated[str, Query(max_length=400)] = "", before: float | None = None
    ) -> Response:
        hits = reader.search.find(q) if q.strip() else None
        return _page(reader.pages.library(q, hits, before))

    @routes.post("/documents")
    async def add(request: Request) -> Response:
        async with sent(request, service) as came:
            fields = _wanted(came.fields)
            job = await asyncio.to_thread(replace(came, fields=fields).submitted, service)
        return _led_to(request, job)

    @routes.post("/documents/{document}/summaries")
    async def again(request: Request, document: of_document) -> Response:
        async with request.form(max_files=0, max_fields=_MOST_FIELDS) as form:
            fields = _wanted({name: str(value) for name, value in form.items()})
        job = await asyncio.to_thread(service.submit, document.id, checked(Wanted, fields))
        return _led_to(request, job)

    @routes.post("/documents/{document}/delete")
    def remove(document: of_document) -> Response:
        store.delete_document(document.id)
        service.workers.ring()
        return RedirectResponse("/", 303)

    @routes.get("/read/{job}")
    def read(job: of_job) -> Response:
        return _page(reader.page(job))

    @routes.post("/read/{job}/cancel")
    def cancel(job: of_job) -> Response:
        store.cancel(job.id)
        service.workers.ring()
        return RedirectResponse(f"/read/{job.id}", 303)

    @routes.put("/read/{job}/lines/{line}")
    def annotate(job: of_job, line: int, change: Change) -> Response:
        return JSONResponse(reader.annotate(job, line, change))

    @routes.get("/read/{job}/lines/{line}/boxes")
    def boxes(job: of_job, line: int) -> Response:
        return JSONResponse(reader.boxes(job, line))

    @routes.delete("/documents/{document}/annotations/{annotation}")
    def take_back(document: of_document, annotation: str) -> Response:
        if not reader.annotations.remove(document.id, annotation):
            raise unknown("There is no such note; it may have been removed already.")
        return JSONResponse({"removed": annotation})

    @routes.get("/documents/{document}/pages/{page}.png")
    def picture(document: of_document, page: Annotated[int, Path(ge=0, le=10**9)]) -> Response:
        drawn = page_picture(store.place(document.id), page)
        kept = {"cache-control": "private, max-age=86400"}
        return Response(drawn, media_type="image/png", headers=kept)

    @routes.post("/read/{job}/export")
    async def export(request: Request, job: of_job) -> Response:
        async with request.form(max_files=0, max_fields=_MOST_FIELDS) as form:
            kind, shown = str(form.get("kind", "md")), str(form.get("shown", ""))
        if kind not in MEDIA_TYPES:
            raise LongsumError(f"The kinds of file are {', '.join(MEDIA_TYPES)}; choose one.")
        body = await asyncio.to_thread(reader.export, job, kind, shown)
        name = f"{reader.stem(job)} summary.{kind}"
        saved = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
        return Response(body, media_type=MEDIA_TYPES[kind], headers=saved)

    @routes.get("/compare")
    def compare(left: str, right: str) -> Response:
        jobs = store.job(left), store.job(right)
        if jobs[0].document != jobs[1].document:
            raise LongsumError(
                "Only two summaries of the same document can be compared; choose others."
            )
        return _page(reader.pages.compared(jobs, [reader.lines(job) for job in jobs]))

    return routes


class Reader:
    """The parts behind the pages: the service, its annotations and its search index."""

    def __init__(self, service: Service) -> None:
        self._store, self._annotating = service.store, Lock()
        self.pages = Pages(service)
        self.annotations = Annotations(service.store)
        self.search = Search(service.store)

    def lines(self, job: Job) -> Lines:
        """Return the sentences of a summary.

        Raises:
            ServiceError: It has none: it is not done, is gone or a tree, or was made for programs.
        """
        if (stored := self._store.result(job.id, FORM)) is None:
            raise unknown("This is not a summary made by the reader; make one in the library.")
        return Lines.model_validate_json(stored)

    def _noted(self, job: Job, lines: Sequence[Line]) -> list[tuple[Annotation, int | None]]:
        """Return the annotations of a job's document, each with its sentence in the summary."""
        return [(each, anchor(each, lines)) for each in self.annotations.of(job.document)]

    def _documents(self, job: Job) -> list[StoredDocument]:
        """Return the document of a job, or its members."""
        return self._store.stored(*(self._store.members(job.document) or [job.document]))

    def boxes(self, job: Job, number: int) -> dict[str, Any]:
        """Return the boxes of a sentence's source on its page, and the page's image.

        Raises:
            ServiceError: There is no such sentence, it has no page, or its document is gone.
            LongsumError: The page cannot be drawn.
        """
        line, documents = _one(self.lines(job).lines, number), self._documents(job)
        if [each.id for each in documents] != [job.document]:
            documents = [each for each in documents if each.facts.get("sha256") == line.sha256]
        if line.page is None or not documents:
            raise unknown("The sentence is on no page, or its document was removed.")
        folder, source = self._store.place(documents[0].id), line.sources[0]
        start, end = (source.get("origin", source)[name] for name in ("start", "end"))
        kept = folder / "read.json"
        text = json.loads(kept.read_bytes())["text"][start:end] if kept.is_file() else ""
        found = sentence_boxes(folder, line.page, text or line.text)
        picture = f"/documents/{documents[0].id}/pages/{line.page}.png"
        return found.model_dump() | {"picture": picture}

    def page(self, job: Job) -> str:
        """Return the page of a job: its summary, or its progress."""
        stored = self._store.result(job.id, "html") if job.state == "done" else None
        if stored is None:
            return self.pages.waiting(job)
        controls = self.pages.controls(job)
        return host_page(stored.decode(), NAVIGATION, controls, self._data(job, editable=True))

    def _data(self, job: Job, *, editable: bool) -> dict[str, Any]:
        """Return the viewer's data: the annotations, each with its sentence, and addresses."""
        stored = self._store.result(job.id, FORM)
        if stored is None:
            return {"annotations": [], "editable": False}
        noted = self._noted(job, Lines.model_validate_json(stored).lines)
        data = {"annotations": [_shown(*each) for each in noted], "editable": editable}
        if editable:
            data |= {
                "lines": f"/read/{job.id}/lines",
                "all": f"/documents/{job.document}/annotations",
            }
            if any(each.facts.get("format") == "pdf" for each in self._documents(job)):
                data["pictures"] = True
        return data

    def annotate(self, job: Job, number: int, change: Change) -> dict[str, Any]:
        """Store a change to a sentence; return its annotation, without an id if none is left."""
        lines = self.lines(job).lines
        line = _one(lines, number)
        # If two people annotate a sentence at once, the second finds the annotation of the first.
        with self._annotating:
            noted = self._noted(job, lines)
            known = next((each for each, at in noted if at == number), None)
            identity = self.annotations.change(job.document, line, known, change)
        place = {"id": identity, "quote": line.text, "where": line.citation}
        return change.model_dump() | place

    def stem(self, job: Job) -> str:
        """Return the name of a job's document, without its suffix, for the files made of it."""
        return PurePath(self._store.document(job.document).name).stem[:_MOST_NAME]

    def export(self, job: Job, kind: Kind, shown: str) -> bytes:
        """Return a summary as a file; `shown` has the numbers of its sentences, between commas.

        By default, these are the sentences at the requested length. Of what has no such sentences,
        such as a tree of questions, it is a result of the job.
        """
        form = {"md": "markdown"}.get(kind, kind)
        made = None if FORM in self._store.forms(job.id) else self._store.result(job.id, form)
        if made is not None:
            return made
        summary = self.lines(job)
        if kind == "html":
            page = (self._store.result(job.id, "html") or b"").decode()
            return host_page(page, "", "", self._data(job, editable=False), sent=False).encode()
        numbers = [int(part) for part in shown.split(",") if part.isdecimal()]
        asked_for = [at for at, line in enumerate(summary.lines) if summary.start in line.rungs]
        given = [number for number in dict.fromkeys(numbers) if number < len(summary.lines)]
        chosen = given or asked_for
        noted = self._noted(job, summary.lines)
        at = {line: each for each, line in noted}
        exported = [(summary.lines[number], at.get(number)) for number in chosen]
        # Of several on one sentence, the latest is shown beside it.
        others = [each for each, line in noted if line not in chosen or at[line] is not each]
        export = Export(summary, exported, others)
        return {"md": to_markdown, "json": to_json, "docx": to_docx}[kind](export)


def _one(lines: Sequence[Line], number: int) -> Line:
    if not 0 <= number < len(lines):
        raise unknown("The summary has no such sentence.")
    return lines[number]


def _shown(annotation: Annotation, line: int | None) -> dict[str, Any]:
    facts = {name: getattr(annotation, name) for name in ("id", "state", "note", "quote")}
    return facts | {"line": line, "where": annotation.place}


def _wanted(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the non-empty fields of a form, with those that the viewer needs."""
    given = {name: value for name, value in fields.items() if value not in ("", None)}
    if "writer" in given:
        # A writer is a system of its own.
        given.pop("system", None)
    if given.get("kind") == "questions":
        given.pop("system", None)
        focus = given.pop("focus", None)
        return given | {"length": "50w"} | ({"question": focus} if focus else {})
    return given | {"lengths": True}


def _check_origin(request: Request) -> None:
    """Reject requests from pages of other sites, which browsers declare."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    if request.method != "GET" and site not in ("same-origin", "none"):
        raise ServiceError(403, "wrong-origin", "Only the reader's own pages may do this.")


def _led_to(request: Request, job: Job) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"job": job.id, "page": f"/read/{job.id}"}, 201)
    return RedirectResponse(f"/read/{job.id}", 303)


def _page(text: str) -> HTMLResponse:
    """Return a page, with its policy also as a header."""
    found = _POLICY.search(text)
    assert found is not None
    rules = f"{html.unescape(found[1])}; frame-ancestors 'none'"
    headers = {"content-security-policy": rules, "referrer-policy": "same-origin"}
    return HTMLResponse(text, headers=headers)
