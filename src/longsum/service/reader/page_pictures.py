"""Images of PDF pages, and the boxes of sentences on them, made in a separate process.

The process is sandboxed like those that read files: a file that takes it over gains nothing.
"""

from base64 import b64decode
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from longsum.common.files import write_kept
from longsum.documents.readers.isolation.reading_process import crashed, done_apart
from longsum.documents.readers.limits import ReadLimits

_LIMITS = ReadLimits(seconds=20, memory=1 << 30)


class Boxes(BaseModel):
    """The size of a page in points, and the lines of a sentence on it: left, top, width, height."""

    width: float
    height: float
    boxes: list[tuple[float, float, float, float]]


def page_picture(folder: Path, page: int) -> bytes:
    """Return a page, counted from 1, as PNG; it is cached in its document's folder.

    Raises:
        LongsumError: The file is not a PDF, has no such page, or takes too long.
    """
    kept = folder / f"page-{page}.png"
    if kept.is_file():
        return kept.read_bytes()
    picture: bytes = _made(partial(b64decode, validate=True), folder, "page", page=page)
    write_kept(kept, picture)
    return picture


def sentence_boxes(folder: Path, page: int, text: str) -> Boxes:
    """Return the boxes of a sentence on a page; none if it was not found.

    Raises:
        LongsumError: As `page_picture`.
    """
    found: Boxes = _made(Boxes.model_validate, folder, "boxes", page=page, text=text)
    return found


def _made(read: Callable[[Any], Any], folder: Path, work: str, **wanted: Any) -> Any:
    data = (folder / "original").read_bytes()
    answer = done_apart(data, "", _LIMITS, work=work, wanted=wanted)
    try:
        return read(answer)
    except (TypeError, ValueError):
        raise crashed("", "its answer is damaged") from None
