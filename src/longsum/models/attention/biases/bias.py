"""Biases that may be added to the scores of an attention."""

from abc import ABC, abstractmethod
from typing import Self

import torch
from torch import Tensor

from longsum.models.attention.patterns import Grid, Pattern, SimplePattern, Tile
from longsum.models.attention.softmax import at_least_float32


class ScoreBias(ABC):
    """A bias that is a function of a pair of tokens, with learned numbers.

    It is never an n × n tensor: fast executions use `on_tiles` for the pairs of one tile at a time.

    Attributes:
        learned: Its parameters, which are passed to `value` and `on_tiles`, and differentiated.
    """

    learned: Tensor

    @abstractmethod
    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return the bias of the scores of these pairs, `[b or 1, h or 1, q, k]`."""

    def differentiate(self, grid: Grid, learned: Tensor, grad: Tensor) -> Tensor:
        """Return the gradient of its parameters, given that of the pairs' values."""
        with torch.enable_grad():
            added = self.value(grid, learned)
        grad = grad.sum_to_size(added.shape).to(added.dtype)
        return torch.autograd.grad(added, learned, grad)[0]

    @abstractmethod
    def on_tiles(self, learned: Tensor) -> "TileBias":
        """Return an object that adds it to tiles, for one pass through them."""

    def adds_to(self, part: SimplePattern) -> bool:  # noqa: ARG002
        """Tell whether it adds anything to the pairs of a part of a pattern.

        If not, `value` is 0, and its tiles are skipped. By default it adds to all.
        """
        return True

    def filled(self, tokens: int) -> Self:  # noqa: ARG002
        """Return the bias for rows that are padded to a number of tokens.

        This is the bias itself, unless it depends on rows.
        """
        return self


class BiasedPart(SimplePattern):
    """A part of a pattern with its own bias."""

    @abstractmethod
    def bias(self, device: torch.device) -> ScoreBias | None:
        """Return the bias of its pairs, if any."""


def brought(pattern: Pattern, device: torch.device) -> tuple[ScoreBias, ...]:
    """Return the biases of the parts of a pattern."""
    biases = (part.bias(device) for part in pattern.parts if isinstance(part, BiasedPart))
    return tuple(bias for bias in biases if bias is not None)


class TileBias(ABC):
    """A bias during one pass through the tiles of an attention, forward or backward."""

    def __init__(self, learned: Tensor) -> None:
        self._learned = learned
        self._total = torch.zeros_like(learned, dtype=at_least_float32(learned.dtype))

    @abstractmethod
    def add(self, scores: Tensor, tile: Tile, grid: Grid) -> None:
        """Add to the scores of a tile, `[b, h, q, k]`, in place."""

    @abstractmethod
    def learn(self, grad: Tensor, tile: Tile, grid: Grid) -> None:
        """Accumulate the gradient of the scores of a tile that `add` has been applied to."""

    def gradient(self) -> Tensor:
        """Return the gradient of what is learned."""
        return self._total.to(self._learned.dtype)


class EachTile(TileBias):
    """Tiles of any bias, evaluated for each tile."""

    def __init__(self, bias: ScoreBias, learned: Tensor) -> None:
        super().__init__(learned.detach().requires_grad_())
        self._bias = bias

    def add(self, scores: Tensor, tile: Tile, grid: Grid) -> None:  # noqa: ARG002
        """See `TileBias.add`."""
        scores += self._value(grid)

    def learn(self, grad: Tensor, tile: Tile, grid: Grid) -> None:  # noqa: ARG002
        """See `TileBias.learn`."""
        self._total += self._bias.differentiate(grid, self._learned, grad)

    def _value(self, grid: Grid) -> Tensor:
        with torch.no_grad():
            return self._bias.value(grid, self._learned)


class DistanceTiles(EachTile):
    """Tiles of a bias that depends only on the head and on key − query.

    Most tiles of a window share their distances, and so their biases: looking these up for each
    tile takes longer than the products. Tiles with gathered keys share nothing.

    Args:
        bias: The bias.
        learned: Its parameters.
        plain: Number of first tokens, whose pairs are not treated by distance.
    """

    def __init__(self, bias: ScoreBias, learned: Tensor, plain: int = 0) -> None:
        super().__init__(bias, learned)
        self._plain = plain
        self._added: dict[tuple[int, ...], Tensor] = {}
        self._grads: dict[tuple[int, ...], tuple[Grid, Tensor]] = {}

    def add(self, scores: Tensor, tile: Tile, grid: Grid) -> None:
        """See `TileBias.add`."""
        place = _place(tile, self._plain)
        if place is None:
            super().add(scores, tile, grid)
            return
        if place not in self._added:
            self._added[place] = self._value(grid).to(scores.dtype).contiguous()
        scores += self._added[place]

    def learn(self, grad: Tensor, tile: Tile, grid: Grid) -> None:
        """See `TileBias.learn`."""
        place = _place(tile, self._plain)
        if place is None:
            super().learn(grad, tile, grid)
            return
        total = grad.sum_to_size(self._added[place].shape)
        if place in self._grads:
            self._grads[place][1].add_(total)
        else:
            self._grads[place] = grid, total.clone()

    def gradient(self) -> Tensor:
        """See `TileBias.gradient`."""
        for grid, grad in self._grads.values():
            self._total += self._bias.differentiate(grid, self._learned, grad)
        self._grads.clear()
        return super().gradient()


def _place(tile: Tile, plain: int) -> tuple[int, ...] | None:
    """Return a key of the distances in a tile; None if the tile shares them with no other."""
    queries, keys = tile.queries, tile.keys
    if isinstance(keys, Tensor):
        return None
    place = (
        keys.start - queries.start,
        queries.stop - queries.start,
        keys.stop - keys.start,
        queries.step or 1,
        keys.step or 1,
    )
    first = min(queries.start, keys.start)
    return (*place, queries.start) if first < plain else place
