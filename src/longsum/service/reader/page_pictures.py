"""Pictures of the pages of PDF files, and where sentences stand on them, made in a process apart.

The process has the bounds of those that read files: the file may take it over, and gets nothing.
"""

import base64
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from struct import pack
from typing import TYPE_CHECKING, Any

from longsum.common.errors import LongsumError
from longsum.common.files import write_kept
from longsum.documents.readers.isolation.bounds import bound, confine, end_with, give_up_rights

if TYPE_CHECKING:
    import numpy as np

_SECONDS, _WAIT = 20.0, 40.0
_MEMORY = 1 << 30
_DOTS = 130
"""Dots an inch; fewer for pages that are larger than paper."""
_WIDEST = 2400
_PROGRAM = "from longsum.service.reader.page_pictures import main; main()"
_LIGATURES = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"}


@dataclass(frozen=True, slots=True)
class Boxes:
    """The size of a page in points, and the lines of a sentence on it: left, top, width, height."""

    width: float
    height: float
    boxes: tuple[tuple[float, float, float, float], ...]


def page_picture(folder: Path, page: int) -> bytes:
    """Return a page as PNG; it is kept beside the document.

    Args:
        folder: The folder of the document, with its bytes in `original`.
        page: The page, counted from 1.

    Raises:
        LongsumError: The file is no PDF, has no such page, or takes too long.
    """
    kept = folder / f"page-{page}.png"
    if kept.is_file():
        return kept.read_bytes()
    picture = base64.b64decode(_asked(folder, {"page": page})["png"])
    write_kept(kept, picture)
    return picture


def sentence_boxes(folder: Path, page: int, text: str) -> Boxes:
    """Return where a sentence stands on a page; no boxes where it was not found.

    Raises:
        LongsumError: As `page_picture`.
    """
    told = _asked(folder, {"page": page, "text": text})
    return Boxes(told["width"], told["height"], tuple(map(tuple, told["boxes"])))


def _asked(folder: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    data = (folder / "original").read_bytes()
    request = json.dumps(wanted).encode() + b"\n" + data
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-B", "-c", _PROGRAM, str(os.getpid())],
            input=request,
            capture_output=True,
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=_WAIT,
            check=True,
        )
        told: dict[str, Any] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        raise LongsumError(
            f"Page {wanted['page']} cannot be shown; the file may be damaged."
        ) from None
    if "refused" in told:
        raise LongsumError(str(told["refused"]))
    return told


def main() -> None:
    """Answer the request on standard input, with no rights."""
    import numpy as np  # noqa: F401 - before no file can be opened any more
    import pypdfium2.raw  # noqa: F401

    end_with(int(sys.argv[1]))
    wanted = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    bound(_MEMORY, _SECONDS)
    give_up_rights()
    confine()
    sys.stdout.write(json.dumps(_made(data, wanted)))
    sys.stdout.flush()
    os._exit(0)


def _made(data: bytes, wanted: dict[str, Any]) -> dict[str, Any]:
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        return {"refused": "The document is no PDF file that can be shown."}
    if not 1 <= wanted["page"] <= len(pdf):
        return {"refused": f"The document has {len(pdf)} pages, and no page {wanted['page']}."}
    page = pdf[wanted["page"] - 1]
    width, height = page.get_size()
    if "text" in wanted:
        lines = list(_lines(page, wanted["text"]))
        boxes = [
            [left, height - top, right - left, top - bottom] for left, bottom, right, top in lines
        ]
        return {"width": width, "height": height, "boxes": boxes}
    scale = min(_DOTS / 72, _WIDEST / max(width, height))
    pixels = page.render(scale=scale, rev_byteorder=True).to_numpy()
    return {"png": base64.b64encode(png(pixels)).decode()}


def _lines(page: Any, text: str) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes of a sentence: its characters are found whatever lies between them."""
    layer = page.get_textpage()
    letters, places = [], []
    for place, letter in enumerate(layer.get_text_range()):
        for part in _LIGATURES.get(letter, letter):
            if part.isalnum():
                letters.append(part.lower())
                places.append(place)
    found = "".join(letters)
    looked = [part.lower() for part in text if part.isalnum()]
    at = _where(found, "".join(looked))
    if at is None:
        return
    start, end = at
    first, last = places[start], places[end - 1]
    for number in range(layer.count_rects(first, last - first + 1)):
        yield layer.get_rect(number)


def _where(found: str, looked: str) -> tuple[int, int] | None:
    """Return where letters stand among others; what runs on over a page counts by its beginning."""
    for length in (len(looked), *(len(looked) * part // 4 for part in (3, 2, 1))):
        if length >= min(len(looked), 20) and (at := found.find(looked[:length])) >= 0:
            return at, at + length
    for length in (len(looked) * part // 4 for part in (3, 2, 1)):
        if length >= 20 and (at := found.find(looked[-length:])) >= 0:
            return at, at + length
    return None


def png(pixels: "np.ndarray[Any, Any]") -> bytes:
    """Return an image as PNG.

    Args:
        pixels: (height, width, 3) of red, green and blue, or (height, width, 4) with alpha.
    """
    import numpy as np

    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * 3), np.uint8)
    rows[:, 1:] = pixels[:, :, : min(channels, 3)].reshape(height, width * 3)
    head = pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks: Sequence[tuple[bytes, bytes]] = (
        (b"IHDR", head),
        (b"IDAT", zlib.compress(rows.tobytes(), 6)),
        (b"IEND", b""),
    )
    written = (
        pack(">I", len(body)) + kind + body + pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)
