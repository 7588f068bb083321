"""Dataclasses of arrays, saved in one compressed file."""

from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np

from longsum.common.arrays import Places
from longsum.common.errors import LongsumError
from longsum.common.files import unfinished


class Columns:
    """Base of dataclasses whose fields are all arrays: saving and loading."""

    __slots__ = ()

    def save(self, path: Path) -> None:
        """Write to a compressed file; an existing file is replaced atomically."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        with unfinished(path) as part, part.open("wb") as file:
            np.savez_compressed(file, **{name: getattr(self, name) for name in names})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote; a column with a default may be missing in an older file.

        Raises:
            LongsumError: The file is damaged or has another format.
        """
        try:
            with np.load(path, allow_pickle=False) as columns:
                return cls(**{name: columns[name] for name in _wanted(cls, columns.files)})
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise LongsumError(
                f"The prepared data in {path.name} cannot be read; delete the file and prepare "
                "the data again."
            ) from error


def joined(parts: Sequence[Any], name: str) -> tuple[Any, Places]:
    """Concatenate an array that each part has under a name; also return where each one ends."""
    arrays = [getattr(part, name) for part in parts]
    return np.concatenate(arrays), np.cumsum([len(array) for array in arrays])


def entry(ends: Places, index: int) -> slice:
    """Return the slice of one of several concatenated entries.

    Args:
        ends: Where each entry ends.
        index: Which entry.
    """
    return slice(int(ends[index - 1]) if index else 0, int(ends[index]))


def _wanted(form: type[Columns], held: Sequence[str]) -> list[str]:
    """Return the columns to read: those without a default, and others that are in the file."""
    return [
        field.name
        for field in fields(form)  # type: ignore[arg-type]
        if field.default_factory is MISSING or field.name in held
    ]
