"""What native code can do in the reading process: every action is tried, as root and others.

Each is a system call without Python between, on files, processes and memory of the test alone.
"""

import ctypes
import errno
import io
import json
import mmap
import os
import platform
import signal
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from time import sleep

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers import detect
from longsum.documents.readers.isolation import bounds, system_calls, worker
from longsum.documents.readers.isolation import bounds as rights
from longsum.documents.readers.isolation.reading_process import read_apart
from longsum.documents.readers.limits import ReadLimits

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in system_calls._MACHINES,
    reason="the kernel confines on Linux alone",
)
_REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
_NOBODY = 65534
_COLUMN = int(platform.machine() == "aarch64")
_ALLOWED = system_calls._numbers(system_calls._ALLOWED + "," + system_calls._CHECKED, _COLUMN)
_NUMBERS = {
    **_ALLOWED,
    **system_calls._numbers(system_calls._CONFINING, _COLUMN),
    **system_calls._numbers(
        """
        creat 85 -, unlink 87 -, unlinkat 263 35, rename 82 -, renameat2 316 276, truncate 76 45,
        ftruncate 77 46, chmod 90 -, fchmod 91 52, fchmodat 268 53, fchownat 260 54, link 86 -,
        linkat 265 37, symlinkat 266 36, mkdirat 258 34, mknodat 259 33, utimensat 280 88,
        setxattr 188 5, kill 62 129, tkill 200 130, rt_sigqueueinfo 129 138, pidfd_open 434 434,
        pidfd_send_signal 424 424, process_vm_writev 311 271, process_vm_readv 310 270,
        ptrace 101 117, clone 56 220, fork 57 -, clone3 435 435, execve 59 221, execveat 322 281,
        socket 41 198, socketpair 53 199, sendto 44 206, memfd_create 319 279, userfaultfd 323 282,
        bpf 321 280, perf_event_open 298 241, keyctl 250 219, io_uring_setup 425 425,
        openat2 437 437, prlimit64 302 261, sched_setaffinity 203 122, setitimer 38 103, dup 32 23,
        ioctl 16 29, shmget 29 194, unshare 272 97, mount 165 40, chroot 161 51, setuid 105 146,
        timer_delete 226 111, memfd_secret 447 447, pkey_mprotect 329 288, personality 135 92
        """,
        _COLUMN,
    ),
}


def _call(name: str, *arguments: int | bytes) -> int:
    """Make a system call; return 0 or the error, which is ENOSYS if there is no such call."""
    given = [
        system_calls.address(value) if isinstance(value, bytes) else value for value in arguments
    ]
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    number = _NUMBERS.get(name)
    if number is None:
        return errno.ENOSYS
    done = library.syscall(*map(ctypes.c_long, (number, *given)))
    if done == 0 and name in ("fork", "clone"):
        os._exit(0)
    return ctypes.get_errno() if done == -1 else 0


def _confine() -> bool:
    """Confine this process like a reading process."""
    bounds.bound(10**9, 60)
    shut = rights.drop_privileges()
    bounds.watch(10**9, 60, exceed=lambda _: None, gone=lambda: False)
    return bounds.confine() and shut


