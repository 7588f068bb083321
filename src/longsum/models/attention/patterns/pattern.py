"""What a fixed pattern is: a question about pairs of tokens, and tiles that cover the answer."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Grid:
    """Pairs of tokens about which a pattern is asked; all parts broadcast against each other.

    Attributes:
        query: Positions of queries, for example `[q, 1]`.
        key: Positions of keys, for example `[k]` or `[h, 1, k]`.
        head: Heads, for example `[h, 1, 1]`.
        length: Number of real tokens of each row, for example `[b, 1, 1, 1]`.
        row: Numbers of the rows, for example `[b, 1, 1, 1]`.
    """

    query: Tensor
    key: Tensor
    head: Tensor
    length: Tensor
    row: Tensor

    @classmethod
    def of(cls, query: Tensor, key: Tensor, heads: int, lengths: Tensor) -> "Grid":
        """Return the pairs of queries and keys in all heads, and rows of these lengths, `[b]`."""
        device = lengths.device
        return cls(
            query=query,
            key=key,
            head=torch.arange(heads, device=device)[:, None, None],
            length=lengths[:, None, None, None],
            row=torch.arange(len(lengths), device=device)[:, None, None, None],
        )


@dataclass(frozen=True, slots=True)
class Tile:
    """A rectangle of the score matrix.

    Attributes:
        queries: Positions of its queries.
        keys: Positions of its keys: a slice, or `[b, h, k]` where rows and heads differ.
        masked: Whether some pair in it may be invisible. False spares the asking.
    """

    queries: slice
    keys: slice | Tensor
    masked: bool = True


class Pattern(ABC):
    """Which key each query may see, apart from padding. Patterns compose with `|`.

    A pattern never shows more of a row when the row is padded further to the right.
    """

    @abstractmethod
    def visible(self, grid: Grid) -> Tensor:
        """Tell for each pair of the grid whether the query may see the key: the definition."""

    @property
    @abstractmethod
    def parts(self) -> "tuple[SimplePattern, ...]":
        """The simple patterns that it is made of."""

    def on(self, device: torch.device) -> Self:  # noqa: ARG002
        """Return the same pattern, holding on the device whatever `visible` looks up.

        A compiler can follow `visible` then, which it must for FlexAttention.
        """
        return self

    def __or__(self, other: "Pattern") -> "Union":
        """Let a query see what either pattern lets it see."""
        return Union((*self.parts, *other.parts))


class SimplePattern(Pattern):
    """A simple pattern, which can say where its visible pairs lie."""

    @property
    def parts(self) -> "tuple[SimplePattern, ...]":
        """The pattern itself."""
        return (self,)

    @property
    def whole(self) -> "SimplePattern":
        """The part as it stands in a union, before what earlier parts show is cut out of it."""
        return self

    @abstractmethod
    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:
        """Cover the pattern with rectangles that hold every visible pair exactly once.

        Whatever else they hold is masked by `visible`.

        Args:
            tokens: Length of the sequence with its padding.
            heads: Number of heads.
            lengths: Real tokens of each row, `[b]`.
            block: Number of queries that a tile should hold.
        """


@dataclass(frozen=True, slots=True)
class Union(Pattern):
    """What any of its members lets a query see; each pair counts once."""

    members: tuple[SimplePattern, ...]

    @property
    def parts(self) -> tuple[SimplePattern, ...]:
        """The members."""
        return self.members

    def visible(self, grid: Grid) -> Tensor:
        """Tell whether any member shows the key."""
        found = self.members[0].visible(grid)
        for member in self.members[1:]:
            found = found | member.visible(grid)
        return found

    def on(self, device: torch.device) -> Self:
        """Bring every member to the device."""
        return replace(self, members=tuple(member.on(device) for member in self.members))


def union(parts: Sequence[SimplePattern]) -> Pattern | None:
    """Join parts to a pattern; one stays itself, and none make no pattern."""
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Union(tuple(parts))


@dataclass(frozen=True, slots=True)
class Without(SimplePattern):
    """A part of a union without what earlier parts show, so that no pair counts twice."""

    part: SimplePattern
    earlier: tuple[SimplePattern, ...]

    @property
    def whole(self) -> SimplePattern:
        """The part before anything is cut out of it."""
        return self.part

    def visible(self, grid: Grid) -> Tensor:
        """Tell whether the part shows the key and no earlier one does."""
        return self.part.visible(grid) & ~Union(self.earlier).visible(grid)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:
        """Yield the part's tiles, all masked."""
        for tile in self.part.tiles(tokens, heads, lengths, block):
            yield Tile(tile.queries, tile.keys)


def disjoint_parts(pattern: Pattern) -> tuple[SimplePattern, ...]:
    """Split a pattern into parts that share no pair and together show what it shows."""
    parts = pattern.parts
    return tuple(
        Without(part, parts[:place]) if place else part for place, part in enumerate(parts)
    )


def blocks(tokens: int, block: int) -> Iterator[slice]:
    """Cut a sequence into blocks; the last may be shorter."""
    for start in range(0, tokens, block):
        yield slice(start, min(start + block, tokens))


def dense_grid(tokens: int, heads: int, lengths: Tensor) -> Grid:
    """Return the grid of all pairs: `[b, h, n, n]` when broadcast."""
    positions = torch.arange(tokens, device=lengths.device)
    return Grid.of(positions[:, None], positions, heads, lengths)
