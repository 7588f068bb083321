"""Bounds on this process: memory, processor time, time, files, network, other programs."""

import ctypes
import math
import os
import signal
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, process_time
from typing import Any, Literal

from longsum.documents.readers.isolation.system_calls import (
    address,
    refuse_system_calls,
    system_call,
)

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

Exceeded = Literal["memory", "seconds"]

_SECONDS_BETWEEN_LOOKS = 0.01
# Address space reserved beyond what is used: stacks, arenas, a stream while it is copied.
_SLACK = 2**28
# The clock of the timer that ends a process.
_MONOTONIC = 1
_PATIENCE = 1.5
"""Times its seconds that a process may take on a machine that is busy with something else."""
_GRACE = 10
"""Seconds past its limit after which the system ends a process that cannot end itself."""
# What Python reports of sockets, programs and processes (the table of audit events).
_FORBIDDEN = (
    *("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo"),
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile"),
    "os.kill",
)


def longest(seconds: float) -> float:
    """Return the seconds after which a process that may take so many has ended for certain."""
    return _PATIENCE * seconds + _GRACE


def confine() -> bool:
    """Refuse this process the network, other programs and processes, and writing, from now on.

    On Linux, the kernel refuses it all but what readers need (`system_calls`). Everywhere, Python
    refuses them too, which binds its own code, but not a parser that a file has taken over. Where
    the system has such limits, no file that it writes can grow, it can start no process, and a
    crash leaves no core.

    Returns:
        Whether the kernel refuses.
    """
    if resource:
        for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_NPROC):
            _lower(limit, 0)
    confined = refuse_system_calls()
    sys.addaudithook(_refuse)
    return confined


def _refuse(event: str, _: tuple[Any, ...]) -> None:
    if event in _FORBIDDEN:
        raise PermissionError(f"{event} is not allowed while a file is read")


def bound(memory: int, seconds: float) -> None:
    """Let the system refuse or end what `watch` would notice too late.

    Args:
        memory: Bytes, beyond what is used now.
        seconds: Seconds of processor time; half as many again may pass.
    """
    if not resource:
        return
    _end_after(longest(seconds))
    _lower(resource.RLIMIT_CPU, math.ceil(process_time() + seconds) + 1)
    with suppress(OSError, ValueError, IndexError):
        held = int(Path("/proc/self/statm").read_bytes().split()[0])
        _lower(resource.RLIMIT_AS, held * os.sysconf("SC_PAGE_SIZE") + memory + _SLACK)


def _end_after(seconds: float) -> None:
    """Have the system end this process: on Linux by a signal that it cannot keep off."""
    # What a timer sends: a value that nobody reads, the signal, and that it is a signal.
    event, timer = struct.pack("QiI48x", 0, signal.SIGKILL, 0), ctypes.c_int()
    if system_call("timer_create", _MONOTONIC, address(event), ctypes.addressof(timer)) == 0:
        once = struct.pack("4q", 0, 0, int(seconds), int(seconds % 1 * 1e9))
        system_call("timer_settime", timer.value, 0, address(once), 0)
    else:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def watch(
    memory: int, seconds: float, *, exceed: Callable[[Exceeded], None], gone: Callable[[], bool]
) -> Callable[[], None]:
    """End this process once it uses so much more memory than now, or so much time.

    A thread watches; where native code keeps it from running, `bound` does.

    Args:
        memory: Bytes, beyond what is used now.
        seconds: Seconds of processor time; half as many again may pass.
        exceed: Called before the process ends with what it exceeded.
        gone: Whether nobody waits for this process any more, so that it ends.

    Returns:
        What ends the watch.
    """
    memory_now = _most_memory()
    start, time_now = monotonic(), process_time()
    done = threading.Event()

    def look() -> None:
        while not done.wait(_SECONDS_BETWEEN_LOOKS):
            used = _most_memory()
            beyond: Exceeded | None = None
            if used is not None and memory_now is not None and used > memory_now + memory:
                beyond = "memory"
            elif process_time() - time_now > seconds or monotonic() - start > _PATIENCE * seconds:
                beyond = "seconds"
            if beyond or gone():
                if beyond:
                    exceed(beyond)
                os._exit(1)

    threading.Thread(target=look, daemon=True).start()
    return done.set


def _most_memory() -> int | None:
    """Return the most resident memory that this process has had, in bytes; None on Windows."""
    if not resource:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _lower(limit: int, ceiling: int) -> None:
    """Lower a limit for good."""
    with suppress(OSError, ValueError):
        hard = resource.getrlimit(limit)[1]
        lowest = ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard)
        resource.setrlimit(limit, (lowest, lowest))
