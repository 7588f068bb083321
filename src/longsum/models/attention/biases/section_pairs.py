"""Biases of pairs of sections, added to scores of tokens without a number for each token pair.

Let B `[S, S]` hold the biases of a row and head, and let Q `[S, q]` and K `[S, k]` say which
section each query and each key is in. The bias is Qᵀ · B · K, and the gradient of B is Q · G · Kᵀ,
with G that of the scores. Few sections meet in a tile, since a section is a stretch of the text: Q
and K have a few rows each, and the products cost next to nothing compared with those of queries and
keys. Nor is there a B for each head: what a tile needs of it is looked up in the table of labels,
and its gradient is added there at once.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn.functional import pad

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.bias import ScoreBias, TileBias
from longsum.models.attention.biases.section_tree import NO_LABEL, label_values
from longsum.models.attention.patterns import Grid, Tile

NOWHERE = -1
"""The section of a token whose pairs get no bias."""


@dataclass(frozen=True, slots=True, eq=False)
class SectionPairs(ScoreBias):
    """A bias for each head and each label of a pair of sections (HIBRIDS, Eq. 1 and 2).

    Attributes:
        learned: The table, `[labels + 1, h]`, with a row of zeros at the end.
        pairs: The label of the section of a query (first) with that of a key, or `NO_LABEL`,
            `[b, S, S]`; all layers share it.
        section_of: The section of each token, `[b, n]`, in [0, S) for padding too, or `NOWHERE`.
    """

    learned: Tensor
    pairs: Tensor
    section_of: Tensor

    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return the bias of the scores of these pairs, `[b, h, q, k]`."""
        query = self.section_of[grid.row, grid.query]
        key = self.section_of[grid.row, grid.key]
        return _looked_up(learned, self.labels(grid.row, query, key), grid.head)

    def labels(self, row: Tensor, query: Tensor, key: Tensor) -> Tensor:
        """Return the labels of pairs of sections; numbers beyond the last count as the last."""
        last = self.pairs.shape[-1] - 1
        labels = self.pairs[row, query.clamp(0, last), key.clamp(0, last)]
        return labels.masked_fill((query < 0) | (key < 0), NO_LABEL)

    def on_tiles(self, learned: Tensor) -> "SectionTiles":
        """Return an object that adds it to tiles."""
        return SectionTiles(self, learned)

    def filled(self, tokens: int) -> "SectionPairs":
        """Return the bias for rows that are padded to a number of tokens."""
        missing = tokens - self.section_of.shape[1]
        return replace(self, section_of=pad(self.section_of, (0, missing)))

    def shares(self) -> Tensor:
        """Return which section each token is in, as ones and zeros, `[b, 1, n, S]`."""
        sections = torch.arange(self.pairs.shape[-1], device=self.section_of.device)
        return (self.section_of[:, None, :, None] == sections).to(self.learned.dtype)

    def rows(self) -> Tensor:
        """Return the bias of each query for each section, `[b, h, n, S]`."""
        # A product rather than a look-up, whose gradient would be gathered number by number.
        return self.shares() @ self.matrix()

    def matrix(self) -> Tensor:
        """Return the bias of each pair of sections, `[b, h, S, S]`.

        For executions that have more numbers than these anyway, or look up single pairs.
        """
        return label_values(self.learned, self.pairs)


def by_sections(bias: ScoreBias) -> SectionPairs:
    """Return a bias as one of sections, the only kind that learned attentions support.

    Raises:
        LongsumError: It is of another kind.
    """
    if isinstance(bias, SectionPairs):
        return bias
    raise LongsumError(
        "Attention by linformer, lsh or sinkhorn has no biases of token distances; choose a bias "
        "of sections, or an attention of kind full, pattern or adaptive_span."
    )


class SectionTiles(TileBias):
    """Tiles of such a bias, by the sections that meet in each.

    `learned` is its table, `[labels, h]`.
    """

    def __init__(self, bias: SectionPairs, learned: Tensor) -> None:
        super().__init__(learned)
        self._bias = bias

    def add(self, scores: Tensor, tile: Tile, grid: Grid) -> None:
        """See `TileBias.add`."""
        queries, keys = self._stretches(tile)
        pairs = _looked_up(self._learned, self._labels(queries, keys), grid.head)
        pairs = pairs.to(scores.dtype).expand(*scores.shape[:2], -1, -1)
        shares = queries.shares(scores.dtype).mT.expand(*scores.shape[:2], -1, -1)
        # With scores in fp32, autocast would compute the products in bf16.
        with torch.autocast(scores.device.type, enabled=False):
            added = pairs @ keys.shares(scores.dtype)
            scores.flatten(0, 1).baddbmm_(shares.flatten(0, 1), added.flatten(0, 1))

    def learn(self, grad: Tensor, tile: Tile, grid: Grid) -> None:
        """See `TileBias.learn`."""
        queries, keys = self._stretches(tile)
        with torch.autocast(grad.device.type, enabled=False):
            grads = queries.shares(grad.dtype) @ grad @ keys.shares(grad.dtype).mT
        labels, grads = self._labels(queries, keys), grads.to(self._total.dtype)
        labels = labels.remainder(len(self._total))
        if labels.shape[1] == 1:
            rows = grads.movedim(1, -1).flatten(0, 2)
            self._total.index_add_(0, labels.flatten(), rows)
        else:
            places = labels, grid.head.expand_as(labels)
            self._total.index_put_(places, grads, accumulate=True)

    def _stretches(self, tile: Tile) -> "tuple[_Stretch, _Stretch]":
        rows = self._bias.section_of[:, None]
        queries, last = _Stretch(rows[..., tile.queries]), rows.shape[-1] - 1
        if isinstance(tile.keys, slice):
            return queries, _Stretch(rows[..., tile.keys])
        keys = tile.keys.clamp(max=last)
        return queries, _Stretch(rows.expand(-1, keys.shape[1], -1).gather(2, keys))

    def _labels(self, queries: "_Stretch", keys: "_Stretch") -> Tensor:
        """Return the labels of the pairs of two stretches, `[b, h or 1, q, k]` sections."""
        query, key = queries.numbers()[..., :, None], keys.numbers()[..., None, :]
        row = torch.arange(len(query), device=query.device)[:, None, None, None]
        # A stretch ends beyond the last section if another row's is longer; no token is there.
        return self._bias.labels(row, query, key)


def _looked_up(learned: Tensor, labels: Tensor, head: Tensor) -> Tensor:
    """Look up the values of labels `[b, h or 1, q, k]` in a table `[labels + 1, h]`."""
    labels = labels.remainder(len(learned))
    if labels.dim() == 4 and labels.shape[1] == 1:
        # Heads share the labels, and whole rows are found and added up much faster.
        return torch.nn.functional.embedding(labels.squeeze(1), learned).movedim(-1, 1)
    return learned[labels, head]


class _Stretch:
    """The sections of some tokens, from the lowest on, without those of other rows.

    Args:
        section_of: `[b, h or 1, tokens]`.
    """

    def __init__(self, section_of: Tensor) -> None:
        self._first = section_of.amin(dim=-1, keepdim=True)
        self._within = section_of - self._first
        self.count = int(self._within.amax()) + 1

    def numbers(self) -> Tensor:
        """Return the sections, `[b, h or 1, count]`."""
        return self._first + torch.arange(self.count, device=self._first.device)

    def shares(self, dtype: torch.dtype) -> Tensor:
        """Return which token is in which section, `[b, h or 1, count, tokens]`."""
        numbers = torch.arange(self.count, device=self._first.device)
        return (self._within[..., None, :] == numbers[:, None]).to(dtype)