def _told(work: Callable[[], object]) -> tuple[object, int]:
    """Run work in a copy of this process; return its result, and how the copy ended."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            os.write(write, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        said = answer.read()
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(said) if said else None, ended


def _attacks(folder: Path, parent: int, victim: int, memory: int, opened: int) -> Iterator[object]:
    """Do what native code might try; yield each attempt and its error."""
    here, other, new = (bytes(folder / name) + b"\0" for name in ("file", "other", "new"))
    at, word = -100, b"attacked"
    piece = struct.pack("QQ", system_calls.address(word), len(word))
    there = struct.pack("QQ", memory, len(word))
    pidfd = os.pidfd_open(victim)
    inside = [name.encode() + b"\0" for name in ("/proc/self/environ", f"/proc/{parent}/environ")]
    of_parent = f"/proc/{parent}/mem".encode() + b"\0"
    clone_arguments = struct.pack("11Q", 0, 0, 0, 0, signal.SIGCHLD, *[0] * 6)
    program = b"/bin/true\0"
    timer = struct.pack("4q", 0, 0, 0, 0)
    yield "confined", _confine()
    for name, *arguments in (
        ("unlink", here), ("unlinkat", at, here, 0), ("rename", here, new),
        ("renameat2", at, here, at, new, 0), ("truncate", here, 0), ("ftruncate", opened, 0),
        ("chmod", here, 0), ("fchmod", opened, 0), ("fchmodat", at, here, 0),
        ("fchownat", at, here, os.getuid(), os.getgid(), 0), ("link", here, new),
        ("linkat", at, here, at, new, 0), ("symlinkat", here, at, new), ("creat", new, 0o666),
        ("mkdirat", at, new, 0o777), ("mknodat", at, new, 0o100666, 0),
        ("utimensat", at, here, 0, 0), ("setxattr", here, b"user.a\0", word, 8, 0),
        *(("openat", at, here, mode) for mode in (os.O_WRONLY, os.O_RDWR, 3, os.O_TRUNC)),
        ("openat", at, new, os.O_CREAT, 0o666), ("open", here, os.O_TRUNC),
        ("openat", at, bytes(folder) + b"\0", os.O_TMPFILE | os.O_RDWR, 0o600),
        ("openat2", at, here, struct.pack("QQQ", os.O_RDWR, 0, 0), 24),
        ("mmap", 0, 4096, 3, 1, opened, 0), ("mmap", 0, 4096, 3, 3, opened, 0),
        ("mmap", 0, 4096, 7, 0x22, -1, 0), ("mmap", 0, 4096, 5, 0x22, -1, 0),
        ("mprotect", memory & ~4095, 4096, 7), ("pkey_mprotect", memory & ~4095, 4096, 7, -1),
        *(("openat", at, place, os.O_RDONLY) for place in (other, *inside, of_parent)),
        ("openat", at, of_parent, os.O_RDWR), ("ptrace", 0x4206, parent, 0, 0),
        ("process_vm_writev", parent, piece, 1, there, 1, 0),
        ("process_vm_readv", parent, piece, 1, there, 1, 0),
        ("kill", victim, 9), ("tkill", victim, 9), ("tgkill", victim, victim, 9),
        ("rt_sigqueueinfo", victim, 9, bytes(128)), ("pidfd_open", victim, 0),
        ("pidfd_send_signal", pidfd, 9, 0, 0), ("fcntl", opened, 8, victim),
        ("prlimit64", parent, 4, bytes(16), 0), ("sched_setaffinity", victim, 8, word),
        ("fork",), ("clone", signal.SIGCHLD, 0, 0, 0, 0), ("clone3", clone_arguments, 88),
        ("clone", 0x10F00, 0, 0, 0, 0),
        ("execve", program, bytes(8), bytes(8)), ("execveat", at, program, bytes(8), bytes(8), 0),
        *(("socket", family, 1, 0) for family in (1, 2, 10, 40)), ("socket", 16, 3, 0),
        ("socketpair", 1, 1, 0, bytes(8)), ("sendto", opened, word, 8, 0, 0, 0),
        ("io_uring_setup", 4, bytes(120)), ("memfd_create", word + b"\0", 0), ("memfd_secret", 0),
        ("userfaultfd", 1), ("bpf", 0, bytes(128), 128), ("keyctl", 0, -3, 1),
        ("perf_event_open", bytes(128), 0, -1, -1, 0), ("shmget", 0, 4096, 0o1600),
        ("ioctl", 0, 0x5412, word), ("dup", opened), ("unshare", 0x10000000), ("setuid", 0),
        ("mount", here, here, 0, 4096, 0), ("chroot", bytes(folder) + b"\0"),
        ("prctl", 1, 0, 0, 0, 0), ("prctl", 4, 1, 0, 0, 0), ("personality", 0x0400000),
        ("seccomp", 1, 0, 0), ("timer_delete", 0), ("timer_settime", 0, 0, timer, 0),
        ("setitimer", 0, timer, 0), ("capset", bytes(8), bytes(24)),
    ):  # fmt: skip
        yield f"{name} {arguments}", _call(name, *arguments)


def _attacked(folder: Path, user: int) -> object:
    """Attack as a user; return the error of each attack, and the visible harm."""
    if user != os.getuid():
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    memory = ctypes.create_string_buffer(b"unharmed", 8)
    opened = os.open(folder / "file", os.O_RDWR)
    victim = os.fork()
    if victim == 0:
        sleep(60)
        os._exit(0)
    at = ctypes.addressof(memory)
    parent = os.getpid()
    tried, _ = _told(lambda: list(_attacks(folder, parent, victim, at, opened)))
    unharmed = os.waitpid(victim, os.WNOHANG) == (0, 0)
    with suppress(OSError):
        os.kill(victim, signal.SIGKILL)
    return tried, bytes(memory).decode(), unharmed


@pytest.mark.parametrize("user", [0, _NOBODY])
def test_native_code_is_refused_every_action(user: int) -> None:
    if os.getuid() not in (0, user):
        user = os.getuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        for file in ("file", "other"):
            (folder / file).write_text("unharmed")
            (folder / file).chmod(0o666)
        found, _ = _told(lambda: _attacked(folder, user))
        assert sorted(path.name for path in folder.iterdir()) == ["file", "other"]
        assert (folder / "file").read_text() == "unharmed"
        assert (folder / "file").stat().st_mode & 0o777 == 0o666
    tried, memory, unharmed = found
    if not tried[0][1]:
        pytest.skip("this kernel does not confine")
    assert (memory, unharmed) == ("unharmed", True)
    assert [(name, wrong) for name, wrong in tried[1:] if wrong not in _REFUSED] == []


def test_the_filters_are_the_tested_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an intended change, the other tests show on either architecture whether it works."""
    monkeypatch.setattr(system_calls.os, "getpid", lambda: 7)
    told = sha256(
        repr([system_calls._numbers(system_calls._CONFINING, n) for n in (0, 1)]).encode()
    )
    for machine in system_calls._MACHINES.values():
        told.update(system_calls._filter(*machine))
    assert told.hexdigest() == "228e07274c8eff5dd29309f63a24526071f65ebeca5635250a6a48fa631a7b05"


