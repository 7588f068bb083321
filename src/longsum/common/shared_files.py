"""Files that several processes may write or hold: one is written once, another locked.

The first to finish gives a file its name. A lock ends with the process that has it.
"""

import errno
import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.files import as_unwritable, temporary_file

# A file system that has no such call.
_NOT_THERE = frozenset(
    {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.ENOLCK, errno.ENOTTY}
)
_TURN = ".longsum.lock"


@contextmanager
def written_once(path: Path) -> Iterator[Path]:
    """Let other code write a file that appears atomically, unless another has appeared before it.

    Of several processes that write the same file, the first to finish wins, and its file stays. The
    finished file is linked to its name; where the file system refuses links, as FAT and mounted
    object storage do, it is renamed by one process at a time, in turns that end with the process
    that has one.

    Args:
        path: A regular file in a folder that exists. The folder may get a hidden file for the
            turns.

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
            # So that the name survives a loss of power too, where folders can be waited for.
            with _suppressed(_NOT_THERE):
                _to_disk(path.parent)


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold a lock on a file until the context ends or the process dies.

    Yields:
        Whether no other process holds it; always true where the system or the file system has no
        such locks.

    Raises:
        UnwritableError: The file cannot be created.
    """
    with ExitStack() as held:
        free = True
        with as_unwritable(path):
            descriptor = held.enter_context(_opened(path))
            with _suppressed(_NOT_THERE):
                free = _lock(descriptor)
        yield free


def is_locked(path: Path) -> bool:
    """Return whether a process holds a lock on a file; false where the file cannot be opened."""
    # As on a disk that is read-only; network drives lock only what is open for writing.
    with suppress(OSError), _opened(path, os.O_RDWR) as descriptor:
        return not _lock(descriptor)
    return False


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link(temporary: Path, path: Path) -> None:
    """Give a file its name if nothing has it."""
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return
    except (OSError, NotImplementedError):
        # Systems say in many ways that they have no links.
        _rename_in_turn(temporary, path)


def _rename_in_turn(temporary: Path, path: Path) -> None:
    """Give a file its name if nothing has it, as the one process that may do so now.

    A process that is killed before the rename has done nothing, and gives its turn back by ending;
    one that is killed after it has done all.
    """
    with _opened(path.parent / _TURN) as descriptor:
        try:
            _lock(descriptor, wait=True)
        except OSError as error:
            if error.errno not in _NOT_THERE:
                raise
            raise LongsumError(
                f"The file system of '{path.parent}' has neither hard links nor locks, without "
                "which two processes could write the same file; name a folder on another."
            ) from None
        # Windows lets no file replace another unasked, and needs no turns.
        with suppress(FileExistsError):
            if not path.exists():
                temporary.rename(path)


@contextmanager
def _opened(path: Path, flags: int = os.O_RDWR | os.O_CREAT) -> Iterator[int]:
    """Open a file that is there for its lock, and by default is created if need be."""
    descriptor = os.open(path, flags, 0o666)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, wait: bool = False) -> bool:
    """Lock an open file until it is closed; return whether it is, true where no file can be."""
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
    """Go on where the system refuses for one of these reasons (`errno`)."""
    try:
        yield
    except OSError as error:
        if error.errno not in problems:
            raise
