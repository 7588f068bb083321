"""Relative position labels: a vector for each kind of pair, added to its key (Shaw et al. 2018)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.common.errors import LongsumError


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
