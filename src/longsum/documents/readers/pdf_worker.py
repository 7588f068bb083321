"""Takes the text out of a PDF with PDFium.

PDFium unpacks streams in native code, out of Python's control, and may crash on a hostile file: so
it runs in a process apart (`longsum.documents.readers.isolation`).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pypdfium2 as pdfium

_DEEPEST_OUTLINE = 32


def extract(data: bytes, pages: int, characters: int) -> Iterator[dict[str, Any]]:
    """Yield the content of a PDF, one part at a time.

    Args:
        data: The file.
        pages: Maximum number of pages.
        characters: Maximum number of characters of all pages together.

    Yields:
        `{"title": …, "pages": …}`, then for each page `{"text": …}`, then for each entry of the
        outline `{"level": …, "entry": …, "page": …}` with the page counted from 1. Or a
        final `{"refused": …}`: `encrypted`, `damaged`, or the name of a limit.
    """
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        yield {"refused": "encrypted" if "password" in str(error).lower() else "damaged"}
        return
    try:
        if len(pdf) > pages:
            yield {"refused": "pages"}
            return
        yield {"title": pdf.get_metadata_dict().get("Title") or "", "pages": len(pdf)}
        for index in range(len(pdf)):
            text = _page_text(pdf, index)
            characters -= len(text)
            if characters < 0:
                yield {"refused": "characters"}
                return
            yield {"text": text}
        yield from _outline(pdf)
    finally:
        pdf.close()


def _page_text(pdf: "pdfium.PdfDocument", index: int) -> str:
    from pypdfium2 import PdfiumError

    try:
        page = pdf[index]
        text_page = page.get_textpage()
        text: str = text_page.get_text_range()
        text_page.close()
        page.close()
    except PdfiumError:
        return ""
    return text


def _outline(pdf: "pdfium.PdfDocument") -> Iterator[dict[str, Any]]:
    for bookmark in pdf.get_toc(max_depth=_DEEPEST_OUTLINE):
        destination = bookmark.get_dest()
        index = destination.get_index() if destination else None
        if index is not None:
            yield {"level": bookmark.level, "entry": bookmark.get_title(), "page": index + 1}
