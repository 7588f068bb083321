"""Biases of the distance between tokens (Raffel et al. 2020; TokBias of HIBRIDS, §5.2)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.models.attention.biases.bias import DistanceTiles, ScoreBias
from longsum.models.attention.biases.relative import RelativeLabels
from longsum.models.attention.patterns.pattern import Grid


@dataclass(frozen=True, slots=True, eq=False)
class TokenDistance(ScoreBias):
    """A bias for each head and each distance key − query, to either side.

    T5 puts far distances together in buckets; in HIBRIDS each distance has its own. The paper says
    nothing of distances beyond the table; here they count as its last.

    Attributes:
        learned: The table, `[2 · reach + 1, h]`: 0, 1 … reach to the right, then 1 … to the left.
        plain: The first tokens, whose pairs get nothing.
    """

    learned: Tensor
    plain: int = 0

    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return what is added to the scores of these pairs, `[…, h, q, k]`."""
        labels = RelativeLabels(len(learned) // 2).of_distance(grid.key - grid.query)
        if labels.dim() == 2:
            # Heads share the distances, and whole rows are found and added up much faster.
            found = torch.nn.functional.embedding(labels, learned).movedim(-1, 0)
        else:
            found = learned[labels, grid.head]
        if not self.plain:
            return found
        first = (grid.query < self.plain) | (grid.key < self.plain)
        return torch.where(first, 0.0, found)

    def on_tiles(self, learned: Tensor) -> DistanceTiles:
        """Return what adds it to tiles."""
        return DistanceTiles(self, learned, self.plain)
