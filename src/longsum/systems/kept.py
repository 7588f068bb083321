"""Systems that are kept, so that many documents in one process load a model once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import yaml

from longsum.names import is_file
from longsum.systems.naming import is_model, is_saved
from longsum.systems.system import System

MOST_KEPT = 4
"""Systems that are kept at once; the one that was longest not used is let go for another."""

Stamp = tuple[str, int, int, int]
"""A file as it is: its path, size, time of change in nanoseconds, and number in its file system."""

_RECIPES = (".yaml", ".yml")


@dataclass(slots=True)
class _Kept:
    """A system, once it is loaded; whoever loads or uses it holds the lock."""

    stamps: tuple[Stamp, ...]
    lock: Lock = field(default_factory=Lock)
    system: System | None = None


class KeptSystems:
    """The systems used last, by the names and folders that they were asked for by.

    A system is loaded again when a file of its folder has changed, or of a folder that a recipe or
    the settings of a trained model name there.

    Args:
        load: What makes a system of a name or folder.
        most: How many are kept.
    """

    def __init__(self, load: Callable[[str | Path], System], most: int = MOST_KEPT) -> None:
        self._load = load
        self._most = most
        self._lock = Lock()
        self._kept: dict[str, _Kept] = {}

    @contextmanager
    def using(self, name: str | Path) -> Iterator[System]:
        """Give a system to one thread at a time; others that want the same one wait.

        Models that write are not made to be used by two threads at once. A thread that is not to
        wait takes a system of its own, from `load_system`.

        Raises:
            LongsumError: As `load_system`.
        """
        kept = self._entry(str(name), tuple(stamps(Path(name))))
        with kept.lock:
            if kept.system is None:
                kept.system = self._load(name)
            yield kept.system

    def forget(self) -> None:
        """Let all systems go, and their memory with them."""
        with self._lock:
            self._kept.clear()

    def _entry(self, name: str, found: tuple[Stamp, ...]) -> _Kept:
        """Return the entry of a name, which becomes the one used last."""
        with self._lock:
            kept = self._kept.pop(name, None)
            if kept is None or kept.stamps != found:
                kept = _Kept(found)
            self._kept[name] = kept
            while len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return kept


def stamps(place: Path) -> Iterator[Stamp]:
    """Yield the stamps of a model's or recipe's files, and of those that it names.

    Files in folders below are none of the model: checkpoints, and what was prepared to train it.
    """
    pending, seen = [place], set[Path]()
    while pending:
        named = pending.pop()
        if not (is_file(named) or is_model(named) or is_saved(named)):
            continue
        path = named.resolve()
        if path in seen:
            continue
        seen.add(path)
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            if not file.is_file():
                continue
            found = file.stat()
            yield str(file), found.st_size, found.st_mtime_ns, found.st_ino
            if file.suffix in _RECIPES:
                pending.extend(_named(file))


def _named(recipe: Path) -> Iterator[Path]:
    """Yield what a recipe's words might be the paths of."""
    try:
        pending = [yaml.safe_load(recipe.read_text(encoding="utf-8"))]
    except (OSError, ValueError, yaml.YAMLError):
        return
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, str) and value.strip() and "\n" not in value:
            yield Path(value)
