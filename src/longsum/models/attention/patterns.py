"""Fixed patterns: a predicate on pairs of tokens, and tiles that cover where it holds."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

import torch
from torch import Tensor

from longsum.common.errors import LongsumError


@dataclass(frozen=True, slots=True)
class Grid:
    """Pairs of tokens for which a pattern is evaluated; all parts broadcast against each other.

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
        """Return the pairs of queries and keys in all heads, for rows of these lengths, `[b]`."""
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
        keys: Positions of its keys: a slice, or `[b, h, k]` if rows and heads differ.
        masked: Whether some pair in it may be invisible. False saves the check.
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
        """The simple patterns that it consists of."""

    def on(self, device: torch.device) -> Self:  # noqa: ARG002
        """Return the same pattern, with whatever `visible` looks up on the device.

        A compiler can then trace `visible`, as FlexAttention requires.
        """
        return self

    def __or__(self, other: "Pattern") -> "Union":
        """Let a query see what either pattern lets it see."""
        return Union((*self.parts, *other.parts))


class SimplePattern(Pattern):
    """A simple pattern, which knows where its visible pairs are."""

    @property
    def parts(self) -> "tuple[SimplePattern, ...]":
        """The pattern itself."""
        return (self,)

    @property
    def whole(self) -> "SimplePattern":
        """The part itself, before what earlier parts of a union show is cut out of it."""
        return self

    @abstractmethod
    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:
        """Cover the pattern with rectangles that contain every visible pair exactly once.

        Whatever else they contain is masked by `visible`.

        Args:
            tokens: Length of the sequence with its padding.
            heads: Number of heads.
            lengths: Real tokens of each row, `[b]`.
            block: Number of queries that a tile should hold.
        """


@dataclass(frozen=True, slots=True)
class Union(Pattern):
    """The pairs that any of its members shows; each counts once."""

    members: tuple[SimplePattern, ...]

    @property
    def parts(self) -> tuple[SimplePattern, ...]:
        """The members."""
        return self.members

    def visible(self, grid: Grid) -> Tensor:
        """Tell whether any member shows the key."""
        visible = self.members[0].visible(grid)
        for member in self.members[1:]:
            visible = visible | member.visible(grid)
        return visible

    def on(self, device: torch.device) -> Self:
        """Bring every member to the device."""
        return replace(self, members=tuple(member.on(device) for member in self.members))


def union(parts: Sequence[SimplePattern]) -> Pattern | None:
    """Join parts into a pattern; a single part is returned as it is; None for no parts."""
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
    """Split a pattern into parts that share no pair and together show the same pairs."""
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


@dataclass(frozen=True, slots=True)
class Full(SimplePattern):
    """Full attention (HEPOS, Table 1: memory n², no new parameters)."""

    def visible(self, grid: Grid) -> Tensor:
        """Show every key."""
        return torch.ones_like(grid.query + grid.key, dtype=torch.bool)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give each block of queries all keys."""
        for queries in blocks(tokens, block):
            yield Tile(queries, slice(0, tokens), masked=False)


@dataclass(frozen=True, slots=True)
class Window(SimplePattern):
    """Each token sees `size / 2` tokens on either side, and itself (HEPOS, §2.1: O(nw)).

    The paper's w counts both sides: 256 means 128 to the left and 128 to the right.

    Raises:
        LongsumError: The size is odd or negative.
    """

    size: int

    def __post_init__(self) -> None:
        if self.size < 0 or self.size % 2:
            raise LongsumError(
                f"A window of {self.size} has no two equal sides; give an even size."
            )

    def visible(self, grid: Grid) -> Tensor:
        """Show keys within half the size."""
        return (grid.query - grid.key).abs() <= self.size // 2

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give each block of queries its neighbourhood."""
        side = self.size // 2
        for queries in blocks(tokens, block):
            first, last = max(queries.start - side, 0), min(queries.stop + side, tokens)
            reaches_all = queries.stop - 1 - first <= side and last - 1 - queries.start <= side
            yield Tile(queries, slice(first, last), masked=not reaches_all)


@dataclass(frozen=True, slots=True)
class Blocks(SimplePattern):
    """Each token sees the tokens of its own block (PEGASUS-X; Phang et al. 2022, §3.2).

    Attributes:
        size: Tokens of a block.
        first: Position where a block begins; there are blocks before it too.
    """

    size: int
    first: int = 0

    def visible(self, grid: Grid) -> Tensor:
        """Show keys of the query's block."""
        return (grid.query - self.first) // self.size == (grid.key - self.first) // self.size

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give the queries of each block its keys."""
        for start in range(self.first % self.size - self.size, tokens, self.size):
            keys = slice(max(start, 0), min(start + self.size, tokens))
            for part in blocks(max(keys.stop - keys.start, 0), block):
                queries = slice(keys.start + part.start, keys.start + part.stop)
                yield Tile(queries, keys, masked=False)


@dataclass(frozen=True, slots=True)
class Stride(SimplePattern):
    """Each token sees every `stride`-th token, counted from itself (HEPOS, §2.1: O(n² / s)).

    "Each query attends to every s-th token": the released code takes the tokens of the query's own
    residue class, not every s-th from the start of the text; so does this class.
    """

    stride: int

    def visible(self, grid: Grid) -> Tensor:
        """Show keys a multiple of the stride away."""
        return (grid.query - grid.key) % self.stride == 0

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give the queries of each residue class the keys of that class."""
        for residue in range(min(self.stride, tokens)):
            members = range(residue, tokens, self.stride)
            for part in blocks(len(members), block):
                queries = slice(members[part.start], members[part.stop - 1] + 1, self.stride)
                yield Tile(queries, slice(residue, tokens, self.stride), masked=False)


