"""Runs the PDF parser in a separate process, within limits."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from longsum.documents.builder import clean
from longsum.documents.readers import pdf_worker
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.pdf_page import PLAIN, Font, Page, Piece
from longsum.documents.readers.pdf_worker import BEYOND_MEMORY, BEYOND_SECONDS
from longsum.errors import LongsumError

_BEYOND = {BEYOND_MEMORY: "memory", BEYOND_SECONDS: "seconds"}
_GRACE = 10
"""Seconds past its limit after which a worker is killed: time to start and to report."""


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
    """Extract the text and outline of a PDF in a separate process with limits.

    The process takes a tenth of a second to start, leaves nothing behind however it ends, and may
    be started from any thread.

    Raises:
        LongsumError: The file is encrypted, damaged or exceeds a limit, or no process can be
            started.
    """
    try:
        status, found, complaint = _run([*_python(), *_numbers(limits)], data, limits)
    except subprocess.TimeoutExpired:
        raise limits.refusal(name, "seconds") from None
    except OSError as error:
        raise _no_process(error.strerror or str(error)) from None
    if status in _BEYOND:
        raise limits.refusal(name, _BEYOND[status])
    if status:
        said = complaint.decode("utf-8", "replace").split("\n")[-2:-1]
        reason = f" ({clean(said[0])})" if said else ""
        raise LongsumError(
            f"The PDF parser crashed on {name}{reason}: it is damaged or needs more memory than "
            "the limit; print it to a new PDF, or raise the limit with --read-limit memory=… (in "
            "Python ReadLimits(memory=…))."
        )
    return gather(map(json.loads, found.splitlines()), name, limits)


def _run(command: list[str], data: bytes, limits: ReadLimits) -> tuple[int, bytes, bytes]:
    """Run the worker; return its exit status, output and error output."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as worker:
        try:
            found, complaint = worker.communicate(data, timeout=limits.seconds + _GRACE)
        finally:
            # Whatever ended the wait, such as an interrupt, ends the worker.
            if worker.poll() is None:
                worker.kill()
                worker.wait()
    return worker.returncode, found, complaint


def gather(parts: Iterable[Mapping[str, Any]], name: str, limits: ReadLimits) -> PdfText:
    """Combine the parts that `pdf_worker.extract` yields.

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


def _python() -> list[str]:
    """Return the command of the worker, with `-P` since its folder has a `json.py` of its own.

    Raises:
        LongsumError: There is no Python interpreter to run it.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        raise _no_process("there is no Python interpreter")
    return [sys.executable, "-P", pdf_worker.__file__]


def _numbers(limits: ReadLimits) -> list[str]:
    return [str(n) for n in (limits.pages, limits.characters, limits.memory, limits.seconds)]


def _no_process(reason: str) -> LongsumError:
    return LongsumError(
        f"A PDF is read in a separate process, which cannot be started ({reason}); convert it to "
        "text first."
    )
