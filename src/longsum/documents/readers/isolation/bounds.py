"""Bounds on this process: memory, processor time, time, files, network, other programs."""

import math
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, process_time
from typing import Any, Literal

from longsum.documents.readers.isolation.system_calls import refuse_system_calls

Exceeded = Literal["memory", "seconds"]

_SECONDS_BETWEEN_LOOKS = 0.01
# Address space reserved beyond what is used: stacks, arenas, a stream while it is copied.
_SLACK = 2**28
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


def confine() -> None:
    """Refuse this process the network, other programs and new files, from now on.

    On Linux, the kernel refuses it sockets and programs (`system_calls`). Everywhere, Python
    refuses them too, which binds its own code, but not a parser that a file has taken over. Where
    the system has such limits, no file that it writes can grow, and a crash leaves no core.
    """
    try:
        import resource
    except ImportError:
        pass
    else:
        for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
            with suppress(OSError, ValueError):
                resource.setrlimit(limit, (0, 0))
    refuse_system_calls()
    sys.addaudithook(_refuse)


def _refuse(event: str, _: tuple[Any, ...]) -> None:
    if event in _FORBIDDEN:
        raise PermissionError(f"{event} is not allowed while a file is read")


def bound(
    memory: int, seconds: float, *, exceed: Callable[[Exceeded], None], gone: Callable[[], bool]
) -> Callable[[], None]:
    """End this process once it uses so much more memory than now, or so much time.

    A thread watches; where native code keeps it from running, the system ends the process a little
    later.

    Args:
        memory: Bytes, beyond what is used now.
        seconds: Seconds of processor time; half as many again may pass.
        exceed: Called before the process ends with what it exceeded.
        gone: Whether nobody waits for this process any more, so that it ends.

    Returns:
        What ends the watch.
    """
    memory_now = _resident()
    start, time_now = monotonic(), process_time()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_SECONDS_BETWEEN_LOOKS):
            used = _resident()
            beyond: Exceeded | None = None
            if used is not None and memory_now is not None and used > memory_now + memory:
                beyond = "memory"
            elif process_time() - time_now > seconds or monotonic() - start > _PATIENCE * seconds:
                beyond = "seconds"
            if beyond or gone():
                if beyond:
                    exceed(beyond)
                os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    _bound_by_the_system(memory, seconds)
    return done.set


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


def _bound_by_the_system(memory: int, seconds: float) -> None:
    """Let the system refuse or end what the watching thread would notice too late."""
    try:
        import resource
    except ImportError:
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, longest(seconds))
    _lower(resource.RLIMIT_CPU, math.ceil(process_time() + seconds) + 1)
    with suppress(OSError, ValueError, IndexError):
        held = int(Path("/proc/self/statm").read_bytes().split()[0])
        _lower(resource.RLIMIT_AS, held * os.sysconf("SC_PAGE_SIZE") + memory + _SLACK)


def _lower(limit: int, ceiling: int) -> None:
    import resource

    with suppress(OSError, ValueError):
        hard = resource.getrlimit(limit)[1]
        soft = ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard)
        resource.setrlimit(limit, (soft, hard))