@dataclass(frozen=True, slots=True)
class GlobalTokens(SimplePattern):
    """The first `count` tokens see all and are seen by all (HEPOS, §2.1: O(2ng))."""

    count: int

    def visible(self, grid: Grid) -> Tensor:
        """Show a pair in which either token is global."""
        return (grid.query < self.count) | (grid.key < self.count)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give all queries the global keys, and the global queries all others."""
        count = min(self.count, tokens)
        for queries in blocks(tokens if count else 0, block):
            yield Tile(queries, slice(0, count), masked=False)
        for queries in blocks(count if count < tokens else 0, block):
            yield Tile(queries, slice(count, tokens), masked=False)


@dataclass(frozen=True, slots=True, eq=False)
class ChosenTokens(SimplePattern):
    """Tokens chosen in each row, which all tokens see (the keys of LED's `global_attention_mask`).

    It does not include that they see all tokens, as a tile's queries are the same in every row.

    Attributes:
        chosen: Boolean `[b, n]`.
        places: `[b, g]`, their positions; rows with fewer contain positions of others too.
        together: Their positions as a slice, if they are contiguous and the same in every row.
    """

    chosen: Tensor
    places: Tensor
    together: slice | None

    @classmethod
    def of(cls, chosen: Tensor) -> "ChosenTokens":
        """Find the positions of chosen tokens."""
        count = int(chosen.sum(dim=1).amax())
        places = (~chosen).to(torch.uint8).argsort(dim=1, stable=True)[:, :count]
        together = None
        if count:
            first = int(places[0, 0])
            together = slice(first, first + count)
            if int(chosen[:, together].sum()) < chosen.shape[0] * count:
                together = None
        return cls(chosen, places, together)

    def visible(self, grid: Grid) -> Tensor:
        """Show the chosen keys."""
        return self.chosen[grid.row, grid.key.clamp(max=self.chosen.shape[1] - 1)]

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give all queries the chosen keys."""
        keys = self.places[:, None] if self.together is None else self.together
        for queries in blocks(tokens if self.places.shape[1] else 0, block):
            yield Tile(queries, keys, masked=self.together is None)


_MAX_BLOCKS = 1 << 12


@dataclass(frozen=True, slots=True)
class RandomBlocks(SimplePattern):
    """Each block of tokens sees one block drawn at random, for each head (HEPOS, §2.1: O(nr)).

    The released code draws anew at every forward pass, in evaluation too. Here the draw depends
    only on the seed, the head, the block and the row's number of real blocks, so that an evaluation
    is repeatable and padding changes nothing.

    Attributes:
        block: Tokens of a block (the paper's r).
        seed: Seed of the drawing.
        table: The random numbers, on the device to which `on` brought them; None if they are looked
            up when needed.
    """

    block: int
    seed: int = 0
    table: Tensor | None = field(default=None, compare=False, repr=False)

    def on(self, device: torch.device) -> Self:
        """Hold the numbers on the device."""
        return replace(self, table=_uniform(self.seed).to(device))

    def visible(self, grid: Grid) -> Tensor:
        """Show keys of the block that the query's block has drawn."""
        drawn = self._drawn(grid.head, grid.query // self.block, grid.length)
        return grid.key // self.block == drawn

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give each block of queries its drawn block, row by row and head by head."""
        head = torch.arange(heads, device=lengths.device)[None, :]
        within = torch.arange(self.block, device=lengths.device)
        for number, queries in enumerate(blocks(tokens, self.block)):
            place = torch.full((1, 1), number, device=lengths.device)
            drawn = self._drawn(head, place, lengths[:, None])
            keys = drawn[..., None] * self.block + within
            # The last block may be cut short; keys beyond the end are masked by their position.
            yield Tile(queries, keys)

    def _drawn(self, head: Tensor, number: Tensor, length: Tensor) -> Tensor:
        """Return the block drawn by block `number` of `head`, among the real blocks of the row."""
        uniform = _uniform(self.seed).to(head.device) if self.table is None else self.table
        # Odd multipliers spread heads and blocks over the table without a table for each pair:
        # Knuth's for hashing (2¹⁶ / φ), and that of the generator of Park and Miller (1993).
        # Their products need 64 bits, and a GPU kernel counts positions in 32.
        place = (number.long() * 40503 + head.long() * 48271) % len(uniform)
        count = torch.clamp((length + self.block - 1) // self.block, min=1)
        return torch.minimum((uniform[place] * count).long(), count - 1)


@lru_cache(maxsize=8)
def _uniform(seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(_MAX_BLOCKS * 4 + 1, generator=generator, dtype=torch.float64)
