"""Files shared by several processes: written once, or locked.

The first to finish gives a file its name. A lock ends with the process that holds it.
"""

import errno
import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.files import as_unwritable, temporary_file

# The file system does not support the call.
_UNSUPPORTED = frozenset(
    {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.ENOLCK, errno.ENOTTY}
)
_TURN = ".longsum.lock"


@contextmanager
def written_once(path: Path) -> Iterator[Path]:
    """Let other code write a file that appears atomically, unless another appeared first.

    If several processes write the same file, the first to finish wins, and its file stays. The
    finished file is linked to its name; if the file system does not support links, like FAT and
    mounted object storage, it is renamed by one process at a time, under a lock that ends with the
    process.

    Args:
        path: A regular file in an existing folder, which may get a hidden lock file.

    Yields:
        A temporary empty file in the same folder, to be written.

    Raises:
        UnwritableError: It cannot be written, or the file system has neither links nor locks.
    """
    with as_unwritable(path):
        with temporary_file(path.parent) as temporary:
            temporary.open("xb").close()
            yield temporary
            _to_disk(temporary)
            _link(temporary, path)
        if os.name == "posix":
            # So that the name also survives a power failure, if folders can be synced.
            with _suppressed(_UNSUPPORTED):
                _to_disk(path.parent)


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold a lock on a file until the context ends or the process dies.

    Yields:
        Whether no other process holds it; always true if the system or the file system has no
        such locks.

    Raises:
        UnwritableError: The file cannot be created.
    """
    with ExitStack() as held:
        free = True
        with as_unwritable(path):
            descriptor = held.enter_context(_opened(path))
            with _suppressed(_UNSUPPORTED):
                free = _lock(descriptor)
        yield free


def is_locked(path: Path) -> bool:
    """Return whether a process holds a lock on a file; False if the file cannot be opened."""
    # Such as on a read-only disk; network drives lock only files open for writing.
    with suppress(OSError), _opened(path, os.O_RDWR) as descriptor:
        return not _lock(descriptor)
    return False


def _to_disk(path: Path) -> None:
    """Sync a file, or the entries of a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link(temporary: Path, path: Path) -> None:
    """Give a file its name if that is free."""
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return
    except (OSError, NotImplementedError):
        # Systems report missing support for links in many ways.
        _rename_in_turn(temporary, path)


def _rename_in_turn(temporary: Path, path: Path) -> None:
    """Give a file its name if that is free, while no other process may do so.

    A process killed before the rename has changed nothing, and releases the lock by ending; one
    killed after it has finished.
    """
    with _opened(path.parent / _TURN) as descriptor:
        try:
            _lock(descriptor, wait=True)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
            raise LongsumError(
                f"The file system of '{path.parent}' has neither hard links nor locks, without "
                "which two processes could write the same file; name a folder on another."
            ) from None
        # On Windows renaming never replaces a file, so no lock is needed.
        with suppress(FileExistsError):
            if not path.exists():
                temporary.rename(path)


@contextmanager
def _opened(path: Path, flags: int = os.O_RDWR | os.O_CREAT) -> Iterator[int]:
    """Open a lock file, by default creating it if needed."""
    descriptor = os.open(path, flags, 0o666)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, wait: bool = False) -> bool:
    """Lock an open file until it is closed; return whether it is locked, or cannot be at all."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


@contextmanager
def _suppressed(problems: Collection[int]) -> Iterator[None]:
    """Ignore system errors with one of these codes (`errno`)."""
    try:
        yield
    except OSError as error:
        if error.errno not in problems:
            raise
