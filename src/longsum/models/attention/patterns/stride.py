"""Stride pattern."""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

from longsum.models.attention.patterns.pattern import Grid, Part, Tile, blocks


@dataclass(frozen=True, slots=True)
class Stride(Part):
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
