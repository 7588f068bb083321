"""Images of PDF pages and boxes of sentences, made in a separate process.

Everything is imported at the start, before opening files is forbidden.
"""

import base64
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from unicodedata import normalize

import pypdfium2 as pdfium
from PIL import Image, PngImagePlugin  # noqa: F401 - what saves PNG is found by being imported

from longsum.common.errors import LongsumError
from longsum.documents.readers.limits import ReadLimits

_DOTS = 130
"""Dots per inch; fewer for pages larger than paper."""
_WIDEST = 2400


def picture(data: bytes, _name: str, _limits: ReadLimits, page: int) -> str:
    """Return a page as PNG in Base64.

    Raises:
        LongsumError: The file is not a PDF, or has no such page.
    """
    opened = _page(data, page)
    scale = min(_DOTS / 72, _WIDEST / max(opened.get_size()))
    written = BytesIO()
    opened.render(scale=scale).to_pil().convert("RGB").save(written, "PNG")
    return base64.b64encode(written.getvalue()).decode()


def boxes(data: bytes, _name: str, _limits: ReadLimits, page: int, text: str) -> dict[str, Any]:
    """Return the size of a page, and the lines of a sentence on it: left, top, width, height.

    Raises:
        LongsumError: As `picture`.
    """
    opened = _page(data, page)
    width, height = opened.get_size()
    found = [
        [left, height - top, right - left, top - bottom]
        for left, bottom, right, top in _lines(opened, text)
    ]
    return {"width": width, "height": height, "boxes": found}


def _page(data: bytes, page: int) -> Any:
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        raise LongsumError("The document is not a PDF file that can be shown.") from None
    if not 1 <= page <= len(pdf):
        raise LongsumError(f"The document has no page {page}; choose one of its {len(pdf)} pages.")
    return pdf[page - 1]


def _lines(page: Any, text: str) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes of a sentence, whose characters may be separated by anything."""
    layer = page.get_textpage()
    letters, places = [], []
    for place, letter in enumerate(layer.get_text_range()):
        # A ligature is several letters.
        for part in normalize("NFKC", letter):
            if part.isalnum():
                letters.append(part.lower())
                places.append(place)
    found = "".join(letters)
    looked = [part.lower() for part in normalize("NFKC", text) if part.isalnum()]
    if at := _where(found, "".join(looked)):
        first, last = places[at[0]], places[at[1] - 1]
        for number in range(layer.count_rects(first, last - first + 1)):
            yield layer.get_rect(number)


def _where(found: str, looked: str) -> tuple[int, int] | None:
    """Return where letters occur among others; text cut off by the page is found by its start."""
    lengths = [len(looked) * part // 4 for part in (4, 3, 2, 1)]
    long_enough = [length for length in lengths if length >= min(len(looked), 20)]
    for part in (*(looked[:n] for n in long_enough), *(looked[-n:] for n in long_enough)):
        if (at := found.find(part)) >= 0:
            return at, at + len(part)
    return None
