"""The folders that an agent may read, and nothing outside them, whatever a path says."""

import errno
import os
import stat
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from threading import Lock

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.documents.model import Document
from longsum.documents.readers import ReadLimits, read_bytes

MOST_FILES = 10_000
"""Maximum number of files listed."""
MOST_CHARACTERS = 40_000_000
"""Characters of cached documents; at worst a few hundred bytes of memory each."""


class Folders:
    """Opens files below folders, each step relative to the descriptor of the one before.

    A path is relative to the folder, or begins with its name if there are several, or is absolute.
    It cannot leave the folder: `..` and links are refused at every step, by the very system call
    that opens it, so that nothing can be swapped between check and use. Anything but a regular file
    is refused. A hard link is a file of the folder like any other. The folders are resolved once,
    when their paths are given here.

    Raises:
        LongsumError: One is not a folder, or the system cannot open files relative to folders.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):
            raise LongsumError("This system cannot confine paths to a folder; use Linux or macOS.")
        # By their names for agents: paths, and descriptors, which stay valid if they are renamed.
        self._roots: dict[str, tuple[PurePosixPath, int]] = {}
        for path in paths:
            whole = path.expanduser().resolve()
            try:
                descriptor = os.open(whole, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError as error:
                raise LongsumError(
                    f"{quote(path)} cannot be used as a folder ({error.strerror}); check the path."
                ) from None
            name, number = whole.name or "root", 2
            while name in self._roots:
                name, number = f"{whole.name}-{number}", number + 1
            self._roots[name] = PurePosixPath(whole), descriptor

    def close(self) -> None:
        """Close the folders."""
        while self._roots:
            os.close(self._roots.popitem()[1][1])

    def read(self, path: str, limits: ReadLimits) -> tuple[bytes, str]:
        """Return the content of a file, and its name.

        Raises:
            LongsumError: It is outside the folders, not a regular file, too large or unreadable.
        """
        place, (*folders, name) = self._place(path)
        # A pipe is opened without waiting for a writer, and then refused.
        steps = [*((each, os.O_DIRECTORY) for each in folders), (name, os.O_NONBLOCK)]
        try:
            with ExitStack() as opened:
                for part, kind in steps:
                    place = _opened(part, kind, place, path)
                    opened.callback(os.close, place)
                return _content(place, name, limits), name
        except FileNotFoundError:
            raise LongsumError(
                f"There is no file {quote(path)} in the folders; 'documents' lists what there is."
            ) from None
        except OSError as error:
            raise LongsumError(
                f"{quote(path)} cannot be read ({error.strerror}); choose another that 'documents' "
                "lists."
            ) from None

    def listing(self) -> Iterator[tuple[str, int]]:
        """Yield the path and size of each file, by name, except hidden ones and links."""
        count = 0
        for root, (_, opened) in self._roots.items():
            for folder, folders, files, descriptor in os.fwalk(
                ".", follow_symlinks=False, dir_fd=opened
            ):
                folders[:] = sorted(each for each in folders if not each.startswith("."))
                for name in sorted(files):
                    with suppress(OSError):
                        status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                        if name.startswith(".") or not stat.S_ISREG(status.st_mode):
                            continue
                        if (count := count + 1) > MOST_FILES:
                            return
                        below = PurePosixPath(folder, name)
                        yield str(root / below if len(self._roots) > 1 else below), status.st_size

    def _place(self, path: str) -> tuple[int, tuple[str, ...]]:
        """Return the descriptor of the folder that contains a path, and the names from there on."""
        pure, roots = PurePosixPath(path), list(self._roots.values())
        if pure.is_absolute():
            root = next((root for root in roots if pure.is_relative_to(root[0])), None)
            parts = pure.relative_to(root[0]).parts if root else ()
        elif len(roots) == 1:
            (root,), parts = roots, pure.parts
        else:
            root, parts = self._roots.get(next(iter(pure.parts), "")), pure.parts[1:]
        if root is None or not parts or ".." in parts or "\0" in path:
            named = ", ".join(self._roots) if len(roots) > 1 else "the folder"
            raise LongsumError(
                f"{quote(path)} is not a file in {named}, and nothing else may be read; "
                "'documents' lists what may."
            )
        return root[1], parts


class Shelf:
    """Reads documents of folders; each content is read only once while in use."""

    def __init__(self, folders: Folders, limits: ReadLimits) -> None:
        self.folders, self._limits = folders, limits
        self._kept: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._lock = Lock()

    def document(self, path: str) -> Document:
        """Return the current document at a path.

        Raises:
            LongsumError: It may not or cannot be read.
        """
        data, name = self.folders.read(path, self._limits)
        key = sha256(data).hexdigest(), name
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        document = read_bytes(data, name, limits=self._limits)
        with self._lock:
            self._kept[key] = document
            characters = sum(len(each.text) for each in self._kept.values())
            while characters > MOST_CHARACTERS and len(self._kept) > 1:
                characters -= len(self._kept.popitem(last=False)[1].text)
        return document


def _opened(name: str, kind: int, folder: int, path: str) -> int:
    """Open an entry of a folder that is not a link; return its descriptor."""
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | kind, dir_fd=folder)
    except OSError:
        # The error depends on the system; this only improves the message.
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise LongsumError(
                f"{quote(path)} is a link or leads through one; links are not followed."
            ) from None
        raise


def _content(descriptor: int, name: str, limits: ReadLimits) -> bytes:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    with open(descriptor, "rb", closefd=False) as file:
        data = file.read(limits.size + 1)
    if len(data) > limits.size:
        raise limits.refusal(name, "size")
    return data
