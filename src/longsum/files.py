"""Writing files: whole or not at all, and through whatever is no regular file.

Everything that longsum writes goes through here. A file is written under another name in its own
folder and then renamed, so that whoever reads it finds the old one or the new one, and a full disk
or an interrupt leaves the old one. Symbolic links stay, and what they point to is written; devices,
FIFOs and the descriptors of this process are written to as they are.
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

from longsum.errors import LongsumError

_DESCRIPTOR = re.compile(r"/dev/std(?:out|err)|(?:/dev|/proc/self)/fd/\d+")
_STANDARD = {"/dev/stdout": 1, "/dev/stderr": 2}
# Where a folder takes no new file, or a mount keeps one in its place.
_IN_PLACE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all.

    One that is there keeps its permissions; a new one gets those that the umask leaves. Where the
    folder takes no new file and the file itself can be written, it is written in its place.

    Args:
        path: The file; or a link to one, a device, a FIFO or `/dev/stdout`, which are written to.
        content: All of it.

    Raises:
        LongsumError: It cannot be written; what was there is still there.
    """
    with _told(path):
        descriptor = _descriptor(path)
        if descriptor is not None:
            _flush_standard(descriptor)
            _put(os.fdopen(os.dup(descriptor), "wb", buffering=0), content)
        elif path.exists() and not path.is_file():
            _put(path.open("wb", buffering=0), content)
        else:
            _write_regular(Path(os.path.realpath(path)), content)


def write_text(path: Path, text: str) -> None:
    """Write a file of text in UTF-8, with its line ends as they are; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def append_text(path: Path, text: str) -> None:
    """Add text in UTF-8 to the end of a log.

    Raises:
        LongsumError: It cannot be written.
    """
    with _told(path), path.open("a", encoding="utf-8") as file:
        file.write(text)


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Let something else write a file, which takes its place when all is well.

    Args:
        path: A regular file, or none yet; the folders above it are made.

    Yields:
        An empty file in the same folder, to be written; it is gone afterwards.

    Raises:
        LongsumError: It cannot be written.
    """
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        target = Path(os.path.realpath(path))
        temporary = _temporary(target.parent)
        try:
            # Made here, with the permissions that the umask leaves.
            temporary.open("xb").close()
            yield temporary
            _finish(temporary, target)
        finally:
            _remove(temporary)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Let something else fill a folder that appears whole or not at all.

    Args:
        path: A folder that does not exist, or is empty; the folders above it are made.

    Yields:
        A folder beside it, which takes its place when all is well and else is removed.

    Raises:
        LongsumError: It cannot be written.
    """
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(path.parent)
        temporary.mkdir()
        try:
            yield temporary
            if path.is_dir():
                path.rmdir()
            temporary.rename(path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def filled_folder(path: Path) -> Iterator[Path]:
    """Let something else write files that belong in a folder with others.

    Args:
        path: The folder, which is made where there is none.

    Yields:
        A folder within it, whose files take their places when all are written, each at once.

    Raises:
        LongsumError: They cannot be written.
    """
    with _told(path):
        path.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(path)
        temporary.mkdir()
        try:
            yield temporary
            for file in sorted(temporary.iterdir()):
                _finish(file, Path(os.path.realpath(path / file.name)))
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they are not there.

    Raises:
        LongsumError: It cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LongsumError(f"The folder '{path}' cannot be made: {error.strerror}.") from None


def holds_something(path: Path) -> bool:
    """Return whether writing to a path would lose what is there.

    FIFOs, terminals and the null device keep nothing; files and disks do.
    """
    if _descriptor(path) is not None or not path.exists():
        return False
    mode = path.stat().st_mode
    return not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode))


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in a sentence what the system says of a path, or of another that was written for it."""
    try:
        yield
    except OSError as error:
        problem = error.strerror or str(error)
        raise LongsumError(f"'{path}' cannot be written: {problem}.") from None
    except Exception as error:
        if not _of_a_writer(error):
            raise
        raise LongsumError(f"'{path}' cannot be written: {error}.") from None


def _of_a_writer(error: Exception) -> bool:
    """Return whether an error is what safetensors or tokenizers make of the system's."""
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
    temporary = _temporary(target.parent)
    try:
        _put(temporary.open("xb", buffering=0), content)
        _finish(temporary, target)
    except OSError as error:
        if not there or error.errno not in _IN_PLACE:
            raise
        _overwrite(target, content)
    finally:
        _remove(temporary)


def _temporary(folder: Path) -> Path:
    return folder / f".longsum-{secrets.token_hex(8)}.part"


def _put(file: FileIO, content: bytes) -> None:
    """Write all to a file and close it; what a disk has no room for shows here."""
    with file:
        left = memoryview(content)
        while left:
            left = left[file.write(left) or 0 :]
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fsync(file.fileno())


def _finish(temporary: Path, target: Path) -> None:
    """Give a temporary file the permissions and the owner of the file that it replaces."""
    if target.exists():
        old = target.stat()
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(temporary, old.st_uid, old.st_gid)
        temporary.chmod(stat.S_IMODE(old.st_mode))
    temporary.replace(target)


def _overwrite(target: Path, content: bytes) -> None:
    """Write a file in its place, once its room on the disk is sure."""
    with target.open("r+b", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            if content and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, len(content))
        except OSError as error:
            file.truncate(size)
            if error.errno in _FULL:
                raise
        file.truncate(len(content))
        _put(file, content)


def _remove(temporary: Path) -> None:
    with suppress(OSError):
        temporary.unlink()
