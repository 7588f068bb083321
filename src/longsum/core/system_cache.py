"""A cache of loaded systems, so that one process loads a model once for many documents."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from longsum.common.names import is_file
from longsum.common.structured_text import parse_yaml
from longsum.core.loading import is_model
from longsum.core.systems.system import System

MAX_SYSTEMS = 4
"""Number of systems cached at once; the least recently used one is evicted."""

Stamp = tuple[str, int, int, int]
"""The state of a file: its path, size, modification time in nanoseconds, and inode."""

_RECIPES = (".yaml", ".yml")


@dataclass(slots=True)
class _Entry:
    """A system once loaded; the thread that loads or uses it holds the lock."""

    stamps: tuple[Stamp, ...]
    lock: Lock = field(default_factory=Lock)
    system: System | None = None


class SystemCache:
    """A least-recently-used cache of systems, keyed by the names and folders they were loaded from.

    A system is reloaded when a file has changed in its folder, or in a folder that its recipe or
    the settings of its trained model refer to.
    """

    def __init__(self, load: Callable[[str | Path], System], size: int = MAX_SYSTEMS) -> None:
        self._load = load
        self._size = size
        self._lock = Lock()
        self._entries: dict[str, _Entry] = {}

    @contextmanager
    def using(self, name: str | Path) -> Iterator[System]:
        """Lend a system to one thread at a time; others that want the same one wait.

        Generation models are not thread-safe. A thread that must not wait should load a system of
        its own with `load_system`.

        Raises:
            LongsumError: As `load_system`.
        """
        entry = self._entry(str(name), tuple(stamps(Path(name))))
        with entry.lock:
            if entry.system is None:
                entry.system = self._load(name)
            yield entry.system

    def forget(self) -> None:
        """Drop all systems and free their memory."""
        with self._lock:
            self._entries.clear()

    def _entry(self, name: str, stamps: tuple[Stamp, ...]) -> _Entry:
        """Return the entry of a name and mark it as the most recently used."""
        with self._lock:
            entry = self._entries.pop(name, None)
            if entry is None or entry.stamps != stamps:
                entry = _Entry(stamps)
            self._entries[name] = entry
            while len(self._entries) > self._size:
                del self._entries[next(iter(self._entries))]
            return entry


def stamps(place: Path) -> Iterator[Stamp]:
    """Yield the stamps of a model's or recipe's files, and of those that it refers to.

    Subfolders (checkpoints, prepared training data) are not part of the model.
    """
    pending, seen = [place], set[Path]()
    while pending:
        named = pending.pop()
        if not (is_file(named) or is_model(named)):
            continue
        path = named.resolve()
        if path in seen:
            continue
        seen.add(path)
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            if not file.is_file():
                continue
            state = file.stat()
            yield str(file), state.st_size, state.st_mtime_ns, state.st_ino
            if file.suffix in _RECIPES:
                pending.extend(_named(file))


def _named(recipe: Path) -> Iterator[Path]:
    """Yield all strings of a recipe as paths, whether they are paths or not."""
    try:
        pending = [parse_yaml(recipe.read_text(encoding="utf-8"))]
    except (OSError, ValueError):
        return
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, str) and value.strip() and "\n" not in value:
            yield Path(value)
