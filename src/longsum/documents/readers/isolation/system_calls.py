"""System calls that Linux refuses this process: sockets, programs, other processes.

A filter of seccomp (Documentation/userspace-api/seccomp_filter.rst of the kernel) needs no rights,
cannot be taken back, and holds for native code too.
"""

import ctypes
import errno
import platform
import struct
import sys
from dataclasses import dataclass

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_ALLOW, _KILL_PROCESS, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
# Instructions of the filter's machine: load a word of what it is given, compare, return.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
"""Offsets of the system call's number and architecture in what the filter is given."""
_OTHER_NUMBERS = 0x40000000
"""Numbers from here on are the same calls for programs of another kind (x32)."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """An architecture, and the numbers of the calls that are refused on it."""

    audit: int
    calls: tuple[int, ...]


# socket, connect, bind, io_uring_setup (which can open sockets); execve, execveat; ptrace,
# process_vm_readv, process_vm_writev, pidfd_getfd, kill.
_MACHINES = {
    "x86_64": _Machine(0xC000003E, (41, 42, 49, 425, 59, 322, 101, 310, 311, 438, 62)),
    "aarch64": _Machine(0xC00000B7, (198, 203, 200, 425, 221, 281, 117, 270, 271, 438, 129)),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def refuse_system_calls() -> bool:
    """Refuse this process, and what it starts, sockets, programs and other processes.

    Returns:
        Whether the kernel does; it does not but on Linux, on x86-64 and ARM64.
    """
    machine = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or machine is None or sys.maxsize < 2**32:
        return False
    code = ctypes.create_string_buffer(_filter(machine))
    program = _Program(len(code) // 8, ctypes.cast(code, ctypes.c_void_p))
    control = ctypes.CDLL(None).prctl
    control.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
    if control(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    return not control(_SET_SECCOMP, _FILTER, ctypes.addressof(program), 0, 0)


def _filter(machine: _Machine) -> bytes:
    """Return the filter's program: eight bytes an instruction (`struct sock_filter`)."""
    count = len(machine.calls)
    rows = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, count + 1, 0, _OTHER_NUMBERS),
        # Each leads to the last instruction.
        *((_IF_EQUAL, count - place, 0, call) for place, call in enumerate(machine.calls)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERROR | errno.EPERM),
    ]
    return b"".join(struct.pack("HBBI", *row) for row in rows)
