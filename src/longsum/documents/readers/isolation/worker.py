"""The reading process: a server that forks for each document, and what the fork does.

A server is a process that waits (`serve`). For each document it is given one end of a connection,
and forks: the fork takes the file from the connection, reads it within bounds, answers, and ends.
So every document is read in a process that has seen no other. Where processes cannot fork, a
process is started for each document (`main`).
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any, BinaryIO, NoReturn, get_args

from longsum.common.errors import LongsumError
from longsum.common.registry import find
from longsum.documents.document_json import document_to_json
from longsum.documents.readers.detect import parse, registered_reader
from longsum.documents.readers.isolation.bounds import (
    Exceeded,
    bound,
    confine,
    drop_privileges,
    end_with,
    forget_environment,
    readable,
    watch,
)
from longsum.documents.readers.limits import ReadLimits

STARTED = b"."
"""What a process sends before it reads."""
DONE, REFUSED, CRASHED, EXCEEDED = b"D", b"R", b"C", b"X"
"""The beginnings of answers: the result as JSON, the sentence that refuses the file, the error of
its reader, or one of `LIMITS`."""
LIMITS = get_args(Exceeded)

ONE, MANY = "one", "many"
"""Arguments of the program: read one file from standard input, or serve a socket on it."""

_NOT_ISOLATED = (
    "{} is not read, since the process that would read it cannot be isolated on this system (that "
    "takes Linux with seccomp and Landlock on x86-64 or ARM64); read it on one, or leave out "
    "--isolation require (in Python isolated=True) if you trust the file."
)
_STREAMS = 3
_HIGHEST = 2**20
"""No file descriptor of a process has a higher number than this."""


def write_request(
    name: str,
    data: bytes,
    limits: ReadLimits,
    *,
    isolated: bool = False,
    work: str = "",
    wanted: Mapping[str, Any] | None = None,
) -> bytes:
    """Return what precedes the bytes of a file when it is sent to a process.

    Args:
        name: The name of the file.
        data: Its bytes.
        limits: Its limits.
        isolated: Whether the file is refused where the kernel does not isolate the process.
        work: What is done with it, as registered in the group `longsum.apart`; by default it is
            read as a document.
        wanted: Further arguments of that, as JSON values.
    """
    request = {"name": name, "size": len(data), "limits": asdict(limits), "isolated": isolated}
    request |= {"work": work, "wanted": dict(wanted or {})}
    return json.dumps(request).encode() + b"\n"


def serve(control: socket.socket) -> NoReturn:
    """Wait for connections on a socket, and read a file from each in a copy of this process.

    It ends with the process at the other end of the socket.
    """
    # Garbage left by the parent must not close files that are opened from here on.
    gc.freeze()
    _keep_only(control.fileno())
    forget_environment()
    server = os.getpid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    served = 0
    while True:
        message = b""
        with suppress(OSError):
            message, files, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            os._exit(0)
        if served == 1:
            _warm_up()
        served += 1
        for file in files:
            with suppress(OSError):
                if os.fork() == 0:
                    end_with(server)
                    control.close()
                    _converse(socket.socket(fileno=file))
            os.close(file)


def _keep_only(file: int) -> None:
    """Close the files of this process except one; the standard streams lead nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(_STREAMS):
        if stream != file:
            os.dup2(null, stream)
    os.closerange(_STREAMS, file)
    os.closerange(max(file + 1, _STREAMS), _HIGHEST)


def _warm_up() -> None:
    """Load what most documents need, as there will be more than one."""
    readable()
    parse(b"<html><h1>Rivers</h1><p>The river is wide. Dams hold it back.</p></html>", "a.html")


def _converse(connection: socket.socket) -> NoReturn:
    file = connection.detach()
    poll = select.poll()
    poll.register(file, 0)
    # As files, they need no system calls of sockets.
    asked, answers = os.fdopen(file, "rb"), os.fdopen(file, "wb", closefd=False)
    with suppress(OSError):
        _answer(asked, answers, lambda: bool(poll.poll(0)))
    os._exit(0)


def _answer(asked: BinaryIO, answers: BinaryIO, gone: Callable[[], bool]) -> None:
    """Read the file in a request, and answer."""

    def tell(part: bytes) -> None:
        answers.write(part)
        # The process may end before the next part.
        answers.flush()

    def exceed(limit: Exceeded) -> None:
        tell(EXCEEDED + limit.encode())

    request = json.loads(asked.readline())
    data = asked.read(request["size"])
    if len(data) < request["size"]:
        return
    limits = ReadLimits(**request["limits"])
    # While files can still be opened.
    registered_reader(request["name"])
    work = (
        partial(find("apart", request["work"]), **request["wanted"]) if request["work"] else _read
    )
    memory = limits.memory_for(len(data))
    bound(memory, limits.seconds)
    # Before there is another thread, which would keep its rights, and before the first word, which
    # fails if the program ended too early to be noticed.
    isolated = drop_privileges()
    tell(STARTED)
    stop = watch(memory, limits.seconds, exceed=exceed, gone=gone)
    isolated = confine() and isolated
    if request["isolated"] and not isolated:
        answer = REFUSED + _NOT_ISOLATED.format(request["name"] or "The input").encode()
    else:
        answer = _done(work, data, request["name"], limits)
    stop()
    tell(answer)


def _read(data: bytes, name: str, limits: ReadLimits) -> Any:
    return document_to_json(parse(data, name, limits=limits))


def _done(
    work: Callable[[bytes, str, ReadLimits], Any], data: bytes, name: str, limits: ReadLimits
) -> bytes:
    try:
        return DONE + json.dumps(work(data, name, limits), ensure_ascii=False).encode()
    except LongsumError as error:
        return REFUSED + str(error).encode("utf-8", "replace")
    except MemoryError:
        return EXCEEDED + b"memory"
    except Exception as error:
        return CRASHED + f"{type(error).__name__}: {error}".encode("utf-8", "replace")


def main() -> None:
    """Run as a program, on the socket or file at standard input."""
    if sys.argv[1] == MANY:
        serve(socket.socket(fileno=os.dup(0)))
    end_with(os.getppid())
    with suppress(OSError):
        _answer(sys.stdin.buffer, sys.stdout.buffer, lambda: False)
    os._exit(0)
