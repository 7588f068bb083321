"""Sliding window."""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.patterns.pattern import Grid, Part, Tile, blocks


@dataclass(frozen=True, slots=True)
class Window(Part):
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