def test_python_refuses_connections_and_programs_by_their_events() -> None:
    events = """socket.__new__ socket.connect socket.bind socket.getaddrinfo subprocess.Popen
    os.system os.exec os.posix_spawn os.spawn os.startfile os.kill"""
    for event in events.split():
        with pytest.raises(PermissionError, match=f"^{event} is not allowed"):
            bounds._refuse(event, ())
    bounds._refuse("open", ("a.txt",))


@pytest.mark.parametrize("version", range(1, 9))
def test_landlock_is_used_within_its_version(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, ...]] = []

    def answered(_: str, place: int, size: int, flags: int) -> int:
        if not flags:
            asked.append(struct.unpack("QQQ", ctypes.string_at(place, size)))
        return version if flags else -1

    monkeypatch.setattr(bounds, "system_call", answered)
    assert not bounds._shut_files()
    rights = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    assert asked == [((1 << rights) - 1, 3 * (version > 3), 3 * (version > 5))]


@pytest.mark.parametrize("user", [0, _NOBODY])
def test_every_other_system_call_is_refused_whatever_it_is_called(user: int) -> None:
    """This includes those of newer kernels: the filter lists allowed calls, not forbidden ones."""
    allowed = {*system_calls._numbers(system_calls._ALLOWED, _COLUMN).values()}
    # By these its own probes return, past every filter; whoever else calls them is ended.
    allowed |= {335, 336} if _COLUMN == 0 else set()

    def tried() -> object:
        if os.getuid() == 0:
            os.setuid(user)
        if not _confine():
            return None
        _NUMBERS.update((str(number), number) for number in range(1024))
        others = [number for number in range(1024) if number not in allowed]
        return [number for number in others if _call(str(number), *[-1] * 6) not in _REFUSED]

    found, ended = _told(tried)
    if found is None and ended == 0:
        pytest.skip("this kernel does not confine")
    assert found == []


