"""What is read of a PDF: its pages and outline."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.pdf.pdf_extraction import extract
from longsum.documents.readers.pdf.pdf_page import PLAIN, Font, Page, Piece


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline: its depth from 0, its title, and where on its page it points."""

    level: int
    title: str
    top: float | None = None


@dataclass(frozen=True, slots=True)
class PdfText:
    """The raw content of a PDF.

    Attributes:
        title: The title in its metadata, or an empty string.
        pages: What stands on each page.
        outline: The entries of the outline by page, counted from 1.
    """

    title: str
    pages: tuple[Page, ...]
    outline: dict[int, list[Bookmark]] = field(default_factory=dict)


def extract_pdf(data: bytes, name: str, limits: ReadLimits) -> PdfText:
    """Extract the text and outline of a PDF, in this process.

    Raises:
        LongsumError: The file is encrypted, damaged or exceeds a limit.
    """
    return gather(extract(data, limits.pages, limits.characters), name, limits)


def gather(parts: Iterable[Mapping[str, Any]], name: str, limits: ReadLimits) -> PdfText:
    """Combine the parts that `pdf_extraction.extract` yields.

    Raises:
        LongsumError: A part says that the file is refused.
    """
    title = ""
    pages: list[Page] = []
    fonts: list[Font] = []
    outline: dict[int, list[Bookmark]] = defaultdict(list)
    for part in parts:
        if "pieces" in part:
            fonts += [Font.described(*described) for described in part["fonts"]]
            width, height = part["size"]
            pages.append(Page(width, height, [_piece(piece, fonts) for piece in part["pieces"]]))
        elif "entry" in part:
            entry = Bookmark(part["level"], part["entry"], part["top"])
            outline[part["page"]].append(entry)
        elif "title" in part:
            title = part["title"]
        else:
            raise _refusal(part["refused"], name, limits)
    return PdfText(title, tuple(pages), dict(outline))


def _piece(values: list[Any], fonts: list[Font]) -> Piece:
    text, left, right, baseline, size, font, role, line = values
    return Piece(text, left, right, baseline, size, fonts[font] if font >= 0 else PLAIN, role, line)


def _refusal(reason: str, name: str, limits: ReadLimits) -> LongsumError:
    if reason == "encrypted":
        return LongsumError(f"{name} is encrypted; save a copy without a password first.")
    if reason == "damaged":
        return LongsumError(f"{name} is a damaged PDF; save or download it again.")
    return limits.refusal(name, reason)
