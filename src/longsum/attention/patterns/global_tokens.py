"""Global tokens."""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

from longsum.attention.patterns.pattern import Grid, Part, Tile, blocks


@dataclass(frozen=True, slots=True)
class GlobalTokens(Part):
    """The first `count` tokens see all and are seen by all (HEPOS, §2.1: O(2ng))."""

    count: int

    def visible(self, grid: Grid) -> Tensor:
        """Show a pair in which either token is global."""
        return (grid.query < self.count) | (grid.key < self.count)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give the global queries all keys, and all other queries the global keys."""
        count = min(self.count, tokens)
        for queries in blocks(count, block):
            yield Tile(queries, slice(0, tokens), masked=False)
        for queries in blocks(tokens - count, block):
            rest = slice(queries.start + count, queries.stop + count)
            if count:
                yield Tile(rest, slice(0, count), masked=False)
