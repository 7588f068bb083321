"""What a process gives up before it reads: files, rights, the environment, outliving its parent."""

import ctypes
import os
import signal
import stat
import struct
import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from longsum.documents.readers.isolation.system_calls import address, system_call

_SIGNAL_AT_PARENTS_DEATH, _SET_DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_CAPABILITIES = 0x20080522
"""The version of what `capset` is given: a header, and two words each of three sets."""

# Landlock (Documentation/userspace-api/landlock.rst of the kernel): rights on files, of which a
# version of it knows so many; on the network, and on signals and sockets, from a version on.
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_RIGHTS_ON_FILES = (0, 13, 14, 15, 15, 16)
_KNOWS_NETWORK, _KNOWS_SIGNALS = 4, 6
_VERSION, _BENEATH = 1, 1

# The libraries that readers load when they need them, and what those look up.
_LIBRARIES = ("charset_normalizer", "lxml", "markdown_it", "nupunkt", "pypdfium2")
_SYSTEM = (
    *("/etc/ld.so.cache", "/nix/store", "/gnu/store"),
    *("/usr/share/fonts", "/usr/share/X11/fonts", "/usr/local/share/fonts"),
)


def give_up_rights() -> bool:
    """Leave this thread, and those it starts, the files of Python and of libraries, to be read.

    On Linux, other processes cannot look into this one either, a crash leaves no copy of its
    memory, and root has the rights of no other user. Its number stays, since Python may be
    installed where root alone can read it.

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
    """Have the kernel end this process with the one that started it; on Linux alone."""
    system_call("prctl", _SIGNAL_AT_PARENTS_DEATH, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def forget_environment() -> None:
    """Overwrite the environment in the memory of this process: Python's, C's, the system's."""
    if sys.platform != "linux":
        return
    from posix import environ

    for value in environ.values():
        # Shorter ones are shared by all that Python knows.
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
    for library in _LIBRARIES:
        found = find_spec(library)
        if found and found.origin:
            places.add(str(Path(found.origin).parents[1]))
    places.add(str(Path(__file__).parents[3]))
    return tuple(places)


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
