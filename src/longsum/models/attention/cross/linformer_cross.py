"""Linformer's mixtures for the cross-attention, with which HEPOS is compared (HEPOS, §3)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.models.attention.cross.cross_patterns import CrossPattern, full_cross
from longsum.models.attention.cross.folded_source import FoldedSource
from longsum.models.attention.layers.linear_layers import SequenceProjection
from longsum.models.attention.layers.products import linear
from longsum.models.attention.softmax import real_extent


@dataclass(frozen=True, slots=True)
class LinformerCross(CrossPattern):
    """All heads read the same `projected` learned mixtures of the whole source (HEPOS, §3).

    The comparison with which the paper holds HEPOS, at k = n / s. The fold lays out the whole
    source; each layer has its own `SourceMixtures`, which make its keys' positions of it.
    """

    groups = 1
    projected: int = 1024

    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Give all positions to the mixtures."""
        return full_cross().places(lengths, tokens)

    def mask(self, source: FoldedSource, heads: int) -> Tensor:  # noqa: ARG002
        """Return whether there is anything to mix, `[b, 1, 1, 1]`; every mixture is of all."""
        return source.seen.any(dim=-1)[:, :, None, None]


class SourceMixtures(SequenceProjection):
    """Linformer's projection for a cross-attention.

    One projection serves keys and values and all heads, and is applied before theirs, as in the
    released code of HEPOS, which has one in each decoder layer and ignores its bias. Positions
    count from a row's first real token, and padding takes no part, so that it changes nothing.
    """

    def __init__(self, tokens: int, projected: int = 1024) -> None:
        super().__init__(tokens, projected)

    def forward(self, source: FoldedSource) -> FoldedSource:
        """Mix a source that `LinformerCross` laid out, `[b, 1, n, D]` to `[b, 1, k, D]`.

        Raises:
            LongsumError: It is longer than the projection knows.
        """
        hidden = source.hidden.masked_fill(~source.seen[..., None], 0.0)
        if hidden.shape[2] > self.projection.shape[1]:
            # Padding beyond the longest row needs no columns, and so cannot exceed them.
            hidden = hidden[:, :, : int(source.seen.sum(dim=-1).amax())]
        columns = self.columns(hidden.shape[2]).to(hidden.dtype)
        mixed = torch.stack([linear(columns, row.T) for row in hidden.squeeze(1)])[:, None]
        batch, _, mixtures, _ = mixed.shape
        places = torch.arange(mixtures, device=mixed.device).expand(batch, 1, -1)
        seen = source.seen.any(dim=-1, keepdim=True).expand(-1, -1, mixtures)
        return FoldedSource(mixed, seen, places)

    def reference(self, hidden: Tensor, real: Tensor | None = None) -> Tensor:
        """Return the definition: Σ over real tokens i of P[j, i − first] · x_i.

        Args:
            hidden: Encoder states `[b, n, D]`, where they stand in their padded rows.
            real: Boolean `[b, n]`, one stretch of True in each row; by default all True.

        Returns:
            `[b, k, D]`.

        Raises:
            LongsumError: They are more than the projection knows.
        """
        first, lengths = real_extent(real, hidden.shape[0], hidden.shape[1], hidden.device)
        rows = []
        for row, start, length in zip(hidden, first.tolist(), lengths.tolist(), strict=True):
            rows.append(self.columns(length).to(row.dtype) @ row[start : start + length])
        return torch.stack(rows)
