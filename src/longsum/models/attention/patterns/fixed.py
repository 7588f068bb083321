"""Fixed patterns: full, window, stride, global tokens, random blocks."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.patterns.pattern import Grid, SimplePattern, Tile, blocks


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
class Stride(SimplePattern):
    """Each token sees every `stride`-th token, counted from itself (HEPOS, §2.1: O(n² / s)).

    "Each query attends to every s-th token": the released code takes the tokens of the query's own
    residue class, not every s-th from the start of the text, and so do we.
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


_MAX_BLOCKS = 1 << 12


@dataclass(frozen=True, slots=True)
class RandomBlocks(SimplePattern):
    """Each block of tokens sees one block drawn at random, for each head (HEPOS, §2.1: O(nr)).

    The released code draws anew at every forward pass, in evaluation too. Here the drawing depends
    on the seed, the head, the block and the number of real blocks of the row alone, so that an
    evaluation repeats and padding changes nothing.

    Attributes:
        block: Tokens of a block (the paper's r).
        seed: Seed of the drawing.
        table: The numbers that are drawn from, on the device where `on` brought them; None where
            they are looked up when needed.
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
        # Odd multipliers spread heads and blocks over the table without a table of their product.
        # Their products need 64 bits, and a GPU kernel counts positions in 32.
        place = (number.long() * 40503 + head.long() * 48271) % len(uniform)
        count = torch.clamp((length + self.block - 1) // self.block, min=1)
        return torch.minimum((uniform[place] * count).long(), count - 1)


@lru_cache(maxsize=8)
def _uniform(seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(_MAX_BLOCKS * 4 + 1, generator=generator, dtype=torch.float64)
