"""Which documents are summarized and committed together."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from longsum.batch.corpora.corpus import Item
from longsum.batch.stored import opened
from longsum.common.errors import LongsumError
from longsum.common.files import write_bytes
from longsum.common.structured_text import parse_json


@dataclass(frozen=True, slots=True)
class Block:
    """Documents whose results are written together: the unit of commits and retries.

    Attributes:
        number: Its position in the plan, from 0.
        items: Its documents; no two of a plan have the same id.
    """

    number: int
    items: tuple[Item, ...]

    @property
    def name(self) -> str:
        """Its name in files."""
        return f"block-{self.number:06}"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its documents."""
        return tuple(item.id for item in self.items)

    def to_json(self) -> str:
        """Return the block on one line."""
        items = [[item.id, item.place, item.size] for item in self.items]
        return json.dumps({"block": self.number, "items": items})

    @classmethod
    def from_json(cls, line: str | bytes) -> "Block":
        """Return the block that `to_json` wrote."""
        value: dict[str, Any] = parse_json(line)
        items = (Item(name, tuple(place), size) for name, place, size in value["items"])
        return cls(value["block"], tuple(items))


@dataclass(frozen=True, slots=True)
class BlockSize:
    """The maximum size of blocks; a larger document is a block of its own.

    Attributes:
        documents: Maximum number of documents.
        size: Maximum total bytes.
    """

    documents: int = 64
    size: int = 32_000_000

    def __post_init__(self) -> None:
        """Reject sizes that are not positive."""
        if self.documents < 1 or self.size < 1:
            raise LongsumError("A block must have at least one document and one byte.")


def blocks_of(
    items: Iterable[Item], most: BlockSize, *, first: int = 0, taken: Iterable[str] = ()
) -> Iterator[Block]:
    """Divide documents into blocks, in their order.

    If an id already exists, a number is appended, so that ids are unique.

    Args:
        items: The documents.
        most: Maximum size of blocks.
        first: Number of the first block.
        taken: Ids that already exist.
    """
    held: list[Item] = []
    size = 0
    for item in _unique(items, set(taken)):
        if held and (len(held) == most.documents or size + item.size > most.size):
            yield Block(first, tuple(held))
            first, held, size = first + 1, [], 0
        held.append(item)
        size += item.size
    if held:
        yield Block(first, tuple(held))


def _unique(items: Iterable[Item], taken: set[str]) -> Iterator[Item]:
    last = Counter[str]()
    for item in items:
        name = item.id
        while name in taken:
            last[item.id] += 1
            name = f"{item.id}#{last[item.id] + 1}"
        taken.add(name)
        yield item if name == item.id else replace(item, id=name)


class DamagedPlanError(LongsumError):
    """A plan is missing or was altered."""


class PlanFile:
    """A file with the blocks of a run, one per line, after a line with the run and their hash."""

    def __init__(self, path: Path, run: str) -> None:
        self.path = path
        self._run = run

    def write(self, blocks: Iterable[Block]) -> None:
        """Write the blocks, replacing existing ones."""
        lines = "".join(f"{block.to_json()}\n" for block in blocks).encode()
        head = {"run": self._run, "sha256": hashlib.sha256(lines).hexdigest()}
        write_bytes(self.path, json.dumps(head).encode() + b"\n" + lines)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks.

        Raises:
            DamagedPlanError: The file is missing or damaged.
            LongsumError: It cannot be read, or belongs to another run.
        """
        try:
            with opened(self.path) as file:
                head = parse_json(file.readline(1000))
                start = file.tell()
                if head["sha256"] != hashlib.file_digest(file, "sha256").hexdigest():
                    raise ValueError("another hash")
                if head["run"] != self._run:
                    raise LongsumError(
                        f"'{self.path}' and the manifest beside it belong to different runs; put "
                        "back the one that belongs there, or begin a new run in another folder."
                    )
                file.seek(start)
                yield from map(Block.from_json, file)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DamagedPlanError(
                f"'{self.path}' is missing or damaged; 'longsum batch resume {self.path.parent}' "
                "plans the run again from its corpus."
            ) from None
