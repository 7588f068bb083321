"""The registry of commands, systems, models, readers, metrics, data sets and runs by name.

Each is an entry point, such as `lead = "longsum.core.extractive.baselines:LEAD"` in the group
`longsum.systems`, so that the parts of longsum find each other without importing each other, and
other packages can add their own in the same way (docs/extending.md). Our own are looked up directly
in longsum's metadata; other packages are searched only for unknown names, and for lists.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from typing import Any, Literal

from longsum.common.errors import LongsumError

Group = Literal[
    "apart",
    "architectures",
    "commands",
    "datasets",
    "judges",
    "metrics",
    "models",
    "networks",
    "readers",
    "runs",
    "systems",
    "taggers",
    "tasks",
    "tree_makers",
    "writers",
]


def find(group: Group, name: str) -> Any:
    """Return the object registered under a name; None if there is none.

    Raises:
        LongsumError: It is another package's and cannot be imported.
    """
    entry = _own(group).get(name) or registered(group).get(name)
    return None if entry is None else load(entry)


def load(entry: EntryPoint) -> Any:
    """Import the object of an entry point.

    Raises:
        LongsumError: It is another package's and cannot be imported.
    """
    try:
        return entry.load()
    except (ImportError, AttributeError) as error:
        if entry.module.split(".")[0] == "longsum":
            raise
        package = entry.dist.name if entry.dist else entry.module
        raise LongsumError(
            f"'{entry.name}' of the package {package} cannot be loaded ({error}); update that "
            "package, or uninstall it."
        ) from None


@cache
def registered(group: Group) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by name: ours, then those of other packages.

    Other packages cannot override our names.
    """
    found = {entry.name: entry for entry in entry_points(group=f"longsum.{group}")}
    own = _own(group)
    return {**own, **{name: found[name] for name in sorted(found) if name not in own}}


@cache
def _own(group: Group) -> Mapping[str, EntryPoint]:
    """Return longsum's own entry points of a group, in the order of its pyproject.toml."""
    try:
        entries = distribution("longsum").entry_points
    except PackageNotFoundError:
        raise LongsumError(
            "longsum runs from files that are not installed; run pip install on their folder."
        ) from None
    return {entry.name: entry for entry in entries.select(group=f"longsum.{group}")}
