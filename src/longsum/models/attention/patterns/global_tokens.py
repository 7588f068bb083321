"""Global tokens."""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

from longsum.models.attention.patterns.pattern import Grid, Part, Tile, blocks


@dataclass(frozen=True, slots=True)
class GlobalTokens(Part):
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
