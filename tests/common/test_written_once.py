"""Of several processes that write a file, the first to finish wins, with hard links or without."""

import errno
import fcntl
import os
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread
from unittest.mock import Mock

import pytest

from longsum import LongsumError
from longsum.common.shared_files import is_locked, locked, written_once

REFUSALS = ("EPERM", "ENOTSUP", "ENOSYS", "EXDEV", "EMLINK", "EACCES", "EINVAL")
WATCHED = ((os, "link"), (os, "rename"), (os, "fsync"), (os, "unlink"), (fcntl, "flock"))
"""Calls of the system at which a process is killed."""


def refuse(number: int) -> Mock:
    return Mock(side_effect=OSError(number, os.strerror(number)))


def write(path: Path, content: bytes) -> None:
    with written_once(path) as part:
        part.write_bytes(content)


def shown(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


@pytest.fixture(params=[None, *REFUSALS])
def links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Simulate a file system with hard links, or one that refuses them."""
    if request.param is not None:
        monkeypatch.setattr(os, "link", refuse(getattr(errno, request.param)))
    return request.param


def test_the_first_stays(tmp_path: Path, links: str | None) -> None:
    path = tmp_path / "rows"
    with written_once(path) as slower:
        slower.write_bytes(b"slower")
        write(path, b"first")
    write(path, b"late")
    assert path.read_bytes() == b"first"
    assert shown(tmp_path) == ["rows"]
    assert not list(tmp_path.glob("*.part"))
    hidden = [name.name for name in tmp_path.iterdir() if name.name.startswith(".")]
    assert hidden == ([] if links is None else [".longsum.lock"])


def test_of_many_at_once_one_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", refuse(errno.EPERM))
    exists = Path.exists

    def slowly(path: Path) -> bool:
        found = exists(path)
        # Another takes its turn here, if it can.
        time.sleep(0.005)
        return found

    monkeypatch.setattr(Path, "exists", slowly)
    path, together = tmp_path / "rows", Barrier(6)
    seen: list[bytes] = []

    def commit(number: int) -> None:
        together.wait()
        write(path, b"%d" % number)
        seen.append(path.read_bytes())

    threads = [Thread(target=commit, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 6
    assert set(seen) == {path.read_bytes()}


def killed(act: Callable[[], None], at: int) -> bool:
    """Run a function in a process that is killed before a system call; return whether it was.

    Args:
        act: What to do.
        at: Which of the calls that are watched, from 0 on.
    """
    child = os.fork()
    if child == 0:
        calls: Iterator[int] = iter(range(at + 1))
        with pytest.MonkeyPatch.context() as patched:
            for module, name in WATCHED:
                original = getattr(module, name)

                def call(*given, original=original, **named):
                    if next(calls, at) == at:
                        os.kill(os.getpid(), signal.SIGKILL)
                    return original(*given, **named)

                patched.setattr(module, name, call)
            act()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize("refused", [False, True])
def test_a_killed_process_leaves_the_whole_file_or_none(tmp_path, refused, monkeypatch) -> None:
    if refused:
        monkeypatch.setattr(os, "link", refuse(errno.EPERM))
    for at in range(20):
        path = tmp_path / f"{at}"
        ended = killed(lambda path=path: write(path, b"of the killed"), at)
        left = path.read_bytes() if path.exists() else None
        assert left in (None, b"of the killed")
        write(path, b"of the next")
        assert path.read_bytes() == (left or b"of the next")
        if not ended:
            break
    # At the first call nothing was there yet, and at the last all.
    assert (tmp_path / "0").read_bytes() == b"of the next"
    assert (tmp_path / f"{at - 1}").read_bytes() == b"of the killed"
    assert not ended
    assert at > 3 + 2 * refused
    assert shown(tmp_path) == sorted(f"{number}" for number in range(at + 1))


def test_without_links_and_locks_nothing_is_written(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(os, "link", refuse(errno.EPERM))
    monkeypatch.setattr(fcntl, "flock", refuse(errno.ENOLCK))
    with pytest.raises(LongsumError, match=r"neither hard links nor locks.*name a folder on"):
        write(tmp_path / "rows", b"one")
    monkeypatch.setattr(fcntl, "flock", refuse(errno.EIO))
    with pytest.raises(LongsumError, match="rows' cannot be written: Input/output error"):
        write(tmp_path / "rows", b"one")
    assert shown(tmp_path) == []


def test_folders_that_cannot_be_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def files_alone(descriptor: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):  # noqa: PTH112
            refuse(errno.EINVAL)()
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", files_alone)
    write(tmp_path / "rows", b"one")
    assert (tmp_path / "rows").read_bytes() == b"one"
    monkeypatch.setattr(os, "fsync", refuse(errno.EIO))
    with pytest.raises(LongsumError, match="cannot be written"):
        write(tmp_path / "others", b"one")


def test_a_lock_is_held_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    assert not is_locked(path)
    before = os.umask(0)
    with locked(path) as alone:
        assert alone
        assert is_locked(path)
        with locked(path) as second:
            assert not second
    os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666
    assert not is_locked(path)
    # A file system without locks does not stop who is alone.
    monkeypatch.setattr(fcntl, "flock", refuse(errno.ENOLCK))
    with locked(path) as alone:
        assert alone
    monkeypatch.setattr(fcntl, "flock", refuse(errno.EIO))
    with pytest.raises(LongsumError, match="cannot be written"), locked(path):
        pass
    # Nor does a system without the module.
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with locked(path) as alone:
        assert alone
    assert not is_locked(path)
