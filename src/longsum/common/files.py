"""Atomic file writing; devices and pipes are written directly.

Everything that longsum writes goes through here. A file is written under a temporary name in its
own folder and then renamed, so that readers see the old or the new file, and a full disk or an
interrupt leaves the old one. Symbolic links are followed and kept; devices, FIFOs and file
descriptors of this process are written directly.
"""

import errno
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import TextIO

from longsum.common.errors import LongsumError, UnwritableError

_DESCRIPTOR = re.compile(r"/dev/std(?:out|err)|(?:/dev|/proc/self)/fd/\d+")
_STANDARD = {"/dev/stdout": 1, "/dev/stderr": 2}
# A folder that accepts no new files, or a file that is a mount point.
_IN_PLACE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV})
_TEMPORARY = re.compile(r"(?<![^'])[^']*\.longsum-[0-9a-f]{16}\.part")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file atomically.

    An existing file keeps its permissions; a new one gets those of the umask. If the folder accepts
    no new files but the file itself is writable, it is overwritten in place.

    Args:
        path: The file, or a link to one, a device, a FIFO or `/dev/stdout`.
        content: The whole content.

    Raises:
        UnwritableError: It cannot be written; an existing file is unchanged.
    """
    with as_unwritable(path):
        descriptor = _descriptor(path)
        if descriptor is not None:
            _flush_standard(descriptor)
            _put(os.fdopen(os.dup(descriptor), "wb", buffering=0), content)
        elif path.exists() and not path.is_file():
            _put(path.open("wb", buffering=0), content)
        else:
            _write_regular(Path(os.path.realpath(path)), content)


def write_text(path: Path, text: str) -> None:
    """Write text in UTF-8 with unchanged line endings; see `write_bytes`.

    Lone surrogates, which UTF-8 cannot encode, are written as JSON escapes.
    """
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_kept(path: Path, content: bytes) -> None:
    """Write a file in a folder that other users may write to.

    Anything of that name, such as a link that leads elsewhere, is replaced and not followed.

    Raises:
        LongsumError: It cannot be written, or is a device.
    """
    with as_unwritable(path), temporary_file(path.parent) as temporary:
        _put(temporary.open("xb", buffering=0), content)
        _replace(temporary, path)


def read_kept(path: Path, most: int) -> bytes:
    """Return the content of a file in a folder that other users may write to.

    Raises:
        OSError: There is no such file, or it is a link, a FIFO, a device, longer than `most`, or
            owned by anyone but this user and the administrator.
    """
    flags = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
    descriptor = os.open(path, os.O_RDONLY | sum(getattr(os, flag, 0) for flag in flags))
    with os.fdopen(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_size > most:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        # Windows has no user ids: there it is 0.
        if state.st_uid not in (0, getattr(os, "geteuid", int)()):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        return file.read(most)


def append_text(path: Path, text: str) -> None:
    """Append text in UTF-8 to a log.

    Raises:
        UnwritableError: It cannot be written.
    """
    with as_unwritable(path), opened_log(path) as file:
        file.write(text)


def opened_log(path: Path) -> TextIO:
    """Open a log for appending UTF-8 text.

    Raises:
        LongsumError: It cannot be written.
    """
    with as_unwritable(path):
        return path.open("a", encoding="utf-8")


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Let other code write a file, which replaces `path` on success.

    Args:
        path: A regular file that may not exist yet; its parent folders are created.

    Yields:
        A temporary empty file in the same folder, to be written.

    Raises:
        UnwritableError: It cannot be written.
    """
    with as_unwritable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        target = Path(os.path.realpath(path))
        with temporary_file(target.parent) as temporary:
            # Created here, with the permissions of the umask.
            temporary.open("xb").close()
            mode = stat.S_IMODE(temporary.stat().st_mode)
            yield temporary
            _set_mode(temporary, mode)
            _finish(temporary, target)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Let other code fill a folder, which appears atomically.

    Args:
        path: A folder that is empty or does not exist; its parents are created.

    Yields:
        A temporary folder beside it, renamed on success and otherwise removed.

    Raises:
        UnwritableError: It cannot be written.
    """
    with as_unwritable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _temporary_folder(path.parent) as temporary:
            yield temporary
            _as_umask(temporary)
            if path.is_dir():
                if any(path.iterdir()):
                    raise UnwritableError(
                        f"Another process wrote to '{path}' in the meantime; name another folder."
                    )
                path.rmdir()
            temporary.rename(path)


@contextmanager
def filled_folder(path: Path) -> Iterator[Path]:
    """Let other code write files into a folder that may contain others.

    Args:
        path: The folder, created if it does not exist.

    Yields:
        A temporary folder inside it, whose files are moved into place when all are written.

    Raises:
        UnwritableError: They cannot be written.
    """
    with as_unwritable(path):
        path.mkdir(parents=True, exist_ok=True)
        with _temporary_folder(path) as temporary:
            yield temporary
            _as_umask(temporary)
            for file in sorted(temporary.iterdir()):
                _finish(file, Path(os.path.realpath(path / file.name)))


def make_folder(path: Path) -> None:
    """Create a folder and its parents if they do not exist.

    Raises:
        UnwritableError: It cannot be created.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableError(f"The folder '{path}' cannot be created: {error.strerror}.") from None


