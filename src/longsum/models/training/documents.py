"""The documents that a run learns from: what is requested, and what was used in the end."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

from longsum.common.errors import LongsumError
from longsum.common.files import write_text
from longsum.common.structured_text import parse_json
from longsum.evaluation.datasets import Example, dataset_info, load, may_ship
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
    name, _, own = name.partition("/")
    return DataPart(name, own or split, limit, shippable, split if own else None)


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
        return [UsedData(**each) for each in parse_json(path.read_bytes())]
    except (OSError, ValueError, TypeError) as error:
        raise LongsumError(
            f"The record of documents in {path} cannot be read; delete it and prepare the data "
            "again."
        ) from error
