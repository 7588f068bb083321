"""The documents that a run learns from: what is requested, and what was used in the end.

What is made of them is kept in a folder where later runs find it.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from longsum.common.errors import LongsumError
from longsum.common.files import new_folder, write_text
from longsum.evaluation.datasets import Example, OwnData, dataset_info, load, may_ship
from longsum.models.tasks.prepared import Columns
from longsum.models.training.run_settings import DataConfig

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DataPart:
    """What is requested of a data set.

    Attributes:
        name: The data set.
        split: Its split.
        limit: Maximum number of documents; None for all. With `shippable`, counted after filtering.
        shippable: Whether only documents are used whose licence allows the result to be
            redistributed.
        role: `train`, `validation` or `test`, if the set's own split has another name.
    """

    name: str
    split: str
    limit: int | None = None
    shippable: bool = False
    role: str | None = None


@dataclass(frozen=True, slots=True)
class UsedData:
    """What a run used of a data set, counted while it was encoded.

    Attributes:
        name: The data set.
        split: What it was used for: `train`, `validation` or `test`.
        documents: Documents with at least one training example.
        lessons: Training examples.
        shippable: How many of the documents have a licence that allows redistribution.
        licenses: Number of documents by the licence that their data set states.
    """

    name: str
    split: str
    documents: int
    lessons: int
    shippable: int
    licenses: Mapping[str, int] = field(default_factory=dict)


def parts_of(data: DataConfig, split: str, names: str | None = None) -> list[DataPart]:
    """Return what a split consists of.

    Args:
        data: The settings.
        split: The split.
        names: Data sets to use instead of those of the settings, joined by `+`; `NAME/SPLIT` names
            a split of the set's own.
    """
    chosen = (names or data.names).split("+")
    if split == "train":
        return [_part(name, split, data.limit, data.shippable) for name in chosen]
    measured = (data.validation or chosen[0]).split("+")
    return [_part(name, split, data.validation_limit) for name in measured]


def _part(name: str, split: str, limit: int | None, shippable: bool = False) -> DataPart:
    """Return a part; `NAME/SPLIT` names a split of the set's own."""
    before, _, last = name.rpartition("/")
    # What follows the fields of a file is a split, what stands before them its path.
    if "?" not in before and OwnData.parse(name) is not None:
        return DataPart(name, split, limit, shippable)
    name, own = (before, last) if before else (name, "")
    return DataPart(name, own or split, limit, shippable, split if own else None)


def _stamps(parts: Sequence[DataPart]) -> list[Any]:
    """Return what tells whether files of the user's own are the same; data sets do not change."""
    found = (OwnData.parse(part.name) for part in parts)
    return [own.stamp for own in found if own is not None]


def load_part(part: DataPart) -> Iterator[Example]:
    """Yield the documents of a part.

    Raises:
        LongsumError: The data are missing, or none may be redistributed.
    """
    return load(part.name, part.split, limit=part.limit, shippable=part.shippable)


class Tally:
    """Reads the documents of parts, and counts those that training examples are made from.

    Training examples must be made lazily: all of one document before the next one is read.
    """

    def __init__(self, parts: Sequence[DataPart]) -> None:
        self.parts = parts
        self._counts = [Counter[str]() for _ in parts]
        self._licenses = [Counter[str]() for _ in parts]
        self._last: tuple[int, Example] | None = None

    def documents(self) -> Iterator[Example]:
        """Yield the documents of all parts, with their summaries."""
        for place, part in enumerate(self.parts):
            for example in load_part(part):
                self._last = place, example
                yield example

    def counted(self, examples: Iterable[T]) -> Iterator[T]:
        """Yield training examples that are made of the documents, and count them."""
        counted: Example | None = None
        for each in examples:
            assert self._last is not None
            place, example = self._last
            self._counts[place]["lessons"] += 1
            if example is not counted:
                counted = example
                info = dataset_info(self.parts[place].name)
                self._counts[place]["documents"] += 1
                self._counts[place]["shippable"] += may_ship(info, example)
                self._licenses[place][example.license or info.license] += 1
            yield each

    def used(self) -> list[UsedData]:
        """Return what has been counted so far."""
        return [
            UsedData(
                part.name,
                part.role or part.split,
                documents=counts["documents"],
                lessons=counts["lessons"],
                shippable=counts["shippable"],
                licenses=dict(licenses.most_common()),
            )
            for part, counts, licenses in zip(self.parts, self._counts, self._licenses, strict=True)
        ]


def save_used(used: Iterable[UsedData], path: Path) -> None:
    """Write a record of documents as JSON."""
    rows = ",\n".join(json.dumps(asdict(each), ensure_ascii=False) for each in used)
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
        made_of = [tally.parts, described, *_stamps(tally.parts)]
        path = self.folder / f"{name}-{fingerprint(made_of)}.npz"
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
        made_of = [tally.parts, *described, *_stamps(tally.parts)]
        path = self.folder / f"{name}-{fingerprint(made_of)}"
        if not path.is_dir():
            self.say(work)
            with new_folder(path) as folder:
                make(tally, folder)
        return path


def fingerprint(described: Any) -> str:
    """Return a short name for anything JSON can express, or dataclasses of it."""
    return hashlib.sha256(json.dumps(described, default=asdict).encode()).hexdigest()[:16]
