"""System calls: everything that Linux lets a process do while it reads a file.

A filter of seccomp (Documentation/userspace-api/seccomp_filter.rst of the kernel) needs no rights,
cannot be taken back, and holds for native code too. It names the calls that are allowed, and with
which arguments: memory, reading files, writing to open ones, clocks, signals to itself, exiting.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache

_SET_FILTER, _ALL_THREADS = 1, 1
_ALLOW, _KILL_PROCESS, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
# Instructions of the filter's machine: load a word of its input, mask it, compare, return.
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Offsets of the call's number, architecture and arguments in the filter's input."""
_OTHER_NUMBERS = 0x40000000
"""Numbers from here on are the same calls for programs with another ABI (x32)."""
_NEWER = 424
"""Calls from here on are newer than what C libraries need: without them, they use older ones."""

# The kernel's name for each architecture; its column in the tables.
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
# The calls by which a process is confined.
_CONFINING = """
prctl 157 167, capset 126 91, seccomp 317 277, timer_create 222 107, timer_settime 223 110,
landlock_create_ruleset 444 444, landlock_add_rule 445 445, landlock_restrict_self 446 446
"""
_ALLOWED = """
brk 12 214, munmap 11 215, mremap 25 216, madvise 28 233, futex 202 98,
read 0 63, pread64 17 67, readv 19 65, write 1 64, writev 20 66, lseek 8 62, close 3 57,
fstat 5 80, newfstatat 262 79, statx 332 291, stat 4 -, lstat 6 -, access 21 -, faccessat 269 48,
readlink 89 -, readlinkat 267 78, getdents64 217 61, getcwd 79 17, poll 7 -, ppoll 271 73,
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, sigaltstack 131 132,
restart_syscall 219 128, nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113,
clock_getres 229 114, gettimeofday 96 169, time 201 -, times 100 153, getrusage 98 165,
getrandom 318 278, getpid 39 172, gettid 186 178, getppid 110 173, getuid 102 174, geteuid 107 175,
getgid 104 176, getegid 108 177, uname 63 160, sysinfo 99 179, sched_yield 24 124,
sched_getaffinity 204 123, exit 60 93, exit_group 231 94
"""
_CHECKED = "mmap 9 222, mprotect 10 226, open 2 -, openat 257 56, fcntl 72 25, tgkill 234 131"

_ALL = 0xFFFFFFFF
_WRITABLE, _EXECUTABLE = 2, 4
# Any access but reading, creating, truncating, a file without a name.
_WRITING = 0o3 | 0o100 | 0o1000 | 0o20000000
_SHARING, _PRIVATE, _NO_FILE = 0xF, 2, 0x20
_FLAGS_OF_FILE = (1, 2, 3)
"""The commands of `fcntl` that get and set whether a program inherits a file, and get its mode."""

_Check = tuple[int, int, int]
"""The place of an argument, its bits that matter, and what they must be."""


def system_call(name: str, *arguments: int) -> int:
    """Make one of the calls by which a process is confined; return -1 if it does not exist."""
    machine = _machine()
    if machine is None:
        return -1
    number = _numbers(_CONFINING, machine[1])[name]
    return int(_caller()(*map(ctypes.c_long, (number, *arguments))))


@cache
def _caller() -> Callable[..., int]:
    call = ctypes.CDLL(None).syscall
    call.restype = ctypes.c_long
    return call


def address(data: bytes) -> int:
    """Return the address of an object's bytes; the object has to be kept alive meanwhile."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def refuse_system_calls() -> bool:
    """Refuse all threads of this process every system call but those that readers need.

    Returns:
        Whether the kernel does; it does so only on Linux, on x86-64 and ARM64.
    """
    machine = _machine()
    if machine is None:
        return False
    code = _filter(*machine)
    program = struct.pack("HxxxxxxQ", len(code) // 8, address(code))
    return system_call("seccomp", _SET_FILTER, _ALL_THREADS, address(program)) == 0


@cache
def _machine() -> tuple[int, int] | None:
    if sys.platform != "linux" or struct.calcsize("P") != 8:
        return None
    return _MACHINES.get(platform.machine())


@cache
def _numbers(table: str, column: int) -> dict[str, int]:
    """Return the numbers of the calls that an architecture has."""
    rows = [entry.split() for entry in table.split(",")]
    return {name: int(at[column]) for name, *at in rows if at[column] != "-"}


def _filter(audit: int, column: int) -> bytes:
    """Return the filter's program: eight bytes per instruction (`struct sock_filter`)."""
    checked = _numbers(_CHECKED, column)
    rows = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, 0, 1, _OTHER_NUMBERS),
        (_RETURN, 0, 0, _KILL_PROCESS),
        *(row for call in _numbers(_ALLOWED, column).values() for row in _allow(call)),
        *(
            row
            for name, *checks in _rules()
            if name in checked
            for row in _allow(checked[name], checks)
        ),
        (_IF_AT_LEAST, 0, 1, _NEWER),
        (_RETURN, 0, 0, _ERROR | errno.ENOSYS),
        (_RETURN, 0, 0, _ERROR | errno.EPERM),
    ]
    return b"".join(struct.pack("HBBI", *row) for row in rows)


def _rules() -> list[tuple[str, *tuple[_Check, ...]]]:
    """Return the calls that are allowed if all checks of a rule hold."""
    return [
        # Memory is private to this process; executable memory comes from files and is not writable.
        ("mmap", (3, _SHARING, _PRIVATE), (2, _EXECUTABLE, 0)),
        ("mmap", (3, _SHARING | _NO_FILE, _PRIVATE), (2, _WRITABLE, 0)),
        ("mprotect", (2, _EXECUTABLE, 0)),
        ("open", (1, _WRITING, 0)),
        ("openat", (2, _WRITING, 0)),
        *(("fcntl", (1, _ALL, command)) for command in _FLAGS_OF_FILE),
        # The calls by which a process aborts.
        ("tgkill", (0, _ALL, os.getpid())),
    ]


def _allow(call: int, checks: Sequence[_Check] = ()) -> list[tuple[int, int, int, int]]:
    """Return the instructions that allow a call, or continue with its number if a check fails."""
    if not checks:
        return [(_IF_EQUAL, 0, 1, call), (_RETURN, 0, 0, _ALLOW)]
    rows = [(_IF_EQUAL, 0, 3 * len(checks) + 2, call)]
    for left, (argument, mask, value) in zip(range(len(checks))[::-1], checks, strict=True):
        rows += [
            (_LOAD, 0, 0, _ARGUMENTS + 8 * argument),
            (_AND, 0, 0, mask),
            (_IF_EQUAL, 0, 3 * left + 1, value),
        ]
    return [*rows, (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _NUMBER)]
