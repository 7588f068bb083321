"""Which documents a run learns from: what is asked for, and what was taken in the end."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

from longsum.datasets import Example, dataset_info, load, may_ship
from longsum.errors import LongsumError
from longsum.files import write_text
from longsum.training.run_settings import DataConfig

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """What is asked of a data set.

    Attributes:
        name: The data set.
        split: Its split.
        limit: The most documents; None for all. Where only some may ship, that many of those.
        shippable: Whether only documents are taken whose licence lets the result be handed on.
    """

    name: str
    split: str
    limit: int | None = None
    shippable: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What a run has of a data set, counted as it was encoded.

    Attributes:
        name: The data set.
        split: Its split.
        documents: Documents that gave a lesson.
        lessons: Lessons.
        shippable: Documents, of these, whose licence lets the result be handed on.
        licenses: Documents, of these, by the licence that their data set states for them.
    """

    name: str
    split: str
    documents: int
    lessons: int
    shippable: int
    licenses: Mapping[str, int] = field(default_factory=dict)


def parts_of(data: DataConfig, split: str) -> list[Part]:
    """Return what a split asks for."""
    names = data.names.split("+")
    if split == "train":
        return [Part(name, split, data.limit, data.shippable) for name in names]
    measured = (data.validation or names[0]).split("+")
    return [Part(name, split, data.validation_limit) for name in measured]


def load_part(part: Part) -> Iterator[Example]:
    """Yield the examples of a part.

    Raises:
        LongsumError: The data are not there, or none of them may ship.
    """
    return load(part.name, part.split, limit=part.limit, shippable=part.shippable)


class Tally:
    """Reads the examples of parts, and counts those that lessons come from.

    What makes the lessons reads the examples one by one, and has made all lessons of one before it
    reads the next.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self._taken = [Counter[str]() for _ in parts]
        self._licenses = [Counter[str]() for _ in parts]
        self._last: tuple[int, Example] | None = None

    def examples(self) -> Iterator[Example]:
        """Yield the examples of all parts."""
        for place, part in enumerate(self.parts):
            for example in load_part(part):
                self._last = place, example
                yield example

    def lessons(self, made: Iterable[T]) -> Iterator[T]:
        """Yield what is made of the examples."""
        counted: Example | None = None
        for lesson in made:
            assert self._last is not None
            place, example = self._last
            self._taken[place]["lessons"] += 1
            if example is not counted:
                counted = example
                info = dataset_info(self.parts[place].name)
                self._taken[place]["documents"] += 1
                self._taken[place]["shippable"] += may_ship(info, example)
                self._licenses[place][example.license or info.license] += 1
            yield lesson

    def taken(self) -> list[Taken]:
        """Return what has been counted so far."""
        return [
            Taken(
                part.name,
                part.split,
                documents=counts["documents"],
                lessons=counts["lessons"],
                shippable=counts["shippable"],
                licenses=dict(licenses.most_common()),
            )
            for part, counts, licenses in zip(self.parts, self._taken, self._licenses, strict=True)
        ]


def save_taken(taken: Iterable[Taken], path: Path) -> None:
    """Write what was taken to a file of JSON."""
    rows = ",\n".join(json.dumps(asdict(each), ensure_ascii=False) for each in taken)
    write_text(path, f"[\n{rows}\n]\n")


def load_taken(path: Path) -> list[Taken]:
    """Read what `save_taken` wrote.

    Raises:
        LongsumError: The file is damaged or of another form.
    """
    try:
        return [Taken(**each) for each in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as error:
        raise LongsumError(
            f"The record of documents in {path} cannot be read; delete it and prepare the data "
            "again."
        ) from error
