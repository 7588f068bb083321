"""Biases by relative position and by distances of tokens."""

from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.bias import DistanceTiles, ScoreBias
from longsum.models.attention.patterns import Grid


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


@dataclass(frozen=True, slots=True)
class RelativeLabels:
    """Numbers for what a key is to a query (Ainslie et al. 2020, ETC, §2.2).

    With m = 2, the labels of four tokens, queries downwards and keys to the right, are::

        0 1 2 2
        3 0 1 2
        4 3 0 1
        4 4 3 0

    Two more labels, past those, say whether a token belongs to a sentence.

    Attributes:
        reach: The distance m from which all further ones count alike.

    Raises:
        LongsumError: The reach is below 1.
    """

    reach: int

    def __post_init__(self) -> None:
        if self.reach < 1:
            raise LongsumError(f"A reach of {self.reach} tells no distances apart; give 1 or more.")

    @property
    def outside(self) -> int:
        """The label of a token and a sentence that does not hold it."""
        return 2 * self.reach + 1

    @property
    def inside(self) -> int:
        """The label of a token and the sentence that holds it."""
        return 2 * self.reach + 2

    @property
    def count(self) -> int:
        """How many labels there are."""
        return 2 * self.reach + 3

    def of_distance(self, offset: Tensor) -> Tensor:
        """Label pairs by distance: 0 self, 1 … m to the right, m + 1 … 2m to the left.

        Args:
            offset: Position of the key less that of the query, whole numbers of any shape.

        Returns:
            The labels, in the same shape.
        """
        clipped = offset.clamp(-self.reach, self.reach)
        return torch.where(clipped < 0, self.reach - clipped, clipped)


def label_scores(query: Tensor, vectors: Tensor) -> Tensor:
    """Score each label for each query: q · r / √d, to be added to q · k / √d.

    Args:
        query: `[b, h, q, d]`.
        vectors: `[labels, h, d]`.

    Returns:
        `[b, h, q, labels]`.
    """
    scores: Tensor = query @ vectors.permute(1, 2, 0) * query.shape[-1] ** -0.5
    return scores


def score_pairs(scores: Tensor, labels: Tensor) -> Tensor:
    """Look up the scores of labelled pairs.

    Args:
        scores: `[b, h, q, labels]`, from `label_scores`.
        labels: `[q, k]`, or `[b, 1, q, k]`.

    Returns:
        `[b, h, q, k]`.
    """
    return scores.gather(-1, labels.expand(*scores.shape[:-1], labels.shape[-1]))
