"""Reading in a separate process: its limits, what it may not do, and that nothing of it remains."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import Mock

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers import ReadLimits, detect, reading
from longsum.documents.readers.isolation import reading_process, worker
from longsum.documents.readers.isolation.reading_process import read_apart
from pdf_writer import raw_pdf
from running_service import alive, below

from ..conftest import make_pdf

_TEXT = b"BT /F1 11 Tf 72 720 Td (A plain text.) Tj ET"
_LIMITS = ReadLimits()
_PAGE = "<html lang=en><h1>Wïde rivers</h1><p>The river is wide. Dams hold it.<p>É.</html>".encode()

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")
needs_statm = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="memory is not bounded here"
)

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes cannot be found here"
)


def _packed(content: bytes, times: int) -> bytes:
    for _ in range(times):
        content = zlib.compress(content, 9)
    filters = b"/FlateDecode " * times
    return raw_pdf(content, stream=b"/Filter [%s]" % filters)


def _says(data: bytes, limits: ReadLimits = _LIMITS, name: str = "a.pdf") -> str:
    with pytest.raises(LongsumError) as error:
        read_apart(data, name, limits)
    return str(error.value)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Read in copies of this process, so that changes by a test also apply there."""
    if not hasattr(os, "fork"):
        pytest.skip("processes cannot fork here")
    own = reading_process._Server()
    monkeypatch.setattr(reading_process, "_SERVER", own)
    monkeypatch.setattr(reading_process, "_can_fork", lambda: True)

    def do(work: Callable[..., object]) -> None:
        monkeypatch.setattr(worker, "parse", work)

    yield do
    own.stop()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a program for each document, as on systems without fork."""
    monkeypatch.delattr(socket, "send_fds")


@pytest.mark.slow
def test_the_process_returns_the_same_document_as_reading_here() -> None:
    outline = [(0, "Äims", 0), (1, "Scope", 1)]
    pdf = make_pdf([["One line.", "Änother."], [], ["Third."]], outline, "A tïtle")
    long = b"One sentence. Another one.\n\n" * 3_000
    for data, name in ((pdf, "a.pdf"), (_PAGE, "a.html"), (long, "a.txt")):
        assert read_apart(data, name, _LIMITS) == detect.parse(data, name)


@pytest.mark.usefixtures("alone")
def test_a_program_for_one_document_answers_the_same() -> None:
    assert read_apart(_PAGE, "a.html", _LIMITS) == detect.parse(_PAGE, "a.html")
    assert _says(_PAGE, ReadLimits(html_depth=1), "a.html").startswith("a.html has elements nested")


def test_a_refusal_is_that_of_the_reader() -> None:
    with pytest.raises(LongsumError) as error:
        detect.parse(b"%PDF-1.7 nothing", "a.pdf")
    assert _says(b"%PDF-1.7 nothing") == str(error.value)


def test_an_answer_that_is_no_text_refuses_all_the_same() -> None:
    for kind in (worker.REFUSED, worker.CRASHED, worker.EXCEEDED, b"?"):
        with pytest.raises(LongsumError):
            reading_process._content(kind + b"\xff\xfe", "a.pdf", _LIMITS)


@needs_statm
def test_streams_that_unpack_to_too_much_memory_are_refused() -> None:
    data = _packed(b" " * 40_000_000 + _TEXT, 3)
    assert len(data) < 50_000
    limits = ReadLimits(memory=30_000_000)
    assert _says(data, limits).startswith("a.pdf needs more than 30 MB of memory; ")


def test_the_same_streams_are_read_with_a_higher_limit() -> None:
    data = _packed(b" " * 40_000_000 + _TEXT, 3)
    assert read_apart(data, "a.pdf", ReadLimits(memory=2_000_000_000)).text == "A plain text."


def test_memory_grows_with_the_file() -> None:
    assert _LIMITS.memory_for(0) == 200_000_000
    assert _LIMITS.memory_for(1_000_000) == 250_000_000
    assert _LIMITS.memory_for(_LIMITS.size) == 2_000_000_000
    assert replace(_LIMITS, memory=9).memory_for(10**9) == 9


def test_a_file_that_takes_too_long_is_refused() -> None:
    data = _packed(b"q Q " * 10_000_000, 2)
    limits = ReadLimits(seconds=0.3, memory=8_000_000_000)
    assert _says(data, limits).startswith("a.pdf takes more than 0.3 seconds to read; ")


def test_code_that_blocks_the_interpreter_is_ended_by_the_system(server, monkeypatch) -> None:
    # `sum` over a range never lets another thread run.
    server(lambda *_, **__: sum(range(10**12)))
    monkeypatch.setattr("longsum.documents.readers.isolation.bounds._GRACE", 0.2)
    monkeypatch.setattr("longsum.documents.readers.isolation.bounds._PATIENCE", 0.1)
    assert "takes more than 0.1 seconds" in _says(_PAGE, ReadLimits(seconds=0.1))


@needs_proc
def test_code_that_blocks_signals_is_ended_by_the_system(server, monkeypatch) -> None:
    def hold(*_: object, **__: object) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        # Without letting the thread run that watches.
        ctypes.PyDLL(None).sleep(60)

    server(hold)
    monkeypatch.setattr("longsum.documents.readers.isolation.bounds._GRACE", 0.2)
    others = _below(os.getpid())
    assert "takes more than 0.1 seconds" in _says(_PAGE, ReadLimits(seconds=0.1))
    servers = _below(os.getpid()) - others
    assert _ends(set().union(*map(_below, servers)))


@needs_proc
def test_a_process_ends_with_its_server(server: Callable[..., None]) -> None:
    server(lambda *_, **__: ctypes.PyDLL(None).sleep(60))
    others = _below(os.getpid())
    asking = threading.Thread(target=_says, args=(_PAGE,))
    asking.start()
    until = monotonic() + 10
    while len(found := _below(os.getpid()) - others) < 2 and monotonic() < until:
        sleep(0.01)
    # By now it reads, and the thread that watches cannot run.
    sleep(0.5)
    os.kill(next(process for process in found if _below(process)), signal.SIGKILL)
    assert _ends(found)
    asking.join()


def test_pages_and_characters_are_counted() -> None:
    data = make_pdf([["One two."], ["Three four."]])
    assert _says(data, ReadLimits(pages=1)).startswith("a.pdf has more than 1 pages; ")
    assert _says(data, ReadLimits(characters=18)).startswith("a.pdf has more than 18 characters; ")
    assert len(read_apart(data, "a.pdf", ReadLimits(characters=19)).sentences) == 2


def _below(parent: int) -> set[int]:
    return alive(below(parent))


def _ends(processes: set[int]) -> bool:
    """Return whether processes end within ten seconds."""
    until = monotonic() + 10
    while alive(processes) and monotonic() < until:
        sleep(0.01)
    return not alive(processes)


@needs_proc
def test_an_interrupt_leaves_no_process_behind(server: Callable[..., None]) -> None:
    others = _below(os.getpid())
    reading: set[int] = set()

    def interrupt() -> None:
        until = monotonic() + 10
        while len(reading) < 2 and monotonic() < until:
            reading.update(_below(os.getpid()) - others)
        os.kill(os.getpid(), signal.SIGINT)

    server(lambda *_, **__: sleep(60))
    timer = threading.Thread(target=interrupt)
    # The program has a handler of its own, which a test of it may have left behind.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            read_apart(_PAGE, "a.html", _LIMITS)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, former)
    assert len(reading) == 2
    reading_process._SERVER.stop()
    assert _ends(reading)


def test_an_orphaned_reader_ends() -> None:
    """On Linux a signal or the server ends it sooner; elsewhere only this does."""
    code = (
        "import time\nfrom longsum.documents.readers.isolation.bounds import watch\n"
        "watch(2**30, 60, exceed=print, gone=lambda: True)\ntime.sleep(20)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 1


def test_a_crash_is_reported_in_one_sentence_with_advice(server: Callable[..., None]) -> None:
    def fault(*_: object, **__: object) -> None:
        raise ValueError("no such thing")

    server(fault)
    said = _says(_PAGE, name="a.html")
    assert said.startswith("The reader crashed on a.html (ValueError: no such thing): ")
    assert "--read-limit memory=…" in said
    reading_process._SERVER.stop()
    server(lambda *_, **__: os.abort())
    assert _says(_PAGE, name="a.html").startswith("The reader crashed on a.html: ")


@pytest.mark.parametrize("answer", [b"", b"Dnot json", b'D{"text": "x"}', b"?", b"Xpatience"])
def test_answers_that_are_none(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_process._Server, "ask", lambda *_: answer)
    assert _says(_PAGE).startswith("The reader crashed on a.pdf")


def test_a_server_that_was_ended_is_started_again() -> None:
    read_apart(_PAGE, "a.html", _LIMITS)
    for process in _below(os.getpid()):
        with suppress(OSError):
            if b"isolation" in Path(f"/proc/{process}/cmdline").read_bytes():
                os.kill(process, signal.SIGKILL)
    assert read_apart(_PAGE, "a.html", _LIMITS).title


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("executable", ["", "/nowhere/python"])
def test_no_interpreter(monkeypatch: pytest.MonkeyPatch, executable: str) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert "separate process, which cannot be started" in _says(b"%PDF-")


def test_threads_read_at_the_same_time() -> None:
    files = [f"<html><p>File {word}.".encode() for word in "abcd"]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda data: read_apart(data, "a.html", _LIMITS).text, files))
    assert found == [f"File {word}." for word in "abcd"]


@needs_fork
def test_a_copy_of_this_process_has_a_server_of_its_own() -> None:
    read_apart(_PAGE, "a.html", _LIMITS)
    child = os.fork()
    if child == 0:
        os._exit(reading_process._SERVER._control is not None)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize(
    ("data", "name", "apart"),
    [
        *((b"Some text.", "a.txt", False), (b"# Some text.", "a.md", False)),
        *((b'{"text": "One."}', "a.json", False), (b"\x00\x01\x02", "a.bin", False)),
        *((b"Some text. " * 100_000, "a.txt", True), (b"<html><p>One.", "a.txt", True)),
        *((b"%PDF-1.7", "a.txt", True), (b"PK\x03\x04", "a.epub", True)),
    ],
)
def test_which_files_are_read_in_a_separate_process(data, name, apart, monkeypatch) -> None:
    class AskedError(Exception):
        pass

    monkeypatch.setattr(reading_process, "read_apart", Mock(side_effect=AskedError))
    with pytest.raises(AskedError) if apart else suppress(LongsumError):
        reading.read_bytes(data, name)
    with pytest.raises(AskedError):
        reading.read_bytes(data, name, isolated=True)


def test_each_step_of_an_exchange_has_the_time_that_is_left(monkeypatch) -> None:
    clock = iter(range(9))
    monkeypatch.setattr(reading_process, "monotonic", lambda: next(clock))
    connection = Mock(spec=socket.socket)
    connection.recv.side_effect = [b"a", b"b", b""]
    assert reading_process._exchange(connection, [b"x", b"y"], 4.5) == b"ab"
    assert [call.args for call in connection.settimeout.call_args_list] == [
        *((4.5,), (3.5,), (2.5,), (1.5,))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [0, 1])
def test_a_program_from_standard_input_reads_pdf(tmp_path, threads) -> None:
    # Such a program has no file that another process could import, and its path may be its own.
    file = tmp_path / "a.pdf"
    file.write_bytes(make_pdf([["A plain text."]]))
    (tmp_path / "json.py").write_text("raise RuntimeError('a foreign module')")
    path = [entry for entry in sys.path if entry]
    program = (
        f"import sys, threading; sys.path[:] = {path!r}\nimport longsum\n"
        f"if {threads}: threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
        "print(longsum.read('a.pdf').text)\nprint(longsum.read('a.pdf').text)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-"],
        input=program,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("A plain text.\n" * 2, "")
