"""The process that parses PDF: its limits, and that nothing is left of it."""

import os
import signal
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from longsum.documents.readers import ReadLimits, read_bytes
from longsum.documents.readers import pdf_process as process
from longsum.errors import LongsumError

MakePdf = Callable[..., bytes]
_TEXT = b"BT /F1 11 Tf 72 720 Td (A plain text.) Tj ET"
_LIMITS = ReadLimits()


def _packed(raw_pdf: MakePdf, content: bytes, times: int) -> bytes:
    for _ in range(times):
        content = zlib.compress(content, 9)
    filters = b"/FlateDecode " * times
    return raw_pdf(content, stream=b"/Filter [%s]" % filters)


def _says(data: bytes, limits: ReadLimits) -> str:
    with pytest.raises(LongsumError) as error:
        process.extract_pdf(data, "a.pdf", limits)
    return str(error.value)


def test_what_the_process_returns_is_what_the_file_holds(make_pdf: MakePdf) -> None:
    outline = [(0, "Äims", 0), (1, "Scope", 1)]
    data = make_pdf([["One line.", "Änother"], [], ["Third."]], outline, "A tïtle")
    found = process.extract_pdf(data, "a.pdf", _LIMITS)
    assert found.title == "A tïtle"
    assert [[piece.text for piece in page.pieces] for page in found.pages] == [
        ["One line.", "Änother"],
        [],
        ["Third."],
    ]
    first, second = found.pages[0].pieces
    assert (first.left, first.baseline, first.size, first.font.family) == (72, 720, 11, "helvetica")
    assert (second.left, second.baseline, second.line) == (72, 706, 1)
    assert {
        page: [(entry.level, entry.title) for entry in entries]
        for page, entries in found.outline.items()
    } == {1: [(0, "Äims")], 2: [(1, "Scope")]}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is not bounded here")
@pytest.mark.parametrize("times", [1, 3])
def test_streams_that_unpack_to_too_much_memory_are_refused(raw_pdf: MakePdf, times: int) -> None:
    data = _packed(raw_pdf, b" " * 40_000_000 + _TEXT, times)
    assert len(data) < 50_000
    limits = ReadLimits(memory=30_000_000)
    assert _says(data, limits).startswith("a.pdf needs more than 30 MB of memory; ")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is not bounded here")
def test_the_same_streams_are_read_where_the_limit_is_raised(raw_pdf: MakePdf) -> None:
    data = _packed(raw_pdf, b" " * 40_000_000 + _TEXT, 3)
    found = process.extract_pdf(data, "a.pdf", ReadLimits(memory=2_000_000_000))
    assert [piece.text for page in found.pages for piece in page.pieces] == ["A plain text."]


def test_a_file_that_takes_too_long_is_refused(raw_pdf: MakePdf) -> None:
    data = _packed(raw_pdf, b"q Q " * 10_000_000, 2)
    limits = ReadLimits(seconds=0.3, memory=8_000_000_000)
    assert _says(data, limits).startswith("a.pdf takes more than 0.3 seconds to read; ")


def test_pages_and_characters_are_counted(make_pdf: MakePdf) -> None:
    data = make_pdf([["One two."], ["Three four."]])
    assert len(process.extract_pdf(data, "a.pdf", ReadLimits(pages=2, characters=19)).pages) == 2
    assert _says(data, ReadLimits(pages=1)).startswith("a.pdf has more than 1 pages; ")
    assert _says(data, ReadLimits(characters=18)).startswith("a.pdf has more than 18 characters; ")


def test_limits_reach_the_process_from_the_reader(make_pdf: MakePdf) -> None:
    with pytest.raises(LongsumError, match=r"has more than 1 pages; .* --read-limit pages=…"):
        read_bytes(make_pdf([["One."], ["Two."]]), "a.pdf", limits=ReadLimits(pages=1))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list["subprocess.Popen[bytes]"]:
    """The processes that were started."""
    found: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: object, **kwargs: object) -> None:
            super().__init__(*args, **kwargs)  # type: ignore[call-overload]
            found.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    return found


def test_a_process_that_does_not_end_is_ended(
    started: list["subprocess.Popen[bytes]"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_GRACE", 0.1)
    monkeypatch.setattr(
        process, "_python", lambda: [sys.executable, "-c", "import time; time.sleep(60)"]
    )
    assert "takes more than 0.1 seconds" in _says(b"%PDF-", ReadLimits(seconds=0.1))
    assert started[0].returncode == -signal.SIGKILL


def test_an_interrupt_leaves_no_process_behind(
    started: list["subprocess.Popen[bytes]"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        process, "_python", lambda: [sys.executable, "-c", "import time; time.sleep(60)"]
    )
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    # The program has a handler of its own, which a test of it may have left behind.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            process.extract_pdf(b"%PDF-", "a.pdf", _LIMITS)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, former)
    assert started[0].returncode is not None


def test_a_crash_is_one_sentence_that_says_what_may_help(monkeypatch: pytest.MonkeyPatch) -> None:
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    monkeypatch.setattr(process, "_python", lambda: [sys.executable, "-c", crash])
    said = _says(b"%PDF-", _LIMITS)
    assert said.startswith("The PDF parser crashed on a.pdf: ")
    assert "--read-limit memory=…" in said
    fault = "raise ValueError('no such thing')"
    monkeypatch.setattr(process, "_python", lambda: [sys.executable, "-c", fault])
    assert "crashed on a.pdf (ValueError: no such thing): " in _says(b"%PDF-", _LIMITS)


@pytest.mark.parametrize("executable", ["", "/nowhere/python"])
def test_no_interpreter(monkeypatch: pytest.MonkeyPatch, executable: str) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert "separate process, which cannot be started" in _says(b"%PDF-", _LIMITS)


def test_threads_read_at_the_same_time(make_pdf: MakePdf) -> None:
    files = [make_pdf([[f"File {word}."]]) for word in "abcd"]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda data: read_bytes(data, "a.pdf").text, files))
    assert found == [f"File {word}." for word in "abcd"]


def test_a_program_from_standard_input_reads_pdf(make_pdf: MakePdf, tmp_path: Path) -> None:
    # Such a program has no file that another process could import, and its path may be its own.
    file = tmp_path / "a.pdf"
    file.write_bytes(make_pdf([["A plain text."]]))
    (tmp_path / "json.py").write_text("raise RuntimeError('a foreign module')")
    path = [entry for entry in sys.path if entry]
    program = (
        f"import sys; sys.path[:] = {path!r}\nimport longsum\nprint(longsum.read('a.pdf').text)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-"],
        input=program,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("A plain text.\n", "")
