"""What is read of a PDF: its pages and outline."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.pdf_worker import extract
from longsum.errors import LongsumError


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline: its depth from 0, and its title as the file has it."""

    level: int
    title: str


@dataclass(frozen=True, slots=True)
class PdfText:
    """The raw content of a PDF.

    Attributes:
        title: The title in its metadata, or an empty string.
        pages: The text of each page.
        outline: The entries of the outline by page, counted from 1.
    """

    title: str
    pages: tuple[str, ...]
    outline: dict[int, list[Bookmark]] = field(default_factory=dict)


def extract_pdf(data: bytes, name: str, limits: ReadLimits) -> PdfText:
    """Extract the text and outline of a PDF, in this process.

    Raises:
        LongsumError: The file is encrypted, damaged or exceeds a limit.
    """
    return gather(extract(data, limits.pages, limits.characters), name, limits)


def gather(parts: Iterable[Mapping[str, Any]], name: str, limits: ReadLimits) -> PdfText:
    """Combine the parts that `pdf_worker.extract` yields.

    Raises:
        LongsumError: A part says that the file is refused.
    """
    title = ""
    pages: list[str] = []
    outline: dict[int, list[Bookmark]] = defaultdict(list)
    for part in parts:
        if "text" in part:
            pages.append(part["text"])
        elif "entry" in part:
            outline[part["page"]].append(Bookmark(part["level"], part["entry"]))
        elif "title" in part:
            title = part["title"]
        else:
            raise _refusal(part["refused"], name, limits)
    return PdfText(title, tuple(pages), dict(outline))


def _refusal(reason: str, name: str, limits: ReadLimits) -> LongsumError:
    if reason == "encrypted":
        return LongsumError(f"{name} is encrypted; save a copy without a password first.")
    if reason == "damaged":
        return LongsumError(f"{name} is a damaged PDF; save or download it again.")
    return limits.refusal(name, reason)
