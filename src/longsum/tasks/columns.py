"""Arrays that belong together, kept in one compressed file."""

from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np

from longsum.errors import LongsumError
from longsum.files import unfinished


class Columns:
    """What a dataclass whose fields are all arrays gets, to be kept in a file."""

    __slots__ = ()

    def save(self, path: Path) -> None:
        """Write to a compressed file; a file that is there is replaced at once or not at all."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        with unfinished(path) as part, part.open("wb") as file:
            np.savez_compressed(file, **{name: getattr(self, name) for name in names})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote; a column with a default may be missing in an older file.

        Raises:
            LongsumError: The file is damaged or of another form.
        """
        try:
            with np.load(path, allow_pickle=False) as columns:
                return cls(**{name: columns[name] for name in _wanted(cls, columns.files)})
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise LongsumError(
                f"The prepared data in {path.name} cannot be read; delete the file and prepare "
                "the data again."
            ) from error


def _wanted(form: type[Columns], held: Sequence[str]) -> list[str]:
    """Return which columns are to be read: those without a default, and others that are held."""
    return [
        field.name
        for field in fields(form)  # type: ignore[arg-type]
        if field.default_factory is MISSING or field.name in held
    ]
