"""Bounds on a process while it reads: on memory and time, and on anything but reading.

Its memory and time are bounded, and it gives up the network, other programs, files, rights and the
environment.
"""

import ctypes
import math
import os
import signal
import stat
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import chain
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
# Address space reserved beyond what is used: stacks, arenas, a stream being copied.
_SLACK = 2**28
# The clock of the timer that ends a process.
_MONOTONIC = 1
_PATIENCE = 1.5
"""How many times its seconds a process may take on a busy machine."""
_GRACE = 10
"""Seconds past its limit after which the system ends a process that cannot end itself."""
# Python's audit events for sockets, programs and processes.
_FORBIDDEN = (
    *("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo"),
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile"),
    "os.kill",
)


def longest(seconds: float) -> float:
    """Return the seconds after which a process with a limit has certainly ended."""
    return _PATIENCE * seconds + _GRACE


def confine() -> bool:
    """Refuse this process the network, other programs and processes, and writing, from now on.

    On Linux, the kernel refuses it everything but what readers need (`system_calls`). Everywhere,
    Python refuses them too, which binds its own code, but not a parser that a file has taken over.
    If the system has such limits, no file that it writes can grow, it can start no process, and a
    crash leaves no core dump.

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
    """Have the system end this process: on Linux by a signal that it cannot block."""
    # What a timer sends: a value that nobody reads, the signal, and that it is a signal.
    event, timer = struct.pack("QiI48x", 0, signal.SIGKILL, 0), ctypes.c_int()
    if system_call("timer_create", _MONOTONIC, address(event), ctypes.addressof(timer)) == 0:
        once = struct.pack("16x2q", math.ceil(seconds), 0)
        system_call("timer_settime", timer.value, 0, address(once), 0)
    else:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def watch(
    memory: int, seconds: float, *, exceed: Callable[[Exceeded], None], gone: Callable[[], bool]
) -> Callable[[], None]:
    """End this process once it exceeds a bound on further memory, or on time.

    A thread watches; if native code keeps it from running, `bound` takes over.

    Args:
        memory: Bytes, beyond what is used now.
        seconds: Seconds of processor time; half as many again may pass.
        exceed: Called before the process ends with what it exceeded.
        gone: Tells whether nobody waits for this process any more, so that it ends.

    Returns:
        A function that ends the watch.
    """
    memory_now = _most_memory()
    start, time_now = monotonic(), process_time()
    done = threading.Event()

    def look() -> None:
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

    def keep_looking() -> None:
        while not done.wait(_SECONDS_BETWEEN_LOOKS):
            look()

    def stop() -> None:
        done.set()
        thread.join()
        # Covers the time when the thread did not run: the maximum is over the process's whole life.
        look()

    thread = threading.Thread(target=keep_looking, daemon=True)
    thread.start()
    return stop


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


_SIGNAL_AT_PARENTS_DEATH, _SET_DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_CAPABILITIES = 0x20080522
"""The version of the input of `capset`: a header, and two words for each of three sets."""

# Landlock (Documentation/userspace-api/landlock.rst of the kernel): rights on files, of which a
# version of it knows so many; on the network, and on signals and sockets, from a version on.
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_RIGHTS_ON_FILES = (0, 13, 14, 15, 15, 16)
_KNOWS_NETWORK, _KNOWS_SIGNALS = 4, 6
_VERSION, _BENEATH = 1, 1

# The libraries that readers load on demand, and files that those look up.
_LIBRARIES = ("charset_normalizer", "lxml", "markdown_it", "nupunkt", "pypdfium2")
_SYSTEM = (
    *("/etc/ld.so.cache", "/nix/store", "/gnu/store"),
    *("/usr/share/fonts", "/usr/share/X11/fonts", "/usr/local/share/fonts"),
)


def drop_privileges() -> bool:
    """Leave this thread, and those it starts, only the reading of Python's and libraries' files.

    On Linux, other processes cannot inspect this one either, a crash leaves no copy of its memory,
    and root loses its rights over other users' files. The user id stays, since Python may be
    installed where only root can read it.

    Returns:
        Whether the kernel refuses all other files.
    """
    system_call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)
    if system_call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    shut = _shut_files()
    header, none = struct.pack("Ii", _CAPABILITIES, 0), bytes(24)
    system_call("capset", address(header), address(none))
    return shut


def end_with(parent: int) -> None:
    """Have the kernel end this process with the one that started it; only on Linux."""
    system_call("prctl", _SIGNAL_AT_PARENTS_DEATH, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def forget_environment() -> None:
    """Overwrite the environment in the memory of this process: Python's, C's, the system's."""
    if sys.platform != "linux":
        return
    from posix import environ

    for value in environ.values():
        # Python shares shorter ones among all uses.
        if len(value) > 1:
            ctypes.memset(address(value), 0, len(value))
    names = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
    place = 0
    while names and (entry := names[place]):
        ctypes.memset(entry, 0, len(ctypes.string_at(entry)))
        place += 1
    os.environ.clear()
    with suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = int(fields[47]), int(fields[48])
        ctypes.memset(start, 0, end - start)


@cache
def readable() -> tuple[str, ...]:
    """Return the files and folders that readers may read, whether they exist or not."""
    places = set(_SYSTEM)
    for prefix in (sys.prefix, sys.base_prefix, "", "/usr", "/usr/local"):
        places |= {f"{prefix}/lib", f"{prefix}/lib64"}
    packages = {Path(__file__).parents[3]}
    for library in _LIBRARIES:
        found = find_spec(library)
        if found and found.origin:
            packages.add(Path(found.origin).parents[1])
    return (*places, *map(str, packages), *chain.from_iterable(map(_linked, packages)))


def _linked(folder: Path) -> Iterator[str]:
    """Yield the locations of packages that a folder only links to, as with some installers."""
    with suppress(OSError), os.scandir(folder) as packages:
        for package in packages:
            if package.is_symlink():
                yield os.path.realpath(package)
            elif package.is_dir():
                with os.scandir(package) as files:
                    file = next((each for each in files if not each.is_dir()), package)
                if file.is_symlink():
                    yield str(Path(file).resolve().parent)


def _shut_files() -> bool:
    version = system_call("landlock_create_ruleset", 0, 0, _VERSION)
    if version < 1:
        return False
    handled = struct.pack(
        "QQQ",
        (1 << _RIGHTS_ON_FILES[min(version, len(_RIGHTS_ON_FILES) - 1)]) - 1,
        3 if version >= _KNOWS_NETWORK else 0,
        3 if version >= _KNOWS_SIGNALS else 0,
    )
    rules = system_call("landlock_create_ruleset", address(handled), len(handled), 0)
    if rules < 0:
        return False
    for place in readable():
        with suppress(OSError):
            opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
            rights = _READ_FILE | (_READ_FOLDER if stat.S_ISDIR(os.fstat(opened).st_mode) else 0)
            rule = struct.pack("=Qi", rights, opened)
            system_call("landlock_add_rule", rules, _BENEATH, address(rule), 0)
            os.close(opened)
    shut = system_call("landlock_restrict_self", rules, 0) == 0
    os.close(rules)
    return shut
