"""Random attention."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

import torch
from torch import Tensor

from longsum.models.attention.patterns.pattern import Grid, Part, Tile, blocks

_MAX_BLOCKS = 1 << 12


@dataclass(frozen=True, slots=True)
class RandomBlocks(Part):
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
