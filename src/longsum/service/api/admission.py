"""Turns request bodies into stored documents and jobs."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import FormData, UploadFile

from longsum.common.errors import LongsumError
from longsum.common.files import temporary_file
from longsum.common.structured_text import parse_json
from longsum.common.wording import shorten
from longsum.language.characters import clean
from longsum.service.errors import ServiceError, wrong_value
from longsum.service.jobs import Wanted
from longsum.service.records import Job, Upload
from longsum.service.service import Service

T = TypeVar("T", bound=BaseModel)

_BLOCK = 2**20
_FIELDS, _FIELD_SIZE = 64, 2**16
"""Maximum number of form fields besides the file, and bytes of each."""
_LONGEST_NAME = 200
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,12}$")
FORM, JSON = "multipart/form-data", "application/json"
Identities = Annotated[
    list[Annotated[str, Field(max_length=100)]], Field(min_length=1, max_length=100)
]
BODY_ROOM = 2**20
"""Bytes that a body may have in addition to its document."""


class DocumentRequest(BaseModel):
    """A document as text."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, description="The text of the document.")]
    name: Annotated[str, Field(max_length=1000, description="What the document is called.")] = ""


class SummaryRequest(Wanted):
    """A summary of a document given as text, or by the id of one sent earlier."""

    text: Annotated[str | None, Field(min_length=1, description="The text of the document.")] = None
    name: Annotated[str, Field(max_length=1000, description="What the document is called.")] = ""
    document: Annotated[
        str | None, Field(max_length=100, description="The id of a document sent before.")
    ] = None
    documents: Annotated[
        Identities | None, Field(description="The ids of several, which are summarized as one.")
    ] = None


@dataclass(frozen=True, slots=True)
class Sent:
    """The content of a request: its fields, and a document if it has one."""

    fields: Mapping[str, Any]
    upload: Upload | None = None

    def submitted(self, service: Service, key: str = "") -> Job:
        """Submit and return the requested job.

        Raises:
            LongsumError: A field is wrong, there is no document or more than one, or as
                `Service.submit`.
        """
        request = checked(SummaryRequest, self.fields)
        if [self.upload, request.document, request.documents].count(None) != 2:
            raise LongsumError(
                "Send one document: a file, a text, the id of an earlier one, or those of several."
            )
        named = request.documents or [str(request.document)]
        return service.submit(self.upload or _together(named, service), request, key)


def _together(identities: Sequence[str], service: Service) -> str | Upload:
    """Combine several documents into one; a single one is returned as is."""
    found = [service.store.document(each) for each in dict.fromkeys(identities)]
    members = [part for each in found for part in service.store.members(each.id) or [each.id]]
    members = list(dict.fromkeys(members))
    if len(members) == 1:
        return members[0]
    hash_ = hashlib.sha256("\n".join(("together", *members)).encode()).hexdigest()
    name = " · ".join(each.name for each in found)
    return Upload(hash_, shorten(name, _LONGEST_NAME), members=tuple(members))


def checked(kind: type[T], values: Any) -> T:
    """Validate values as a model; a `LongsumError` says what is wrong with them."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise LongsumError(wrong_value(error.errors()[0])) from None


@asynccontextmanager
async def sent(request: Request, service: Service) -> AsyncIterator[Sent]:
    """Receive the body of a request: a form with a file, or JSON with a text.

    Raises:
        ServiceError: It is neither, or too large.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in (FORM, JSON):
        raise ServiceError(
            415,
            "bad-request",
            f"Send a file as {FORM} (curl -F file=@report.pdf), or a text as {JSON}.",
        )
    with temporary_file(service.settings.folder) as path:
        if kind == JSON:
            yield await asyncio.to_thread(_received, await request.body(), path, service)
            return
        most = {"max_files": 1, "max_fields": _FIELDS, "max_part_size": _FIELD_SIZE}
        async with request.form(**most) as form:
            came = await asyncio.to_thread(_received, form, path, service)
        yield came


def _received(body: FormData | bytes, path: Path, service: Service) -> Sent:
    """Return the content of a body; a document, as a file or text, is written to a path."""
    fields = _of_json(body) if isinstance(body, bytes) else _of_form(body)
    data: BinaryIO
    if isinstance(fields.get("file"), UploadFile):
        upload = fields.pop("file")
        name, data = fields.pop("name", "") or upload.filename or "", upload.file
    else:
        given = {name: fields.pop(name) for name in ("text", "name") if name in fields}
        if given.get("text") is None:
            if given.get("name"):
                raise LongsumError("A name can only be sent with a text; add one.")
            return Sent(fields)
        text = checked(DocumentRequest, given)
        name, data = text.name, BytesIO(text.text.encode("utf-8", "replace"))
    return Sent(fields, _upload(name, data, path, service.settings.limits.size))


def _of_form(form: FormData) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in form.multi_items():
        if (name == "file") != isinstance(value, UploadFile):
            raise LongsumError(
                "Only the field 'file' holds a file, and it holds nothing else; with curl, write "
                "file=@NAME."
            )
        if name == "documents":
            fields.setdefault(name, []).append(value)
        elif name in fields:
            raise LongsumError(f"The field {name[:40]!r} comes twice; send one.")
        else:
            fields[name] = value
    return fields


def _of_json(body: bytes) -> dict[str, Any]:
    try:
        fields = parse_json(body)
    except ValueError as error:
        raise LongsumError(f"The body is not JSON ({error}); correct it.") from None
    if not isinstance(fields, dict):
        raise LongsumError("The body is not a JSON object; send one with a text.")
    return fields


def _upload(given: str, data: BinaryIO, unfinished: Path, most: int) -> Upload:
    """Write an upload to a path, and name it by its content and format."""
    name, size = file_name(given), 0
    suffix = found[0].lower() if (found := _SUFFIX.search(name)) else ""
    key = hashlib.sha256(f"{suffix}\n".encode())
    with unfinished.open("xb") as file:
        while block := data.read(_BLOCK):
            size += len(block)
            file.write(block)
            key.update(block)
    if size > most:
        raise ServiceError(
            413, "too-large", f"A document may have at most {most:,} bytes; divide it."
        )
    if not size:
        raise LongsumError("The document is empty; send one with text.")
    return Upload(key.hexdigest(), name, size, unfinished)


def file_name(name: str) -> str:
    """Return the last part of a name for display; no file ever gets this name."""
    last = clean(name.replace("\\", "/")).rpartition("/")[2].strip()
    suffix = found[0] if (found := _SUFFIX.search(last)) else ""
    stem = last.removesuffix(suffix)[: _LONGEST_NAME - len(suffix)].strip()
    return f"{stem or 'document'}{suffix}"
