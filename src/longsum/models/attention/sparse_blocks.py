"""BigBird's blocks: each sees itself, its neighbours, and the first and the last block of the text.

Zaheer et al. 2020 add blocks drawn at random. `transformers` draws them only in training, and
afterwards takes the first block in place of each: a middle block then reads that block once more
for every random one, which multiplies its weight. That is what is computed here, in training too.
Positions count within a row, so that the last block is the one with the row's last token.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.models.attention.biases.bias import BiasedPart, EachTile, ScoreBias, TileBias
from longsum.models.attention.patterns import GlobalTokens, Grid, SimplePattern, Tile, blocks


@dataclass(frozen=True, slots=True)
class NearBlocks(SimplePattern):
    """Each token sees the tokens of its own block and of adjacent ones."""

    size: int

    def visible(self, grid: Grid) -> Tensor:
        """Show keys at most one block away."""
        return (grid.query // self.size - grid.key // self.size).abs() <= 1

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give as many whole blocks of queries as fit in a tile all keys of adjacent blocks."""
        for queries in blocks(tokens, max(block // self.size, 1) * self.size):
            last = (queries.stop - 1) // self.size
            keys = slice(max(queries.start - self.size, 0), min((last + 2) * self.size, tokens))
            yield Tile(queries, keys, masked=queries.stop - queries.start > self.size)


@dataclass(frozen=True, slots=True)
class LastKeys(SimplePattern):
    """Every token sees the last block."""

    size: int

    def visible(self, grid: Grid) -> Tensor:
        """Show keys from the start of the last block."""
        return grid.key >= _last(grid.length, self.size)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give all queries the last keys: of every row, or the same if rows are equally long."""
        first = _last(lengths, self.size)
        place = int(first[0])
        keys: slice | Tensor = slice(place, min(place + self.size, tokens))
        if bool((first != place).any()):
            keys = first[:, None, None] + torch.arange(self.size, device=lengths.device)
        for queries in blocks(tokens, block):
            yield Tile(queries, keys)


@dataclass(frozen=True, slots=True)
class LastQueries(SimplePattern):
    """The last block sees every token, and so do all tokens of a short text.

    Attributes:
        size: Tokens of a block.
        short: The longest text that is read whole.
    """

    size: int
    short: int

    def visible(self, grid: Grid) -> Tensor:
        """Show all keys to queries from the start of the last block."""
        return (grid.query >= self._first(grid.length)) & (grid.key >= 0)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give all keys to the blocks of queries that contain such a query of any row."""
        first = int(self._first(lengths).min())
        for queries in blocks(tokens, block):
            if queries.stop > first:
                yield Tile(queries, slice(0, tokens))

    def _first(self, length: Tensor) -> Tensor:
        return torch.where(length <= self.short, 0, _last(length, self.size))


@dataclass(frozen=True, slots=True, eq=False)
class FirstAgain(ScoreBias):
    """Makes the first block count once more for each random block.

    Attributes:
        learned: The logarithm of the count; it is not learned.
        last: The part of the last queries.
    """

    learned: Tensor
    last: LastQueries

    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return the logarithm for the keys of the first block and the queries between the ends."""
        size = self.last.size
        between = (grid.query >= size) & (grid.query < self.last._first(grid.length))
        return torch.where(between & (grid.key < size), learned, 0.0)

    def differentiate(self, grid: Grid, learned: Tensor, grad: Tensor) -> Tensor:  # noqa: ARG002
        """Return no gradient."""
        return torch.zeros_like(learned)

    def on_tiles(self, learned: Tensor) -> TileBias:
        """Return an object that adds it to tiles."""
        return EachTile(self, learned)

    def adds_to(self, part: SimplePattern) -> bool:
        """Tell whether the part is that of the first block."""
        return isinstance(part.whole, FirstBlock)


@dataclass(frozen=True, slots=True)
class FirstBlock(GlobalTokens, BiasedPart):
    """The first block sees all and is seen by all, by blocks between the ends more than once.

    Attributes:
        random: Number of random blocks.
        last: The part of the last queries.
    """

    random: int
    last: LastQueries

    def bias(self, device: torch.device) -> ScoreBias:
        """Return the bias that makes it count more than once."""
        return FirstAgain(torch.tensor(math.log(1.0 + self.random), device=device), self.last)


def sparse_blocks(size: int, random: int) -> tuple[SimplePattern, ...]:
    """Return the parts of BigBird's pattern.

    Args:
        size: Tokens of a block.
        random: Number of random blocks of each block.
    """
    # As in `transformers`: the ends, three blocks of a window, and twice the random ones.
    last = LastQueries(size, (5 + 2 * random) * size)
    return FirstBlock(size, random, last), NearBlocks(size), LastKeys(size), last


def _last(length: Tensor, size: int) -> Tensor:
    """Return the start of the last block of rows of this length."""
    return (length - 1).clamp(min=0) // size * size
