"""The documents that a run learns from: those requested, and those used in the end.

Tokenizers and encoded splits made from them are cached in a folder for later runs.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from longsum.common.errors import LongsumError
from longsum.common.files import new_folder, write_text
from longsum.evaluation.datasets import Example, OwnData, dataset_info, load
from longsum.evaluation.datasets.info import may_ship
from longsum.models.tasks.prepared import Columns
from longsum.models.training.run_settings import DataConfig

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DataPart:
    """The documents requested of a data set.

    Attributes:
        name: The data set.
        split: Its split.
        limit: Maximum number of documents; None for all. With `shippable`, counted after filtering.
        shippable: Whether to use only documents whose licence allows the trained model to be
            redistributed.
        role: What the split is used for (`train`, `validation` or `test`), if its name differs.
    """

    name: str
    split: str
    limit: int | None = None
    shippable: bool = False
    role: str | None = None


@dataclass(slots=True)
class UsedData:
    """The documents that a run used of a data set, counted while they were encoded.

    Attributes:
        name: The data set.
        split: What they were used for: `train`, `validation` or `test`.
        documents: Documents with at least one training example.
        lessons: Training examples.
        shippable: How many of the documents have a licence that allows redistribution.
        licenses: Number of documents by the licence that they or their data set state.
    """

    name: str
    split: str
    documents: int = 0
    lessons: int = 0
    shippable: int = 0
    licenses: dict[str, int] = field(default_factory=dict)


def parts_of(data: DataConfig, split: str, names: str | None = None) -> list[DataPart]:
    """Return the parts of data sets that make up a split.

    Args:
        data: The settings.
        split: The split.
        names: Data sets to use instead of those of the settings, joined by `+`; `NAME/SPLIT`
            selects one of a set's own splits.
    """
    chosen = (names or data.names).split("+")
    if split == "train":
        return [_part(name, split, data.limit, data.shippable) for name in chosen]
    measured = (data.validation or chosen[0]).split("+")
    return [_part(name, split, data.validation_limit) for name in measured]


def _part(name: str, split: str, limit: int | None, shippable: bool = False) -> DataPart:
    """Return the part of a data set; `NAME/SPLIT` selects one of the set's own splits."""
    before, _, last = name.rpartition("/")
    # A slash after the fields of a file begins a split; one before them belongs to its path.
    if "?" not in before and OwnData.parse(name) is not None:
        return DataPart(name, split, limit, shippable)
    if not before:
        return DataPart(name, split, limit, shippable)
    return DataPart(before, last or split, limit, shippable, split if last else None)


def _stamps(parts: Sequence[DataPart]) -> list[Any]:
    """Return the stamps of the user's own files, which may change; data sets do not."""
    files = (OwnData.parse(part.name) for part in parts)
    return [file.stamp for file in files if file is not None]


def load_part(part: DataPart) -> Iterator[Example]:
    """Yield the documents of a part.

    Raises:
        LongsumError: The data are missing, or none may be redistributed.
    """
    return load(part.name, part.split, limit=part.limit, shippable=part.shippable)


class Tally:
    """Reads the documents of parts, and counts those that yield training examples.

    Training examples must be made lazily: all of one document before the next one is read.
    """

    def __init__(self, parts: Sequence[DataPart]) -> None:
        self.parts = parts
        self._used = [UsedData(part.name, part.role or part.split) for part in parts]
        self._last: tuple[int, Example] | None = None

    def documents(self) -> Iterator[Example]:
        """Yield the documents of all parts, with their summaries."""
        for place, part in enumerate(self.parts):
            for example in load_part(part):
                self._last = place, example
                yield example

    def counted(self, examples: Iterable[T]) -> Iterator[T]:
        """Yield training examples that are made from the documents, and count them."""
        counted: Example | None = None
        for lesson in examples:
            assert self._last is not None
            place, example = self._last
            used = self._used[place]
            used.lessons += 1
            if example is not counted:
                counted = example
                info = dataset_info(used.name)
                used.documents += 1
                used.shippable += may_ship(info, example)
                license = example.license or info.license
                used.licenses[license] = used.licenses.get(license, 0) + 1
            yield lesson

    def used(self) -> list[UsedData]:
        """Return what has been counted so far."""
        return [
            replace(used, licenses=dict(Counter(used.licenses).most_common()))
            for used in self._used
        ]


def save_used(used: Iterable[UsedData], path: Path) -> None:
    """Write the record of a run's documents as JSON."""
    rows = ",\n".join(json.dumps(asdict(part), ensure_ascii=False) for part in used)
    write_text(path, f"[\n{rows}\n]\n")


def load_used(path: Path) -> list[UsedData]:
    """Read what `save_used` wrote.

    Raises:
        LongsumError: The file is damaged or has another format.
    """
    try:
        return TypeAdapter(list[UsedData]).validate_json(path.read_bytes(), strict=True)
    except (OSError, ValueError) as error:
        raise LongsumError(
            f"{path} is not a record of a run's documents; delete it and prepare the data, or "
            "train, again."
        ) from error


SplitColumns = TypeVar("SplitColumns", bound=Columns)


class PreparedCache:
    """Tokenizers, vocabularies and encoded splits, each made once.

    Files are named by a fingerprint of everything they depend on, so runs whose settings differ
    elsewhere share them.

    Args:
        data: The data sets of the run.
        folder: Folder of the cache, unless the settings name another (`data.prepared`).
        say: Called with a sentence when a step begins.

    Attributes:
        used: For each split requested so far, the documents that it holds of each data set.
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
            make: Makes the split from the documents that a tally reads.
            work: What to say while it is made.

        Raises:
            LongsumError: The data are missing, or hold nothing to learn from.
        """
        tally = Tally(parts_of(self.data, name))
        dependencies = [tally.parts, described, *_stamps(tally.parts)]
        path = self.folder / f"{name}-{fingerprint(dependencies)}.npz"
        record = path.with_suffix(".json")
        if not (path.is_file() and record.is_file()):
            self.say(f"{work} the {name} split of {self.data.names}")
            for place in (path, record):
                # In a shared folder, it may be a link to a file that must not be overwritten.
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
            make: Writes it to a folder, from the documents that a tally reads.
            work: What to say while it is made.
            names: Data sets to read; by default those of the run.

        Raises:
            LongsumError: The data are missing.
        """
        tally = Tally(parts_of(self.data, "train", names))
        dependencies = [tally.parts, *described, *_stamps(tally.parts)]
        path = self.folder / f"{name}-{fingerprint(dependencies)}"
        if not path.is_dir():
            self.say(work)
            with new_folder(path) as folder:
                make(tally, folder)
        return path


def fingerprint(described: Any) -> str:
    """Return a short hash of anything that JSON can express, dataclasses included."""
    return hashlib.sha256(json.dumps(described, default=asdict).encode()).hexdigest()[:16]
