"""Biases by relative position and by distances of tokens."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.bias import (
    BiasedPart,
    DistanceTiles,
    EachTile,
    ScoreBias,
    TileBias,
)
from longsum.models.attention.patterns import Grid, Pattern, SimplePattern, Tile, Union, blocks
from longsum.models.attention.softmax import at_least_float32, real_lengths


@dataclass(frozen=True, slots=True, eq=False)
class TokenDistance(ScoreBias):
    """A bias for each head and each distance key − query, to either side.

    T5 groups far distances in buckets; in HIBRIDS each distance has its own bias. The paper says
    nothing about distances beyond the table; here they count as the last one in it.

    Attributes:
        learned: The table, `[2 · reach + 1, h]`: 0, 1 … reach to the right, then 1 … to the left.
        plain: Number of first tokens, whose pairs get no bias.
    """

    learned: Tensor
    plain: int = 0

    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return the bias of the scores of these pairs, `[…, h, q, k]`."""
        labels = RelativeLabels(len(learned) // 2).of_distance(grid.key - grid.query)
        if labels.dim() == 2:
            # Heads share the distances, and whole rows are looked up and added much faster.
            values = torch.nn.functional.embedding(labels, learned).movedim(-1, 0)
        else:
            values = learned[labels, grid.head]
        if not self.plain:
            return values
        return torch.where(self._first(grid), 0.0, values)

    def differentiate(self, grid: Grid, learned: Tensor, grad: Tensor) -> Tensor:
        """Return what autograd would, which cannot run within an operator of a compiled graph."""
        labels = RelativeLabels(len(learned) // 2).of_distance(grid.key - grid.query)
        if self.plain:
            grad = grad.masked_fill(self._first(grid), 0.0)
        if labels.dim() > 2:
            return _gradient_of_table(learned, labels, grid, grad)
        total = torch.zeros_like(learned, dtype=grad.dtype)
        grad = grad.flatten(0, -4).sum(0) if grad.dim() > 3 else grad
        return total.index_add_(0, labels.flatten(), grad.flatten(1).T)

    def _first(self, grid: Grid) -> Tensor:
        return (grid.query < self.plain) | (grid.key < self.plain)

    def on_tiles(self, learned: Tensor) -> DistanceTiles:
        """Return an object that adds it to tiles."""
        return DistanceTiles(self, learned, self.plain)

    def adds_to(self, part: SimplePattern) -> bool:
        """Tell whether the part consists of pairs of tokens."""
        return not isinstance(part.whole, TransientTokens)


@dataclass(frozen=True, slots=True)
class WithDistances:
    """A pattern with a bias of distances, for a compiled graph.

    `plain` is that of `TokenDistance`.
    """

    pattern: Pattern
    plain: int

    def of(self, learned: Tensor | None, tokens: int) -> tuple[Pattern, tuple[ScoreBias, ...]]:  # noqa: ARG002
        """See `LearnedPattern.of`."""
        assert learned is not None
        return self.pattern, (TokenDistance(learned, self.plain),)


@dataclass(frozen=True, slots=True, eq=False)
class TransientTokens(BiasedPart):
    """Sums of blocks of tokens, which precede the source and are seen by all (LongT5).

    Attributes:
        count: Number of transient tokens.
        size: Tokens of a block.
        table: A bias for each distance from a token's own block, as in `TokenDistance`; or None.
    """

    count: int
    size: int
    table: Tensor | None

    def visible(self, grid: Grid) -> Tensor:
        """Show the first keys."""
        return (grid.key < self.count) & (grid.query >= 0)

    def tiles(self, tokens: int, heads: int, lengths: Tensor, block: int) -> Iterator[Tile]:  # noqa: ARG002
        """Give all queries the first keys."""
        for queries in blocks(tokens if self.count else 0, block):
            yield Tile(queries, slice(0, self.count), masked=False)

    def bias(self, device: torch.device) -> ScoreBias | None:  # noqa: ARG002
        """Return the bias by the distance of blocks."""
        return None if self.table is None else BlockDistance(self.table, self)


@dataclass(frozen=True, slots=True, eq=False)
class BlockDistance(ScoreBias):
    """A bias for each head and each distance of a transient token from the query's block.

    `learned` is the table, as in `TokenDistance`.
    """

    learned: Tensor
    tokens: TransientTokens

    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return the bias of the scores of these pairs, `[b or 1, h, q, k]`."""
        labels, there = self._labels(grid, learned)
        return torch.where(there, learned[labels, grid.head], 0.0)

    def differentiate(self, grid: Grid, learned: Tensor, grad: Tensor) -> Tensor:
        """Do as `TokenDistance.differentiate`."""
        labels, there = self._labels(grid, learned)
        return _gradient_of_table(learned, labels, grid, grad.masked_fill(~there, 0.0))

    def _labels(self, grid: Grid, learned: Tensor) -> tuple[Tensor, Tensor]:
        """Return the distance of each pair, and which pairs have a transient token as key."""
        count, size = self.tokens.count, self.tokens.size
        own_block = (grid.query - count) // size
        # The remainder at the end belongs to the last whole block.
        own_block = torch.minimum(own_block, (grid.length - count) // size - 1)
        labels = RelativeLabels(len(learned) // 2).of_distance(grid.key - own_block)
        return labels, (grid.key < count) & (grid.query >= count)

    def on_tiles(self, learned: Tensor) -> TileBias:
        """Return an object that adds it to tiles."""
        return EachTile(self, learned)

    def adds_to(self, part: SimplePattern) -> bool:
        """Tell whether the part is that of the transient tokens."""
        return isinstance(part.whole, TransientTokens)


def _gradient_of_table(learned: Tensor, labels: Tensor, grid: Grid, grad: Tensor) -> Tensor:
    """Return the gradient of a table, `[labels, h]`, from that of the rows given to pairs."""
    total = torch.zeros_like(learned, dtype=grad.dtype)
    places = labels.expand_as(grad), grid.head.expand_as(grad)
    return total.index_put_(places, grad, accumulate=True)


@dataclass(frozen=True, slots=True)
class WithTransientTokens:
    """A pattern after transient tokens, for a compiled graph, in which lengths may change.

    `size` is that of `TransientTokens`.
    """

    pattern: Pattern
    size: int

    def of(self, learned: Tensor | None, tokens: int) -> tuple[Pattern, tuple[ScoreBias, ...]]:
        """See `LearnedPattern.of`; the learned values are the tables of tokens and of blocks."""
        # A source is preceded by one for each of its whole blocks.
        count = tokens // (self.size + 1)
        if learned is None:
            return Union((TransientTokens(count, self.size, None), *self.pattern.parts)), ()
        table, of_blocks = learned.chunk(2)
        added = TransientTokens(count, self.size, of_blocks)
        biases = TokenDistance(table, count), BlockDistance(of_blocks, added)
        return Union((added, *self.pattern.parts)), biases


def block_sums(hidden: Tensor, real: Tensor | None, size: int) -> tuple[Tensor, Tensor | None]:
    """Sum the states of each whole block of a row; the remainder counts with the last block.

    Args:
        hidden: `[b, n, D]`.
        real: Boolean `[b, n]`, False for padding at the end of a row; or None.
        size: Tokens of a block.

    Returns:
        `[b, n // size, D]`, and a mask of those that exist; None if all do.
    """
    batch, tokens, _ = hidden.shape
    count = tokens // size
    whole = real_lengths(real, batch, tokens, hidden.device)[:, None] // size
    places = torch.arange(tokens, device=hidden.device) // size
    # Tokens in no whole block, such as padding, go to one beyond the end, which is cut off.
    places = torch.where(whole > 0, torch.minimum(places, whole - 1), count)
    if real is not None:
        places = places.masked_fill(~real, count)
    sums = hidden.new_zeros(
        (batch, count + 1, hidden.shape[-1]), dtype=at_least_float32(hidden.dtype)
    )
    sums = sums.scatter_add(1, places[..., None].expand_as(hidden), hidden.to(sums.dtype))
    exists = None if real is None else torch.arange(count, device=hidden.device) < whole
    return sums[:, :count].to(hidden.dtype), exists


@dataclass(frozen=True, slots=True)
class RelativeLabels:
    """Labels for the relation of a key to a query (Ainslie et al. 2020, ETC, §2.2).

    With m = 2, the labels of four tokens, queries downwards and keys to the right, are::

        0 1 2 2
        3 0 1 2
        4 3 0 1
        4 4 3 0

    Two more labels, after those, say whether a token belongs to a sentence.

    Attributes:
        reach: The distance m beyond which all have the same label.

    Raises:
        LongsumError: The reach is below 1.
    """

    reach: int

    def __post_init__(self) -> None:
        if self.reach < 1:
            raise LongsumError(
                f"A reach of {self.reach} distinguishes no distances; give 1 or more."
            )

    @property
    def outside(self) -> int:
        """The label of a token and a sentence that does not contain it."""
        return 2 * self.reach + 1

    @property
    def inside(self) -> int:
        """The label of a token and the sentence that contains it."""
        return 2 * self.reach + 2

    @property
    def count(self) -> int:
        """How many labels there are."""
        return 2 * self.reach + 3

    def of_distance(self, offset: Tensor) -> Tensor:
        """Label pairs by distance: 0 self, 1 … m to the right, m + 1 … 2m to the left.

        Args:
            offset: Position of the key minus that of the query, whole numbers of any shape.
        """
        clipped = offset.clamp(-self.reach, self.reach)
        return torch.where(clipped < 0, self.reach - clipped, clipped)


def label_scores(query: Tensor, vectors: Tensor) -> Tensor:
    """Score each label for each query, `[b, h, q, labels]`: q · r / √d, to be added to q · k / √d.

    The queries are `[b, h, q, d]`, the vectors `[labels, h, d]`.
    """
    scores: Tensor = query @ vectors.permute(1, 2, 0) * query.shape[-1] ** -0.5
    return scores


def score_pairs(scores: Tensor, labels: Tensor) -> Tensor:
    """Look up the scores of labelled pairs, `[b, h, q, k]`.

    The scores are those of `label_scores`, the labels `[q, k]` or `[b, 1, q, k]`.
    """
    return scores.gather(-1, labels.expand(*scores.shape[:-1], labels.shape[-1]))