def set_aside(path: Path, folder: Path) -> None:
    """Move whatever lies at a path into a folder, under a name that is free there.

    Raises:
        LongsumError: It cannot be moved.
    """
    with as_unwritable(folder):
        folder.mkdir(exist_ok=True)
        free, number = folder / path.name, 1
        while os.path.lexists(free):
            free, number = folder / f"{path.name}.{number}", number + 1
        # Also across disks, since a folder of the run may be a link.
        shutil.move(path, free)


def would_overwrite(path: Path) -> bool:
    """Return whether writing to a path would overwrite something.

    FIFOs, terminals and the null device hold no data; files and disks do.
    """
    if _descriptor(path) is not None or not path.exists():
        return False
    mode = path.stat().st_mode
    return not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode))


@contextmanager
def as_unwritable(path: Path) -> Iterator[None]:
    """Turn system errors about a path, or a temporary one for it, into an `UnwritableError`."""
    try:
        yield
    except OSError as error:
        problem = error.strerror or str(error)
        raise UnwritableError(f"'{path}' cannot be written: {problem}.") from None
    except LongsumError as error:
        # The message has the final name instead of the temporary one.
        raise type(error)(_TEMPORARY.sub(lambda _: str(path), str(error))) from None
    except Exception as error:
        if not _of_a_writer(error):
            raise
        raise UnwritableError(f"'{path}' cannot be written: {error}.") from None


def _of_a_writer(error: Exception) -> bool:
    """Return whether an error is a system error wrapped by safetensors or tokenizers."""
    from safetensors import SafetensorError

    # tokenizers raises nothing narrower.
    return isinstance(error, SafetensorError) or type(error) is Exception


def _descriptor(path: Path) -> int | None:
    """Return the descriptor of this process that a path names."""
    name = str(path)
    if not _DESCRIPTOR.fullmatch(name):
        return None
    return _STANDARD[name] if name in _STANDARD else int(path.name)


def _flush_standard(descriptor: int) -> None:
    stream = {1: sys.stdout, 2: sys.stderr}.get(descriptor)
    if stream is not None:
        stream.flush()


def _write_regular(target: Path, content: bytes) -> None:
    there = target.exists()
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if there and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with temporary_file(target.parent) as temporary:
        try:
            _put(temporary.open("xb", buffering=0), content)
            _finish(temporary, target)
        except OSError as error:
            if not there or error.errno not in _IN_PLACE:
                raise
            _overwrite(target, content)


@contextmanager
def temporary_file(folder: Path) -> Iterator[Path]:
    """Name a temporary file in a folder, which is removed unless it has been moved."""
    temporary = _temporary(folder)
    try:
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink()


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[Path]:
    """Make a temporary folder, which is removed unless it has been moved."""
    temporary = _temporary(folder)
    temporary.mkdir()
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _temporary(folder: Path) -> Path:
    return folder / f".longsum-{secrets.token_hex(8)}.part"


def _put(file: FileIO, content: bytes) -> None:
    """Write everything to a file and close it, so that a full disk shows here."""
    with file:
        left = memoryview(content)
        while left:
            left = left[file.write(left) or 0 :]
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fsync(file.fileno())


def _as_umask(folder: Path) -> None:
    """Give the files of a new folder the permissions of the umask, like the folder's."""
    mode = stat.S_IMODE(folder.stat().st_mode) & 0o666
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink():
            _set_mode(file, mode)


def _set_mode(file: Path, mode: int) -> None:
    # Safetensors creates files that nobody else may read.
    if stat.S_IMODE(file.stat().st_mode) != mode:
        file.chmod(mode)


def _finish(temporary: Path, target: Path) -> None:
    """Move a temporary file into place, with the permissions and owner of the file replaced."""
    if target.exists():
        old = target.stat()
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(temporary, old.st_uid, old.st_gid)
        temporary.chmod(stat.S_IMODE(old.st_mode))
    _replace(temporary, target)


def _replace(temporary: Path, path: Path) -> None:
    """Rename over anything but a device, which would then be lost to the machine."""
    with suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise OSError(errno.EINVAL, "it is a device")
    temporary.replace(path)


def _overwrite(target: Path, content: bytes) -> None:
    """Overwrite a file in place after reserving its disk space."""
    with target.open("r+b", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            if hasattr(os, "posix_fallocate"):
                # For no bytes it fails, as where space cannot be reserved; neither matters.
                os.posix_fallocate(file.fileno(), 0, len(content))
        except OSError as error:
            file.truncate(size)
            if error.errno in _FULL:
                raise
        file.truncate(len(content))
        _put(file, content)
