"""From the body of a request to a document in the store, and what is wanted of it."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BufferedWriter, BytesIO
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import FormData, UploadFile

from longsum.common.files import temporary_file
from longsum.common.structured_text import parse_json
from longsum.common.wording import shorten
from longsum.documents.builder import clean
from longsum.service.errors import ServiceError, wrong_value
from longsum.service.jobs import Wanted
from longsum.service.records import Upload
from longsum.service.service import Service

T = TypeVar("T", bound=BaseModel)

_BLOCK = 2**20
_FIELDS, _FIELD_SIZE = 64, 2**16
"""Most fields of a form beside its file, and bytes of one."""
_LONGEST_NAME = 200
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,12}$")
FORM, JSON = "multipart/form-data", "application/json"
Identities = Annotated[
    list[Annotated[str, Field(max_length=100)]], Field(min_length=1, max_length=100)
]
BODY_ROOM = 2**20
"""Bytes that a body may have beyond those of its document."""


class DocumentRequest(BaseModel):
    """A document as text."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, description="The text of the document.")]
    name: Annotated[str, Field(max_length=1000, description="What the document is called.")] = ""


class DocumentIds(BaseModel):
    """Several documents by their ids."""

    documents: Identities


class SummaryRequest(Wanted):
    """What is wanted, of a document that is given as text or by the id of one sent before."""

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
    """What came with a request: its fields, and a document if there is one among them."""

    fields: Mapping[str, Any]
    upload: Upload | None = None

    def wanted(self) -> Wanted:
        """Return what is wanted.

        Raises:
            ServiceError: A field is wrong.
        """
        named = ("document", "documents")
        return checked(
            Wanted, {name: value for name, value in self.fields.items() if name not in named}
        )

    def document(self, service: Service) -> str | Upload:
        """Return the document: the id of one that is stored, or one that can be.

        Raises:
            ServiceError: There is none, or more than one.
        """
        one, several = self.fields.get("document"), self.fields.get("documents")
        if [self.upload, one, several].count(None) != 2:
            raise ServiceError(
                422,
                "bad-request",
                "Send one document: a file, a text, the id of an earlier one, or those of several.",
            )
        if several is not None:
            return _together(checked(DocumentIds, {"documents": several}).documents, service)
        return self.upload or service.store.document(str(one)).id


def _together(identities: Sequence[str], service: Service) -> str | Upload:
    """Return several documents as one; a single one as it is."""
    found = [service.store.document(each) for each in dict.fromkeys(identities)]
    members = [part for each in found for part in service.store.members(each.id) or [each.id]]
    members = list(dict.fromkeys(members))
    if len(members) == 1:
        return members[0]
    hash_ = hashlib.sha256("\n".join(("together", *members)).encode()).hexdigest()
    name = " · ".join(each.name for each in found)
    return Upload(hash_, shorten(name, _LONGEST_NAME), members=tuple(members))


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
                    came = await asyncio.to_thread(_of_form, form, file, service)
            else:
                body = await request.body()
                came = await asyncio.to_thread(_of_json, body, file, service)
        yield came


def _of_form(form: FormData, file: BufferedWriter, service: Service) -> Sent:
    fields: dict[str, Any] = {}
    for name, value in form.multi_items():
        if name == "documents":
            fields.setdefault(name, []).append(value)
            continue
        if name in fields:
            raise ServiceError(
                422, "bad-request", f"The field {name[:40]!r} comes twice; send one."
            )
        if (name == "file") != isinstance(value, UploadFile):
            raise ServiceError(
                422,
                "bad-request",
                "A file comes in the field 'file', and nothing else does; with curl, write "
                "file=@NAME.",
            )
        fields[name] = value
    if (upload := fields.pop("file", None)) is None:
        return _with_text(fields, file, service)
    name = fields.pop("name", "") or upload.filename or ""
    return Sent(fields, _upload(name, upload.file, file, service))


def _of_json(body: bytes, file: BufferedWriter, service: Service) -> Sent:
    try:
        fields = parse_json(body)
    except ValueError as error:
        raise ServiceError(422, "bad-request", f"The body is not JSON: {error}.") from None
    if not isinstance(fields, dict):
        raise ServiceError(422, "bad-request", "The body is no JSON object; send one with a text.")
    return _with_text(fields, file, service)


def _with_text(fields: dict[str, Any], file: BufferedWriter, service: Service) -> Sent:
    """Return what came with a text or with the id of a document."""
    given = {name: fields.pop(name) for name in ("text", "name") if name in fields}
    if given.get("text") is None:
        if given.get("name"):
            raise ServiceError(422, "bad-request", "A name belongs to a text; send one.")
        return Sent(fields)
    text = checked(DocumentRequest, given)
    data = BytesIO(text.text.encode("utf-8", "replace"))
    return Sent(fields, _upload(text.name, data, file, service))


def _upload(given: str, data: BinaryIO, file: BufferedWriter, service: Service) -> Upload:
    """Write what came to a file, and call it by what it says and how it is read."""
    name, size, most = file_name(given), 0, service.settings.limits.size
    suffix = found[0].lower() if (found := _SUFFIX.search(name)) else ""
    key = hashlib.sha256(f"{suffix}\n".encode())
    while block := data.read(_BLOCK):
        size += len(block)
        file.write(block)
        key.update(block)
    if size > most:
        raise ServiceError(413, "too-large", f"A document may have {most:,} bytes, and no more.")
    if not size:
        raise ServiceError(422, "bad-request", "The document is empty; send one with text.")
    return Upload(key.hexdigest(), name, size, Path(file.name))


def file_name(name: str) -> str:
    """Return the last part of a name, as it is shown; no file is ever called so."""
    last = clean(name.replace("\\", "/")).rpartition("/")[2].strip()
    suffix = found[0] if (found := _SUFFIX.search(last)) else ""
    stem = last.removesuffix(suffix)[: _LONGEST_NAME - len(suffix)].strip()
    return f"{stem or 'document'}{suffix}"
