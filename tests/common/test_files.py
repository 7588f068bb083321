"""Files appear complete or not at all, and what is not a regular file stays as it is."""

import ast
import errno
import os
import re
import resource
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
from safetensors import SafetensorError

from longsum import LongsumError
from longsum.cli.streams import check_output
from longsum.common.errors import UnwritableError
from longsum.common.files import (
    _descriptor,
    append_text,
    filled_folder,
    make_folder,
    new_folder,
    read_kept,
    set_aside,
    unfinished,
    write_bytes,
    write_kept,
    write_text,
)
from longsum.common.shared_files import written_once

ROOT = Path(__file__).parents[2]
OLD, NEW = b"old " * 300, b"new " * 5000
# Larger than the old file and smaller than the new one.
ROOM = 4096


@contextmanager
def full_disk() -> Iterator[None]:
    """Limit files to `ROOM` bytes; the system reports more as a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    path.write_bytes(OLD)
    return path


@pytest.mark.parametrize("text", ["", "an “old” text\r\nof\ntwo lines"])
def test_text_is_written_as_it_is(tmp_path: Path, text: str) -> None:
    write_text(tmp_path / "text", text)
    assert (tmp_path / "text").read_bytes() == text.encode()


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077, 0o000])
def test_a_new_file_has_the_permissions_of_the_umask(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        write_bytes(tmp_path / "bytes", NEW)
        with unfinished(tmp_path / "other") as part:
            part.write_bytes(NEW)
            part.chmod(0o600)  # as safetensors does
        with new_folder(tmp_path / "folder") as folder:
            write_bytes(folder / "inside", NEW)
            (folder / "inside").chmod(0o600)
        with filled_folder(tmp_path / "folder") as folder:
            write_bytes(folder / "more", NEW)
            (folder / "more").chmod(0o600)
    for name in ("bytes", "other", "folder/inside", "folder/more"):
        assert permissions(tmp_path / name) == 0o666 & ~mask
    assert permissions(tmp_path / "folder") == 0o777 & ~mask


def test_a_folder_that_another_process_fills_meanwhile_is_kept(tmp_path: Path) -> None:
    def make() -> None:
        with new_folder(tmp_path / "folder"):
            (tmp_path / "folder").mkdir()
            (tmp_path / "folder" / "theirs").touch()

    with pytest.raises(UnwritableError, match="Another process wrote"):
        make()
    assert [path.name for path in tmp_path.rglob("*")] == ["folder", "theirs"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o666])
def test_a_file_is_replaced_with_its_permissions_and_nothing_else_left(old, mode) -> None:
    old.chmod(mode)
    write_bytes(old, NEW)
    assert (permissions(old), old.read_bytes(), [*old.parent.iterdir()]) == (mode, NEW, [old])
    with unfinished(old) as part:
        part.write_bytes(OLD)
    assert (permissions(old), old.read_bytes()) == (mode, OLD)


@pytest.mark.skipif(os.getuid() != 0, reason="only an administrator gives files away")
def test_a_file_keeps_its_owner(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(old, 12, 34)
    write_bytes(old, NEW)
    assert (old.stat().st_uid, old.stat().st_gid) == (12, 34)
    monkeypatch.setattr(os, "chown", refuse(errno.EPERM))
    write_bytes(old, OLD)
    assert (old.stat().st_uid, old.read_bytes()) == (0, OLD)


def test_folders_above_are_made(tmp_path: Path) -> None:
    for way in (unfinished, new_folder, filled_folder):
        with way(tmp_path / way.__name__ / "made" / "so") as part:
            (part if part.is_file() else part / "inside").write_bytes(NEW)
    for _ in range(2):
        make_folder(tmp_path / "more" / "made" / "so")
    assert len(list(tmp_path.glob("*/made/so"))) == 4


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (SafetensorError("no space"), UnwritableError),
        (Exception("no space"), UnwritableError),
        (ValueError("no space"), ValueError),
        (LongsumError("no space"), LongsumError),
    ],
)
def test_errors_of_other_writers(old: Path, problem: Exception, told: type[Exception]) -> None:
    with pytest.raises(told, match="no space") as raised, unfinished(old):
        raise problem
    assert type(raised.value) is told
    assert (str(old) in str(raised.value)) == (told is UnwritableError)


def test_the_names_of_standard_streams() -> None:
    names = {"/dev/stdout": 1, "/dev/stderr": 2, "/dev/fd/1": 1, "/proc/self/fd/7": 7}
    assert {name: _descriptor(Path(name)) for name in names} == names
    for other in ("/dev/null", "/dev/stdout/1", "/dev/fd/x", "stdout", "/proc/1/fd/1"):
        assert _descriptor(Path(other)) is None


def test_a_link_stays_and_its_target_is_written(old: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name, target in (("link", old), ("dangling", tmp_path / "not yet")):
        link = elsewhere / name
        link.symlink_to(os.path.relpath(target, elsewhere))
        write_bytes(link, NEW)
        assert link.is_symlink()
        assert target.read_bytes() == NEW
    assert len(list(elsewhere.iterdir())) == 2


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(LongsumError, match="cannot be written"):
        write_bytes(tmp_path / "loop", NEW)
    assert (tmp_path / "loop").is_symlink()


def test_messages_name_the_requested_path(tmp_path: Path, device: Callable[[str], Path]) -> None:
    full = device("full")

    def write(folder: Path) -> None:
        (folder / "page").symlink_to(full)
        write_bytes(folder / "page", NEW)

    for context in (new_folder, filled_folder):
        asked_for = rf"^'{tmp_path}/made/page' cannot be written: No space"
        with pytest.raises(UnwritableError, match=asked_for), context(tmp_path / "made") as folder:
            write(folder)


def test_a_fifo_is_written_through(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write_bytes(fifo, NEW)
    reader.join(10)
    assert read == [NEW]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_device_is_written_through(device: Callable[[str], Path]) -> None:
    null, full = device("null"), device("full")
    write_bytes(null, NEW)
    with pytest.raises(LongsumError, match=r"' cannot be written: No space left"):
        write_bytes(full, NEW)
    for path, number in ((null, 3), (full, 7)):
        assert stat.S_ISCHR(path.stat().st_mode)
        assert path.stat().st_rdev == os.makedev(1, number)


@pytest.mark.parametrize(("number", "name"), [(1, "stdout"), (2, "stderr")])
def test_a_standard_stream_by_name_continues_after_earlier_output(
    capfd, monkeypatch, number, name
) -> None:
    with os.fdopen(os.dup(number), "w") as stream:
        monkeypatch.setattr(sys, name, stream)
        print("said ", end="", file=stream)
        # Of its names the one that no faulty program can replace.
        write_text(Path(f"/proc/self/fd/{number}"), "new")
        assert getattr(capfd.readouterr(), name[3:]) == "said new"


def test_writing_waits_for_a_full_pipe() -> None:
    inward, outward = os.pipe()
    os.set_blocking(outward, False)
    content = os.urandom(2**18)
    with ThreadPoolExecutor(1) as pool, os.fdopen(inward, "rb") as reader:
        written = pool.submit(write_bytes, Path(f"/dev/fd/{outward}"), content)
        assert reader.read(len(content)) == content
        written.result()
    os.close(outward)


def test_a_file_is_synced_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = set()
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        waited.add(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    write_bytes(tmp_path / "one", NEW)
    with written_once(tmp_path / "two") as part:
        part.write_bytes(NEW)
    places = (tmp_path / "one", tmp_path / "two", tmp_path)
    assert waited == {path.stat().st_ino for path in places}


def by_unfinished(old: Path, stop: type[BaseException] | None) -> None:
    with unfinished(old) as part:
        part.write_bytes(NEW)
        if stop is not None:
            raise stop


def by_filled_folder(old: Path, stop: type[BaseException] | None) -> None:
    with filled_folder(old.parent) as made:
        by_unfinished(made / old.name, stop)


def by_new_folder(old: Path, stop: type[BaseException] | None) -> None:
    with new_folder(old.parent / "new") as made:
        by_unfinished(made / old.name, stop)


WAYS = {
    "bytes": lambda old, _: write_bytes(old, NEW),
    "unfinished": by_unfinished,
    "filled": by_filled_folder,
    "new": by_new_folder,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_full_disk_leaves_the_old_file_and_no_other(old: Path, way: str) -> None:
    write = WAYS[way]
    with full_disk(), pytest.raises(LongsumError, match="cannot be written: File too large"):
        write(old, None)
    assert list(old.parent.iterdir()) == [old]
    assert old.read_bytes() == OLD


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, RuntimeError])
def test_an_interrupt_leaves_the_old_file_and_no_other(old, way, stop, monkeypatch) -> None:
    monkeypatch.setattr(os, "fsync", Mock(side_effect=stop))
    with pytest.raises(stop):
        WAYS[way](old, stop)
    assert list(old.parent.iterdir()) == [old]
    assert old.read_bytes() == OLD


def refuse(number: int) -> Mock:
    return Mock(side_effect=OSError(number, os.strerror(number)))


@pytest.mark.parametrize("problem", [errno.EACCES, errno.EPERM, errno.EROFS, errno.EXDEV])
def test_a_folder_that_takes_no_new_file(old, problem, monkeypatch) -> None:
    # An administrator may write anywhere, so the folder's refusal is played.
    original = Path.open

    def opened(path: Path, mode: str = "r", *given: object, **named: object):
        if "x" in mode:
            refuse(problem)()
        return original(path, mode, *given, **named)

    monkeypatch.setattr(Path, "open", opened)
    old.chmod(0o640)
    number = old.stat().st_ino
    for content in (NEW, b"short", b""):
        write_bytes(old, content)
        assert old.read_bytes() == content
    assert (old.stat().st_ino, permissions(old)) == (number, 0o640)
    old.write_bytes(OLD)
    with full_disk(), pytest.raises(LongsumError, match="File too large"):
        write_bytes(old, NEW)
    assert old.read_bytes() == OLD

    full = iter((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EOPNOTSUPP))

    def half(descriptor: int, _: int, length: int) -> None:
        os.ftruncate(descriptor, length)
        refuse(next(full))()

    monkeypatch.setattr(os, "posix_fallocate", half)
    for told in ("No space left", "Disk quota exceeded", "File too large"):
        with pytest.raises(LongsumError, match=told):
            write_bytes(old, NEW)
        assert old.read_bytes() == OLD
    # Where space cannot be reserved it is written all the same.
    write_bytes(old, NEW)
    assert old.read_bytes() == NEW
    with pytest.raises(LongsumError, match="cannot be written"):
        write_bytes(old.parent / "new", NEW)


def test_a_file_that_is_mounted_by_itself(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", refuse(errno.EBUSY))
    write_bytes(old, NEW)
    assert old.read_bytes() == NEW
    assert list(old.parent.iterdir()) == [old]
    monkeypatch.setattr(Path, "replace", refuse(errno.EIO))
    with pytest.raises(LongsumError, match="cannot be written: Input/output error"):
        write_bytes(old, OLD)
    assert old.read_bytes() == NEW


def test_a_file_that_may_not_be_written_is_not_replaced(old, monkeypatch) -> None:
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    with pytest.raises(LongsumError, match="Permission denied"):
        write_bytes(old, NEW)
    assert old.read_bytes() == OLD


def test_files_join_those_of_a_folder(old: Path) -> None:
    (old.parent / "other").write_bytes(OLD)
    with filled_folder(old.parent) as made:
        for name in (old.name, "third"):
            (made / name).write_bytes(NEW)
    found = {path.name: path.read_bytes() for path in old.parent.iterdir()}
    assert found == {old.name: NEW, "third": NEW, "other": OLD}


def test_a_log_grows(tmp_path: Path, device: Callable[[str], Path]) -> None:
    for line in ("one\n", "two\n"):
        append_text(tmp_path / "log", line)
    assert (tmp_path / "log").read_text() == "one\ntwo\n"
    with pytest.raises(LongsumError, match="cannot be written: No space"):
        append_text(device("full"), "three\n")


def test_no_device_is_replaced(device: Callable[[str], Path]) -> None:
    null = device("null")
    with pytest.raises(UnwritableError, match="cannot be written: it is a device"):
        write_kept(null, NEW)
    with pytest.raises(UnwritableError, match="it is a device"), unfinished(null) as part:
        part.write_bytes(NEW)
    assert null.is_char_device()
    assert [*null.parent.iterdir()] == [null]


def test_only_files_with_content_need_force(old, tmp_path, device) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
    free = [device("null"), Path("/dev/stdout"), tmp_path / "fifo", tmp_path / "socket"]
    for path in (*free, tmp_path / "new"):
        check_output(path, force=False)
    (tmp_path / "link").symlink_to(old)
    for held in (old, tmp_path / "link"):
        with pytest.raises(LongsumError, match="add --force"):
            check_output(held, force=False)
        check_output(held, force=True)


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call, bool]]:
    """Yield the calls of a module by name, and whether they are in a `with` of this module."""

    def visit(node: ast.AST, inside: bool) -> Iterator[tuple[str, ast.Call, bool]]:
        if isinstance(node, ast.With):
            opened = {ast.unparse(item.context_expr).split("(")[0] for item in node.items}
            inside = inside or bool(
                opened & {"unfinished", "filled_folder", "new_folder", "temporary_file"}
            )
        if isinstance(node, ast.FunctionDef):
            # What is given a folder by that name writes into one that such a `with` has opened.
            inside = inside or any(each.arg == "unfinished" for each in node.args.args)
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
            yield name, node, inside
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inside)

    yield from visit(tree, False)


def offends(name: str, call: ast.Call, inside: bool) -> bool:
    """Return whether a call writes a file without `longsum.common.files`."""
    if name in ("write_text", "write_bytes"):
        return isinstance(call.func, ast.Attribute)
    if name in ("save_pretrained", "save_file", "savez_compressed", "open_memmap"):
        return not inside
    if name == "open" and isinstance(call.func, ast.Attribute):
        modes = [part.value for part in call.args if isinstance(part, ast.Constant)]
        writes = any(isinstance(mode, str) and set(mode) & set("wax+") for mode in modes)
        return writes and not inside and "devnull" not in ast.unparse(call)
    return name in ("NamedTemporaryFile", "mkdtemp", "mkstemp")


def test_nothing_else_writes_files() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
    for name in ("files.py", "shared_files.py"):
        del sources[ROOT / "src" / "longsum" / "common" / name]
    offenders = [
        f"{path}: {ast.unparse(call)}"
        for path, text in sources.items()
        if re.search(r"\.(write_|save|open)|open_memmap|Temporary|mkdtemp|mkstemp", text)
        for name, call, inside in calls(ast.parse(text))
        if offends(name, call, inside)
    ]
    assert offenders == []


def test_kept_content_is_read_but_not_a_link_put_in_its_place(tmp_path, monkeypatch) -> None:
    path, other = tmp_path / "kept", tmp_path / "other"
    other.write_bytes(OLD)
    path.symlink_to(other)
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        read_kept(path, ROOM)
    write_kept(path, NEW)
    assert (read_kept(path, len(NEW)), other.read_bytes()) == (NEW, OLD)
    assert {each.name for each in tmp_path.iterdir()} == {"kept", "other"}
    with full_disk(), pytest.raises(UnwritableError, match="File too large"):
        write_kept(path, NEW)
    assert {each.name for each in tmp_path.iterdir()} == {"kept", "other"}
    if os.geteuid():
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    else:
        os.chown(path, 12345, -1)
    with pytest.raises(PermissionError):
        read_kept(path, len(NEW))
    path.rename(longer := tmp_path / "longer")
    with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
        read_kept(longer, len(NEW) - 1)
    os.mkfifo(path)
    with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
        read_kept(path, len(NEW))


def test_a_file_set_aside_replaces_no_other(tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    for content in ("one", "two", "three"):
        (tmp_path / "log").write_text(content)
        set_aside(tmp_path / "log", aside)
    found = {each.name: each.read_text() for each in aside.iterdir()}
    assert found == {"log": "one", "log.1": "two", "log.2": "three"}
    assert not (tmp_path / "log").exists()
    with pytest.raises(UnwritableError, match="cannot be created"):
        make_folder(next(aside.iterdir()) / "below")
