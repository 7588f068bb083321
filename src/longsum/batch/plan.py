"""Which documents are summarized together, and committed together."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from longsum.batch.corpus import Item
from longsum.errors import LongsumError


@dataclass(frozen=True, slots=True)
class Block:
    """Documents whose results are written at once: the unit of a commit and of a retry.

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
    def from_json(cls, line: str) -> "Block":
        """Return the block that `to_json` wrote."""
        value: dict[str, Any] = json.loads(line)
        items = (Item(name, tuple(place), size) for name, place, size in value["items"])
        return cls(value["block"], tuple(items))


@dataclass(frozen=True, slots=True)
class BlockSize:
    """How large blocks may become; a document that is larger is a block of its own.

    Attributes:
        documents: The most documents.
        size: The most bytes of all.
    """

    documents: int = 64
    size: int = 32_000_000

    def __post_init__(self) -> None:
        """Check the sizes.

        Raises:
            LongsumError: One is not above zero.
        """
        if self.documents < 1 or self.size < 1:
            raise LongsumError("A block has at least one document and one byte.")


def blocks_of(
    items: Iterable[Item], most: BlockSize, *, first: int = 0, taken: Iterable[str] = ()
) -> Iterator[Block]:
    """Divide documents into blocks, in their order.

    A document whose id was there before gets a number behind it, so that ids are unique.

    Args:
        items: The documents.
        most: How large blocks may become.
        first: Number of the first block.
        taken: Ids that are there before.
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
    for item in items:
        name, number = item.id, 1
        while name in taken:
            number += 1
            name = f"{item.id}#{number}"
        taken.add(name)
        yield item if name == item.id else replace(item, id=name)


class PlanFile:
    """The blocks of a run in a file, one a line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks.

        Raises:
            LongsumError: The file is not there or damaged.
        """
        try:
            with self.path.open(encoding="utf-8") as lines:
                for line in lines:
                    yield Block.from_json(line)
        except (OSError, ValueError, KeyError, TypeError):
            raise LongsumError(
                f"'{self.path}' is missing or damaged, so that nobody can say which documents the "
                "run has; begin a new one."
            ) from None

    def items(self) -> Iterator[Item]:
        """Yield the documents of all blocks."""
        for block in self.blocks():
            yield from block.items
