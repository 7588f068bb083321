"""Data that are prepared for training, kept in a folder where later runs find them."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from longsum.common.files import new_folder
from longsum.models.tasks.columns import Columns
from longsum.models.training.documents import Tally, UsedData, load_used, parts_of, save_used
from longsum.models.training.run_settings import DataConfig

SplitColumns = TypeVar("SplitColumns", bound=Columns)


class PreparedCache:
    """Tokenizers, vocabularies and encoded splits, each made once.

    Files are named by a fingerprint of everything they depend on, so runs whose settings differ
    elsewhere share them.

    Args:
        data: What is learned from.
        folder: Where to keep what is made, unless the settings name another place.
        say: Called with a sentence when a step begins.

    Attributes:
        used: What each split requested so far holds of each data set.
    """

    def __init__(
        self, data: DataConfig, folder: Path, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self.data = data
        self.folder = folder if data.prepared is None else Path(data.prepared)
        self.say = say
        self.used: dict[str, list[UsedData]] = {}

    def split(
        self,
        form: type[SplitColumns],
        name: str,
        described: Any,
        make: Callable[[Tally], SplitColumns],
        work: str = "encoding",
    ) -> SplitColumns:
        """Return a split; it and the record of its documents are made unless both exist.

        Args:
            form: Its class.
            name: `train`, `validation` or `test`.
            described: Everything else it depends on; see `fingerprint`.
            make: Makes the split of what a tally reads.
            work: What to say while it is made.

        Raises:
            LongsumError: The data are missing, or hold nothing to learn from.
        """
        tally = Tally(parts_of(self.data, name))
        path = self.folder / f"{name}-{fingerprint([tally.parts, described])}.npz"
        record = path.with_suffix(".json")
        if not (path.is_file() and record.is_file()):
            self.say(f"{work} the {name} split of {self.data.names}")
            for place in (path, record):
                # In a folder that others share, it may be a link to what is not to be overwritten.
                place.unlink(missing_ok=True)
            make(tally).save(path)
            save_used(tally.used(), record)
        self.used[name] = load_used(record)
        return form.load(path)

    def vocabulary(
        self,
        name: str,
        described: Sequence[Any],
        make: Callable[[Tally, Path], None],
        work: str,
        names: str | None = None,
    ) -> Path:
        """Return the folder of a tokenizer or vocabulary that is made from training documents.

        Args:
            name: What the folder's name begins with.
            described: Everything it depends on besides the data; see `fingerprint`.
            make: Writes it to a folder, from what a tally reads.
            work: What to say while it is made.
            names: Data sets that are read; by default those that are learned from.

        Raises:
            LongsumError: The data are missing.
        """
        tally = Tally(parts_of(self.data, "train", names))
        path = self.folder / f"{name}-{fingerprint([tally.parts, *described])}"
        if not path.is_dir():
            self.say(work)
            with new_folder(path) as folder:
                make(tally, folder)
        return path


def fingerprint(described: Any) -> str:
    """Return a short name for anything JSON can express, or dataclasses of it."""
    return hashlib.sha256(json.dumps(described, default=asdict).encode()).hexdigest()[:16]
