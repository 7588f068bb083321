"""Errors in the form of RFC 9457: a status, the problem and what to do, never a traceback."""

import errno
import re
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from longsum.common.errors import LongsumError

MEDIA_TYPE = "application/problem+json"
_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>{title} · longsum</title>
<h1>{title}</h1><p>{detail}</p><p><a href="/">Library</a></p></html>"""


class Problem(BaseModel):
    """What is wrong with a request or a job (RFC 9457)."""

    type: Annotated[str, Field(description="The kind of the problem, `about:blank#REASON`.")]
    title: Annotated[str, Field(description="The name of the status.")]
    status: Annotated[int, Field(ge=400, le=599)]
    detail: Annotated[str, Field(description="What is wrong and what to do, in one sentence.")]
    reason: Annotated[
        str, Field(description="The kind of the problem in a word that programs can rely on.")
    ]
    job: Annotated[str | None, Field(description="The job in which it happened.")] = None


@dataclass(eq=False)
class ServiceError(LongsumError):
    """A request that cannot be fulfilled: a `Problem`, and headers of the response."""

    status: int
    reason: str
    detail: str
    job: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.detail

    def as_problem(self) -> Problem:
        """Return it in the form of responses."""
        return Problem(
            type=f"about:blank#{self.reason}",
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            detail=self.detail,
            reason=self.reason,
            job=self.job,
        )


def unknown(detail: str) -> ServiceError:
    """Return the error for something that does not exist."""
    return ServiceError(404, "unknown", detail)


def problem(error: ServiceError) -> JSONResponse:
    """Return the response for an error."""
    body = error.as_problem().model_dump(exclude_none=True)
    return JSONResponse(body, error.status, error.headers, media_type=MEDIA_TYPE)


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of an operation's errors."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in sorted({400, 401, 403, 421, 422, *statuses})
    }


_NOTHING = "There is nothing at this address; /openapi.json lists what there is."
_METHOD = "This address does not take this method; /openapi.json lists those it takes."
_OF_THE_DISK = (OSError, sqlite3.OperationalError)
_OF_ROUTING = {404: ("unknown", _NOTHING), 405: ("method", _METHOD)}


def answer_errors(app: FastAPI, report: Callable[[ServiceError], None]) -> None:
    """Make an application answer every error as a problem, after passing it to `report`.

    People get it as a page: their browsers ask for HTML when they follow a link or send a form.
    """

    async def answer(request: Request, error: Exception) -> Response:
        if _is_other(error):
            raise error
        found = _of_service(error)
        report(found)
        if "text/html" not in request.headers.get("accept", ""):
            return problem(found)
        title, detail = HTTPStatus(found.status).phrase, escape(found.detail)
        page = _PAGE.format(title=title, detail=detail)
        return HTMLResponse(page, found.status, found.headers)

    for kind in (LongsumError, RequestValidationError, HTTPException, *_OF_THE_DISK):
        app.add_exception_handler(kind, answer)


def _is_other(error: Exception) -> bool:
    """Return whether a system or database error is anything but a full disk."""
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode != sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno not in (errno.ENOSPC, errno.EDQUOT)


def _of_service(error: Exception) -> ServiceError:
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, _OF_THE_DISK):
        return ServiceError(507, "storage-full", "The service's disk is full; try later.")
    if isinstance(error, RequestValidationError):
        return ServiceError(422, "bad-request", wrong_value(error.errors()[0]))
    if isinstance(error, HTTPException):
        said = "bad-request", f"{error.detail.rstrip('.')}."
        reason, detail = _OF_ROUTING.get(error.status_code, said)
        headers = dict(error.headers or {})
        return ServiceError(error.status_code, reason, detail, headers=headers)
    return ServiceError(422, "bad-request", str(error))


def wrong_value(error: Mapping[str, Any]) -> str:
    """Return pydantic's complaint about a value as a sentence."""
    place = ".".join(str(part) for part in error["loc"] if part not in ("body", "query", "header"))
    # `Input should be …`, `String should have …`.
    said = re.sub(r"\A\w+ (?=should )|\AValue error, ", "", error["msg"]).rstrip(".")
    if error["type"] == "extra_forbidden":
        return f"There is no field {place!r}; /openapi.json lists those there are."
    if error["type"] == "value_error":
        return f"{said}."
    if error["type"] == "missing":
        return f"{place or 'The body'} is missing."
    return f"{place or 'The request'} is wrong: it {said[:1].lower()}{said[1:]}."
