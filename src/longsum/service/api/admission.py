"""From the body of a request to a document in the store, and what is wanted of it."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import FormData, UploadFile

from longsum.common.files import temporary_file
from longsum.common.structured_text import parse_json
from longsum.documents.builder import clean
from longsum.service.errors import ServiceError, wrong_value
from longsum.service.jobs import Wanted
from longsum.service.records import StorageFullError
from longsum.service.service import Service

T = TypeVar("T", bound=BaseModel)

_BLOCK = 2**20
_FIELDS, _FIELD_SIZE = 64, 2**16
"""Most fields of a form beside its file, and bytes of one."""
_LONGEST_NAME = 200
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,12}$")
FORM, JSON = "multipart/form-data", "application/json"
BODY_ROOM = 2**20
"""Bytes that a body may have beyond those of its document."""


class DocumentRequest(BaseModel):
    """A document as text."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, description="The text of the document.")]
    name: Annotated[str, Field(max_length=1000, description="What the document is called.")] = ""


class SummaryRequest(Wanted):
    """What is wanted, of a document that is given as text or by the id of one sent before."""

    text: Annotated[str | None, Field(min_length=1, description="The text of the document.")] = None
    name: Annotated[str, Field(max_length=1000, description="What the document is called.")] = ""
    document: Annotated[
        str | None, Field(max_length=100, description="The id of a document sent before.")
    ] = None


@dataclass(frozen=True, slots=True)
class Sent:
    """What came with a request.

    Attributes:
        fields: Its fields.
        name: The name of its file or text.
        original: The bytes of the document, in a file that may be taken; None without a document.
        size: How many they are.
        hash: The document's id.
    """

    fields: Mapping[str, Any]
    name: str = ""
    original: Path | None = None
    size: int = 0
    hash: str = ""

    def wanted(self) -> Wanted:
        """Return what is wanted.

        Raises:
            ServiceError: A field is wrong.
        """
        others = {name: value for name, value in self.fields.items() if name != "document"}
        return checked(Wanted, others)

    def store(self, service: Service) -> str:
        """Return the id of the document, which is stored if it came with the request.

        Raises:
            ServiceError: There is none, or no room for it.
        """
        named = self.fields.get("document")
        if (self.original is None) == (named is None):
            raise ServiceError(
                422,
                "bad-request",
                "Send one document: a file, a text, or the id of an earlier one.",
            )
        if self.original is None:
            return service.document(str(named)).id
        try:
            return service.store.add(self.hash, self.name, self.original, self.size).id
        except StorageFullError as error:
            service.metrics.refused.labels("storage-full").inc()
            raise ServiceError(507, "storage-full", str(error)) from None


def checked(kind: type[T], values: Any) -> T:
    """Return values as a model.

    Raises:
        ServiceError: They are none.
    """
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise ServiceError(422, "bad-request", wrong_value(error.errors()[0])) from None


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
        with path.open("xb") as file:
            if kind == FORM:
                async with request.form(
                    max_files=1, max_fields=_FIELDS, max_part_size=_FIELD_SIZE
                ) as form:
                    received = await asyncio.to_thread(_of_form, form, file, path, service)
            else:
                body = await request.body()
                received = await asyncio.to_thread(_of_json, body, file, path, service)
        yield received


def _of_form(form: FormData, file: Any, path: Path, service: Service) -> Sent:
    fields: dict[str, Any] = {}
    upload: UploadFile | None = None
    for name, value in form.multi_items():
        if name in fields or (upload and isinstance(value, UploadFile)):
            raise ServiceError(
                422, "bad-request", f"The field {name[:40]!r} comes twice; send one."
            )
        if isinstance(value, UploadFile):
            if name != "file":
                raise ServiceError(422, "bad-request", "Send the file in the field 'file'.")
            upload = value
        elif name == "file":
            raise ServiceError(
                422, "bad-request", "The field 'file' holds no file; with curl, write file=@NAME."
            )
        else:
            fields[name] = value
    if upload is None:
        return _without_file(fields, file, path, service)
    name = file_name(fields.pop("name", "") or upload.filename or "")
    key = _key(name)
    size = 0
    while block := upload.file.read(_BLOCK):
        size += len(block)
        file.write(block)
        key.update(block)
    return _kept(fields, name, path, size, key.hexdigest(), service)


def _of_json(body: bytes, file: Any, path: Path, service: Service) -> Sent:
    try:
        fields = parse_json(body)
    except ValueError as error:
        raise ServiceError(422, "bad-request", f"The body is not JSON: {error}.") from None
    if not isinstance(fields, dict):
        raise ServiceError(422, "bad-request", "The body is no JSON object; send one with a text.")
    return _without_file(fields, file, path, service)


def _without_file(fields: dict[str, Any], file: Any, path: Path, service: Service) -> Sent:
    """Return what came with a text or with the id of a document."""
    given = {name: fields.pop(name) for name in ("text", "name") if name in fields}
    if given.get("text") is None:
        if given.get("name"):
            raise ServiceError(422, "bad-request", "A name belongs to a text; send one.")
        return Sent(fields)
    text = checked(DocumentRequest, given)
    data = text.text.encode("utf-8", "replace")
    name = file_name(text.name)
    key = _key(name)
    key.update(data)
    file.write(data)
    return _kept(fields, name, path, len(data), key.hexdigest(), service)


def _kept(
    fields: Mapping[str, Any], name: str, path: Path, size: int, hash_: str, service: Service
) -> Sent:
    most = service.settings.limits.size
    if size > most:
        raise ServiceError(413, "too-large", f"A document may have {most:,} bytes, and no more.")
    if not size:
        raise ServiceError(422, "bad-request", "The document is empty; send one with text.")
    return Sent(fields, name, path, size, hash_)


def file_name(name: str) -> str:
    """Return the last part of a name, as it is shown; no file is ever called so."""
    last = clean(name.replace("\\", "/")).rpartition("/")[2].strip()
    suffix = found[0] if (found := _SUFFIX.search(last)) else ""
    stem = last.removesuffix(suffix)[: _LONGEST_NAME - len(suffix)].strip()
    return f"{stem or 'document'}{suffix}"


def _key(name: str) -> Any:
    """Return the beginning of a document's hash: how it is read depends on its suffix, too."""
    found = _SUFFIX.search(name)
    return hashlib.sha256((found[0].lower() if found else "").encode() + b"\n")
