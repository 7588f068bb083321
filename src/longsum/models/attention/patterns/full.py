"""Every token sees every token."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.models.attention.patterns.pattern import Grid, Part, Tile, blocks


@dataclass(frozen=True, slots=True)
class Full(Part):
    """Full attention (HEPOS, Table 1: memory n², no new parameters)."""

    def visible(self, grid: Grid) -> Tensor:
        """Show every key."""
        return torch.ones_like(grid.query + grid.key, dtype=torch.bool)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give each block of queries all keys."""
        for queries in blocks(tokens, block):
            yield Tile(queries, slice(0, tokens), masked=False)
