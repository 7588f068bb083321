"""Reads a file in a separate process, within limits."""

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.document_json import document_from_json
from longsum.documents.model import Document
from longsum.documents.readers.isolation import worker
from longsum.documents.readers.isolation.bounds import longest
from longsum.documents.readers.limits import ReadLimits
from longsum.language.characters import clean

_BLOCK = 2**20
_ENVIRONMENT = (
    *("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("PYTHONHOME", "PYTHONPYCACHEPREFIX"),
)
_PROGRAM = "from longsum.documents.readers.isolation.worker import main; main()"


def read_apart(data: bytes, name: str, limits: ReadLimits, *, isolated: bool = False) -> Document:
    """Read a document in a process of its own, which leaves nothing behind however it ends.

    Raises:
        LongsumError: As `done_apart`.
    """
    values = done_apart(data, name, limits, isolated=isolated)
    try:
        return document_from_json(values)
    except LongsumError:
        raise crashed(name, "its answer is damaged") from None


def done_apart(
    data: bytes,
    name: str,
    limits: ReadLimits,
    *,
    isolated: bool = False,
    work: str = "",
    wanted: Mapping[str, Any] | None = None,
) -> Any:
    """Return the result of work on a file in a process of its own, as JSON values.

    On Unix, a server is started with the first file, forks such a process for each, and ends with
    this process; elsewhere, and for files whose process has to be isolated, a new process is
    started for each, so that its memory contains nothing of this one. May be called from any
    thread. A hostile file may have taken the process over, so its answer is as untrusted as the
    file.

    Args:
        data: The bytes of the file.
        name: The name of the file.
        limits: Its limits.
        isolated: Whether the file is refused where the kernel does not isolate the process.
        work: What is done, registered in the group `longsum.apart`: a function of the bytes, the
            name and the limits; by default the file is read as a document.
        wanted: Further arguments of that, as JSON values.

    Raises:
        LongsumError: The file is refused, exceeds a limit or crashes its reader, or no process can
            be started.
    """
    limits = replace(limits, memory=limits.memory_for(len(data)))
    head = worker.write_request(name, data, limits, isolated=isolated, work=work, wanted=wanted)
    start = monotonic()
    try:
        if hasattr(socket, "send_fds") and not isolated:
            answer = _SERVER.ask([head, data], longest(limits.seconds))
        else:
            answer = _ask_alone([head, data], longest(limits.seconds))
    except (TimeoutError, subprocess.TimeoutExpired):
        raise limits.refusal(name, "seconds") from None
    except OSError as error:
        raise LongsumError(
            f"{name or 'The input'} is read in a separate process, which cannot be started "
            f"({error.strerror or error}); convert it to plain text first."
        ) from None
    if not answer and monotonic() - start > limits.seconds:
        raise limits.refusal(name, "seconds")
    return _content(answer, name, limits)


def stand_by() -> None:
    """Start the server if that takes a millisecond, before another thread is started."""
    if _can_fork():
        _SERVER.start()


def _content(answer: bytes, name: str, limits: ReadLimits) -> Any:
    """Return the content of a process's answer."""
    kind, content = answer[:1], answer[1:]
    if kind == worker.DONE:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise crashed(name, "its answer is damaged") from None
    said = clean(content.decode("utf-8", "replace"))
    if kind == worker.REFUSED:
        raise LongsumError(said)
    if kind == worker.EXCEEDED and said in worker.LIMITS:
        raise limits.refusal(name, said)
    raise crashed(name, said)


def crashed(name: str, reason: str) -> LongsumError:
    """Return the error for a file whose reader crashed, or gave an invalid answer."""
    return LongsumError(
        f"The reader crashed on {name or 'the input'}{f' ({reason})' if reason else ''}: the file "
        "is damaged or needs more memory than the limit; save it again in another format, or "
        "raise the limit with --read-limit memory=… (in Python ReadLimits(memory=…))."
    )


class _Server:
    """The server of this process: started when it is first needed, or needed after it has ended."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget the server, which belongs to another process."""
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: Sequence[bytes], seconds: float) -> bytes:
        """Return the answer of a new process; it is empty if the process crashes.

        Raises:
            TimeoutError: It has not answered in time.
            OSError: No process can be started.
        """
        until = monotonic() + seconds
        # The server may have ended, for example when memory was short.
        for _ in range(2):
            here, there = socket.socketpair()
            with here:
                with there:
                    control = self._hand_over(there)
                answer = _exchange(here, request, until)
            if answer:
                return answer.removeprefix(worker.STARTED)
            with self._lock:
                if control is self._control:
                    self.stop()
        raise OSError("it ends at once")

    def _hand_over(self, connection: socket.socket) -> socket.socket:
        """Pass a connection to the server; return the socket that leads to it."""
        control = self.start()
        with suppress(OSError):
            socket.send_fds(control, [b"."], [connection.fileno()])
        return control

    def start(self) -> socket.socket:
        """Start the server if there is none; return the socket that leads to it.

        Raises:
            OSError: It cannot be started.
        """
        with self._lock:
            if self._control is None:
                self._control = self._started()
            return self._control

    def _started(self) -> socket.socket:
        here, there = socket.socketpair()
        with there:
            if not _can_fork():
                self._process = subprocess.Popen(
                    _command(worker.MANY),
                    stdin=there.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=_environment(),
                )
            elif os.fork() == 0:
                worker.serve(there)
        return here

    def stop(self) -> None:
        """End the server."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.wait()
        self._control = self._process = None


_SERVER = _Server()
atexit.register(_SERVER.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_SERVER.forget)


def _can_fork() -> bool:
    """Return whether this process may be copied: it is on Linux and has no other thread.

    Another thread might hold a lock, which nobody would ever release in the fork.
    """
    return sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1


def _exchange(connection: socket.socket, request: Sequence[bytes], until: float) -> bytes:
    """Send a request and return everything received until the other end closes the connection."""
    answer: list[bytes] = []
    with suppress(BrokenPipeError, ConnectionResetError):
        for part in request:
            connection.settimeout(_left(until))
            connection.sendall(part)
        while block := connection.recv(_BLOCK):
            answer.append(block)
            connection.settimeout(_left(until))
    return b"".join(answer)


def _left(until: float) -> float:
    return max(until - monotonic(), 0.01)


def _ask_alone(request: Sequence[bytes], seconds: float) -> bytes:
    """Do as `_Server.ask` does, with a program that is started for one document."""
    with subprocess.Popen(
        _command(worker.ONE),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
    ) as process:
        try:
            answer = process.communicate(b"".join(request), timeout=seconds)[0]
        finally:
            # Whatever ended the wait, such as an interrupt, ends the process too.
            if process.poll() is None:
                process.kill()
                process.wait()
    if not answer:
        raise OSError("it ends at once")
    return answer.removeprefix(worker.STARTED)


def _command(work: str) -> list[str]:
    """Return the command of the worker.

    `-P` keeps modules of the working folder out, and `-B` leaves no compiled ones anywhere.

    Raises:
        OSError: There is no Python interpreter to run it.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        raise OSError("there is no Python interpreter")
    return [sys.executable, "-P", "-B", "-c", _PROGRAM, work]


def _environment() -> dict[str, str]:
    """Return the part of the environment that a program needs to start as this one did."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