def test_all_work_in_separate_processes_is_confined(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """Page images and tables are made by other functions than reading, under the same filter."""
    file = tmp_path / "file"
    file.write_text("unharmed")

    def work(*_: object) -> list[int]:
        here = bytes(file) + b"\0"
        return [_call("socket", 2, 1, 0), _call("unlinkat", -100, here, 0), _call("truncate", here)]

    monkeypatch.setattr(worker, "find", lambda group, name: {("apart", "any"): work}[group, name])

    def answer() -> str:
        request = worker.write_request("a.txt", b".", ReadLimits(), work="any") + b"."
        answers = io.BytesIO()
        worker._answer(io.BytesIO(request), answers, lambda: False)
        return answers.getvalue().decode()

    if not _told(_confine)[0]:
        pytest.skip("this kernel does not confine")
    wrong = json.loads(str(_told(answer)[0]).removeprefix(".D"))
    assert len(wrong) == 3
    assert set(wrong) <= set(_REFUSED)
    assert file.read_text() == "unharmed"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 is of x86-64")
def test_numbers_of_other_programs_end_the_process() -> None:
    def call() -> object:
        return _confine() and ctypes.CDLL(None).syscall(0x40000000 + _NUMBERS["getpid"])

    assert _told(call) in ((False, 0), (None, -signal.SIGSYS))


def test_nothing_is_left_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGSUM_KEY", "a long secret")
    inherited = next(iter(Path("/proc/self/environ").read_bytes().split(b"\0"))).decode()

    def left() -> list[bool]:
        value = os.environb[b"LONGSUM_KEY"]
        library = ctypes.CDLL(None)
        library.getenv.restype = ctypes.c_char_p
        key = library.getenv(b"LONGSUM_KEY")
        rights.forget_environment()
        block = Path("/proc/self/environ").read_bytes()
        gone = library.getenv(b"LONGSUM_KEY")
        return [key == b"a long secret", not gone, not any(value), not any(block), not os.environ]

    assert inherited
    assert _told(left)[0] == [True] * 5


@pytest.mark.parametrize("missing", ["confine", "drop_privileges"])
@pytest.mark.parametrize("isolated", [True, False])
def test_a_file_is_refused_if_required_isolation_is_missing(
    missing: str, isolated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "drop_privileges", lambda: True)
    monkeypatch.setattr(worker, "confine", lambda: True)
    monkeypatch.setattr(worker, missing, lambda: False)
    data = b"The river is wide."

    def answer() -> str:
        request = worker.write_request("a.txt", data, ReadLimits(), isolated=isolated) + data
        answers = io.BytesIO()
        worker._answer(io.BytesIO(request), answers, lambda: False)
        return answers.getvalue().decode()

    said = str(_told(answer)[0])
    assert said.startswith(".Ra.txt is not read, since" if isolated else ".D{")


def test_reading_in_isolation_gives_the_same_document_or_an_error() -> None:
    page = b"<html lang=en><h1>Rivers</h1><p>The river is wide. Dams hold it."
    confines = _told(_confine)[0]
    with suppress(LongsumError) if not confines else nullcontext():
        read = read_apart(page, "a.html", ReadLimits(), isolated=True)
        assert read == detect.parse(page, "a.html")


def test_memory_freed_between_two_checks_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_SECONDS_BETWEEN_LOOKS", 600)

    def work(size: int) -> str:
        told: list[str] = []
        stop = bounds.watch(30_000_000, 600, exceed=told.append, gone=lambda: False)
        monkeypatch.setattr(os, "_exit", lambda _: None)
        # Mapped, since what is allocated may be a hole in the heap that was there all along.
        with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE) as mapped:
            mapped[:: mmap.PAGESIZE] = b"a" * len(range(0, size, mmap.PAGESIZE))
        stop()
        monkeypatch.undo()
        return " ".join(told)

    assert _told(lambda: work(1_000)) == ("", 0)
    assert _told(lambda: work(200_000_000)) == ("memory", 0)


def test_packages_that_an_installer_linked_may_be_read(tmp_path: Path) -> None:
    store, site = tmp_path / "store", tmp_path / "site"
    for name in ("linked", "of_links", "own"):
        (store / name).mkdir(parents=True)
        (store / name / "__init__.py").write_text("", encoding="utf-8")
    for name in ("of_links", "own"):
        (site / name / "inner").mkdir(parents=True)
    (site / "linked").symlink_to(store / "linked")
    (site / "of_links" / "__init__.py").symlink_to(store / "of_links" / "__init__.py")
    (site / "own" / "__init__.py").write_text("", encoding="utf-8")
    assert {*bounds._linked(site)} == {str(store / "linked"), str(store / "of_links")}
