"""Biases of pairs of sections, added to scores of tokens without a number for each pair of these.

Let B `[S, S]` hold the biases of a row and head, and let Q `[S, q]` and K `[S, k]` say which
section each query and each key is in. What is added is Qᵀ · B · K, and the gradient of B is
Q · G · Kᵀ, with G that of the scores. In a tile few sections meet, since a section is a stretch of
the text: Q and K have a few rows each, and the products cost next to nothing beside those of
queries and keys.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn.functional import pad

from longsum.attention.bias import ScoreBias
from longsum.attention.patterns.pattern import Grid, Part, Tile
from longsum.errors import LongsumError


@dataclass(frozen=True, slots=True, eq=False)
class SectionPairs:
    """A bias for each head and each pair of sections (HIBRIDS, Eq. 1 and 2).

    Attributes:
        learned: The biases, `[b, h, S, S]`: from the section of the query to that of the key.
        section_of: The section of each token, `[b, n]`, in [0, S) for padding too.
    """

    learned: Tensor
    section_of: Tensor

    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return what is added to the scores of these pairs, `[b, h, q, k]`."""
        query = self.section_of[grid.row, grid.query]
        key = self.section_of[grid.row, grid.key]
        found: Tensor = learned[grid.row, grid.head, query, key]
        return found

    def on_tiles(self, learned: Tensor) -> "SectionTiles":
        """Return what adds it to tiles."""
        return SectionTiles(self, learned)

    def adds_to(self, part: Part) -> bool:  # noqa: ARG002
        """Tell that it adds to all pairs, whoever shows them."""
        return True

    def filled(self, tokens: int) -> "SectionPairs":
        """Return the same for rows that are filled up to so many tokens."""
        missing = tokens - self.section_of.shape[1]
        return replace(self, section_of=pad(self.section_of, (0, missing)))

    def shares(self) -> Tensor:
        """Return which section each token is in, as ones and zeros, `[b, 1, n, S]`."""
        sections = torch.arange(self.learned.shape[-1], device=self.section_of.device)
        return (self.section_of[:, None, :, None] == sections).to(self.learned.dtype)

    def rows(self) -> Tensor:
        """Return the bias of each query for each section, `[b, h, n, S]`."""
        # A product rather than a look-up, whose gradient would be gathered number by number.
        return self.shares() @ self.learned


def by_sections(bias: ScoreBias) -> SectionPairs:
    """Return a bias that is one of sections, which learned attentions need.

    Raises:
        LongsumError: It is another.
    """
    if isinstance(bias, SectionPairs):
        return bias
    raise LongsumError(
        "Attention by linformer, lsh or sinkhorn has no biases of token distances; choose a bias "
        "of sections, or an attention of kind full, pattern or adaptive_span."
    )


class SectionTiles:
    """Tiles of such a bias, by the sections that meet in each.

    Args:
        bias: The bias.
        learned: Its numbers, `[b, h, S, S]`.
    """

    def __init__(self, bias: SectionPairs, learned: Tensor) -> None:
        self._section_of = bias.section_of
        self._learned = learned
        precise = torch.promote_types(learned.dtype, torch.float32)
        self._total = torch.zeros_like(learned, dtype=precise)

    def add(self, scores: Tensor, tile: Tile, grid: Grid) -> None:  # noqa: ARG002
        """See `TileBias.add`."""
        queries, keys = self._stretches(tile)
        pairs = self._learned.flatten(2).gather(2, self._index(queries, keys))
        pairs = pairs.view(*pairs.shape[:2], queries.count, keys.count).to(scores.dtype)
        held = queries.shares(scores.dtype).mT.expand(*scores.shape[:2], -1, -1)
        # Where scores are in fp32, autocast would have the products in bf16.
        with torch.autocast(scores.device.type, enabled=False):
            added = pairs @ keys.shares(scores.dtype)
            scores.flatten(0, 1).baddbmm_(held.flatten(0, 1), added.flatten(0, 1))

    def learn(self, grad: Tensor, tile: Tile, grid: Grid) -> None:  # noqa: ARG002
        """See `TileBias.learn`."""
        queries, keys = self._stretches(tile)
        with torch.autocast(grad.device.type, enabled=False):
            found = queries.shares(grad.dtype) @ grad @ keys.shares(grad.dtype).mT
        found = found.flatten(2).to(self._total.dtype)
        self._total.flatten(2).scatter_add_(2, self._index(queries, keys), found)

    def gradient(self) -> Tensor:
        """See `TileBias.gradient`."""
        return self._total.to(self._learned.dtype)

    def _stretches(self, tile: Tile) -> "tuple[_Stretch, _Stretch]":
        queries = _Stretch(self._section_of[:, None, tile.queries])
        if isinstance(tile.keys, slice):
            return queries, _Stretch(self._section_of[:, None, tile.keys])
        rows, last = self._section_of[:, None], self._section_of.shape[1] - 1
        keys = tile.keys.clamp(max=last)
        return queries, _Stretch(rows.expand(-1, keys.shape[1], -1).gather(2, keys))

    def _index(self, queries: "_Stretch", keys: "_Stretch") -> Tensor:
        """Return where the pairs of two stretches stand in a table, `[b, h, pairs]`."""
        rows, heads, sections, _ = self._learned.shape
        query, key = (each.numbers().clamp(max=sections - 1) for each in (queries, keys))
        index = query[..., :, None] * sections + key[..., None, :]
        return index.flatten(2).expand(rows, heads, -1)


class _Stretch:
    """The sections of some tokens, from the lowest on: those that other rows have are not there.

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
        """Return which token is in which of them, `[b, h or 1, count, tokens]`."""
        numbers = torch.arange(self.count, device=self._first.device)
        return (self._within[..., None, :] == numbers[:, None]).to(dtype)
