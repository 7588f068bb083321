"""Parses a PDF in a separate process: the file on standard input, its pages as JSON lines out.

PDFium unpacks streams in native code, out of Python's control, and may crash on a hostile file. So
this file runs as a program (see `pdf_process`), watches its own memory and time, and exits at a
limit. It imports nothing from longsum, to start quickly.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pypdfium2 as pdfium

BEYOND_MEMORY = 81
BEYOND_SECONDS = 82
"""Exit statuses of a process that exceeded a limit."""

_DEEPEST_OUTLINE = 32
_SECONDS_BETWEEN_LOOKS = 0.01
# Address space reserved beyond what is used: stacks, arenas, a stream while it is copied.
_SLACK = 2**29


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


def main() -> None:
    """Read the file from standard input, the limits from the command line; write JSON lines."""
    pages, characters, memory = map(int, sys.argv[1:4])
    data = sys.stdin.buffer.read()
    _bound(memory, float(sys.argv[4]))
    try:
        for part in extract(data, pages, characters):
            line = json.dumps(part, ensure_ascii=False) + "\n"
            sys.stdout.buffer.write(line.encode("utf-8", "surrogatepass"))
        sys.stdout.flush()
    except MemoryError:
        os._exit(BEYOND_MEMORY)
    # Nothing is left to clean up, and PDFium might crash doing so.
    os._exit(0)


def _bound(memory: int, seconds: float) -> None:
    """Make this process exit once it uses so much more memory than now, or so much time."""
    memory_now = _resident()
    if memory_now is not None:
        _bound_address_space(memory)

    pause = threading.Event()

    def watch() -> None:
        start = monotonic()
        while True:
            used = _resident()
            if used is not None and memory_now is not None and used > memory_now + memory:
                os._exit(BEYOND_MEMORY)
            if monotonic() - start > seconds:
                os._exit(BEYOND_SECONDS)
            pause.wait(_SECONDS_BETWEEN_LOOKS)

    # PDFium runs without the GIL, so this thread runs meanwhile.
    threading.Thread(target=watch, daemon=True).start()


def _resident() -> int | None:
    """Return the resident memory of this process in bytes; None if the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _bound_address_space(memory: int) -> None:
    """Let the system refuse allocations that the watching thread would notice too late."""
    import resource

    # A crash at this limit is expected and needs no core dump.
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        held = int(Path("/proc/self/statm").read_bytes().split()[0])
        ceiling = held * os.sysconf("SC_PAGE_SIZE") + memory + _SLACK
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    except (OSError, ValueError, IndexError):
        return


if __name__ == "__main__":
    main()
