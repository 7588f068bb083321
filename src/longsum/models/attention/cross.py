"""What each head of the cross-attention reads of a source, and the fold that skips the rest.

With head-wise positional strides (HEPOS, §3) a head needs keys and values of n / s positions only.
Folding the source by the heads' groups before projecting it lets projections, scores and cache all
shrink by s. Linformer's mixtures, with which the paper compares them, use the same code.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling

from longsum.common.errors import LongsumError
from longsum.models.attention.linear_layers import (
    SequenceProjection,
    is_plain,
    linear,
    split_heads,
)
from longsum.models.attention.patterns import blocks
from longsum.models.attention.softmax import real_extent

_BLOCK = 1024
"""Positions of a source that are projected together."""


@dataclass(frozen=True, slots=True, eq=False)
class FoldedSource:
    """A source, laid out by the groups of heads that read it.

    Attributes:
        hidden: `[b, s, l, D]`, D the model's dimension: the states that group g reads, in order.
        seen: Boolean `[b, s, l]`; False for padding.
        places: `[b, s, l]`, the position of each in the unfolded source (any, if not seen); for
            learned mixtures, their number.
    """

    hidden: Tensor
    seen: Tensor
    places: Tensor

    def project(self, layer: nn.Module, heads: int) -> Tensor:
        """Project to keys or values, `[b, h, l, d]`.

        Each group is multiplied by the rows of a plain layer that belong to its own heads. Any
        other layer (see `is_plain`) is called with all groups one after another, `[b, s · l, D]`,
        and each group keeps its own heads of the output. That takes s times the operations, as many
        as without a fold; scores and cache stay as small.

        Args:
            layer: Projects D to h · d features, as for a source that is not folded.
            heads: h, a multiple of the number of groups; head i belongs to group i mod s.
        """
        if is_plain(layer):
            return self._project_rows(layer.weight, layer.bias, heads)
        batch, groups, places, _ = self.hidden.shape
        output: Tensor = layer(self.hidden.flatten(1, 2))
        output = output.view(batch, groups, places, heads // groups, groups, -1)
        # [b, s, l, h / s, s, d] → [b, l, h / s, d, s] → [b, h / s, s, l, d]
        own_heads = output.diagonal(dim1=1, dim2=4).permute(0, 2, 4, 1, 3)
        return own_heads.reshape(batch, heads, places, -1).contiguous()

    def _project_rows(self, weight: Tensor, bias: Tensor | None, heads: int) -> Tensor:
        """Multiply each group by the rows of a weight, `[h · d, D]`, that belong to its heads."""
        groups, size = self.hidden.shape[1], self.hidden.shape[3]
        shared = heads // groups
        width = weight.shape[0] // heads
        # [h · d, D] → [s, (h / s) · d, D]: the rows of each group's heads.
        weights = weight.view(shared, groups, width, size).transpose(0, 1).flatten(1, 2)
        biases: list[Tensor | None] = [None] * groups
        if bias is not None:
            biases = list(bias.view(shared, groups, width).transpose(0, 1).flatten(1))
        if not torch.is_grad_enabled() and not is_compiling():
            return self._project_pieces(weights, biases, shared)
        projected = [
            split_heads(linear(self.hidden[:, group], weights[group], biases[group]), shared)
            for group in range(groups)
        ]
        # Laid out head by head: each step of decoding reads all of it.
        return torch.stack(projected, dim=2).flatten(1, 2)

    def _project_pieces(
        self, weights: Tensor, biases: Sequence[Tensor | None], shared: int
    ) -> Tensor:
        """Do the same piece by piece, so that only one piece at a time is in memory twice."""
        batch, groups, places, _ = self.hidden.shape
        width = weights.shape[1] // shared
        # In the type of a product, which autocast may choose.
        like = linear(self.hidden[:, 0, :1], weights[0], biases[0])
        projected = like.new_empty(batch, shared, groups, places, width)
        for group, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            for piece in blocks(places, _BLOCK):
                rows = linear(self.hidden[:, group, piece], weight, bias)
                projected[:, :, group, piece] = split_heads(rows, shared)
        return projected.flatten(1, 2)

    def mask(self, heads: int) -> Tensor:
        """Return which of a head's positions are real, `[b, h, 1, l]`."""
        return self.seen.repeat(1, heads // self.seen.shape[1], 1)[:, :, None, :]


class CrossPattern(ABC):
    """Divides the source among `groups` groups of heads; head i belongs to group i mod groups."""

    groups: int

    @abstractmethod
    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Return what each group reads of rows with these numbers of real tokens.

        Args:
            lengths: Real tokens of each row, `[b]`, the first of them at position 0.
            tokens: Length of the padded source.

        Returns:
            Positions `[b, s, l]`, and a boolean of the same shape, False for padding.
        """

    def fold(self, hidden: Tensor, real: Tensor | None = None) -> FoldedSource:
        """Lay out encoder states by groups. Done once per source, for all layers and beams.

        Positions are counted from each row's first real token, so that padding changes nothing on
        either side. (The released code counts from the start of the padded row.)

        Args:
            hidden: Encoder states `[b, n, D]`.
            real: Boolean `[b, n]`, one stretch of True in each row; by default all True.
        """
        batch, tokens, size = hidden.shape
        first, lengths = real_extent(real, batch, tokens, hidden.device)
        places, seen = self.places(lengths, tokens)
        places = (places + first[:, None, None]).clamp(max=tokens - 1)
        if self.groups == 1 and real is None:
            return FoldedSource(hidden[:, None], seen, places)
        index = places.reshape(batch, -1, 1).expand(-1, -1, size)
        folded = hidden.gather(1, index).view(batch, *places.shape[1:], size)
        return FoldedSource(folded, seen, places)

    def mask(self, source: FoldedSource, heads: int) -> Tensor:
        """Return which keys of a folded source its heads may see, `[b, h, 1, l]`."""
        return source.mask(heads)

    def visible(self, heads: int, tokens: int, real: Tensor | None, batch: int = 1) -> Tensor:
        """Return the dense definition: which positions each head reads, `[b, h, 1, n]`."""
        device = real.device if real is not None else None
        first, lengths = real_extent(real, batch, tokens, device)
        places, seen = self.places(lengths, tokens)
        visible = torch.zeros(*places.shape[:2], tokens + 1, dtype=torch.bool, device=device)
        # Padding is written to one place beyond the end, which is cut off.
        target = torch.where(seen, places + first[:, None, None], tokens)
        visible.scatter_(2, target, True)
        return visible[..., :tokens].repeat(1, heads // self.groups, 1)[:, :, None, :]

    def check_heads(self, heads: int) -> None:
        """Refuse a number of heads that is not a multiple of the number of groups."""
        if heads % self.groups:
            raise LongsumError(
                f"{heads} heads cannot be divided among {self.groups} groups; "
                "choose a stride that divides the number of heads."
            )


@dataclass(frozen=True, slots=True)
class Hepos(CrossPattern):
    """Head h reads the positions i with i ≡ h (mod stride) (HEPOS, §3).

    Attributes:
        groups: The stride s: one group for each residue.
    """

    groups: int = 4

    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Give group r the positions r, r + s, r + 2s, …."""
        steps = -(-tokens // self.groups)
        residues = torch.arange(self.groups, device=lengths.device)[:, None]
        places = residues + self.groups * torch.arange(steps, device=lengths.device)
        places = places.expand(len(lengths), -1, -1)
        return places, places < lengths[:, None, None]


def full_cross() -> Hepos:
    """Return the pattern in which every head reads everything: a stride of 1."""
    return Hepos(1)


@dataclass(frozen=True, slots=True)
class ContiguousBlocks(CrossPattern):
    """Group r reads the r-th of equal stretches of the source, one per group.

    The control that the paper lacks: as cheap as HEPOS, but no head sees the whole document.
    """

    groups: int = 4

    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Give group r the r-th stretch; all stretches are equal except the last."""
        size = -(-lengths // self.groups)[:, None, None]
        steps = torch.arange(-(-tokens // self.groups), device=lengths.device)
        starts = torch.arange(self.groups, device=lengths.device)[:, None] * size
        places = starts + steps
        return places, (steps < size) & (places < lengths[:, None, None])


@dataclass(frozen=True, slots=True)
class LinformerCross(CrossPattern):
    """All heads read the same `projected` learned mixtures of the whole source (HEPOS, §3).

    The baseline with which the paper compares HEPOS, at k = n / s. The fold lays out the whole
    source; each layer has its own `SourceMixtures`, which make the positions of its keys from it.
    """

    groups = 1
    projected: int = 1024

    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Give all positions to the mixtures."""
        return full_cross().places(lengths, tokens)

    def mask(self, source: FoldedSource, heads: int) -> Tensor:  # noqa: ARG002
        """Return whether there is anything to mix, `[b, 1, 1, 1]`; every mixture uses all of it."""
        return source.seen.any(dim=-1)[:, :, None, None]


class SourceMixtures(SequenceProjection):
    """Linformer's projection for a cross-attention.

    One projection serves keys and values and all heads, and is applied before theirs, as in the
    released code of HEPOS, which has one in each decoder layer and ignores its bias. Positions
    count from a row's first real token, and padding is ignored, so that it changes nothing.
    """

    def forward(self, source: FoldedSource) -> FoldedSource:
        """Mix a source that `LinformerCross` laid out, `[b, 1, n, D]` to `[b, 1, k, D]`.

        Raises:
            LongsumError: It is longer than the projection knows.
        """
        hidden = source.hidden.masked_fill(~source.seen[..., None], 0.0)
        if hidden.shape[2] > self.projection.shape[1]:
            # Padding beyond the longest row needs no columns, so it cannot exceed them.
            hidden = hidden[:, :, : int(source.seen.sum(dim=-1).amax())]
        columns = self.columns(hidden.shape[2]).to(hidden.dtype)
        mixed = torch.stack([linear(columns, row.T) for row in hidden.squeeze(1)])[:, None]
        batch, _, mixtures, _ = mixed.shape
        places = torch.arange(mixtures, device=mixed.device).expand(batch, 1, -1)
        seen = source.seen.any(dim=-1, keepdim=True).expand(-1, -1, mixtures)
        return FoldedSource(mixed, seen, places)

    def reference(self, hidden: Tensor, real: Tensor) -> Tensor:
        """Return the definition, `[b, k, D]`: Σ over real tokens i of P[j, i − first] · x_i.

        Args:
            hidden: Encoder states `[b, n, D]` in their padded rows.
            real: Boolean `[b, n]`, one stretch of True in each row.

        Raises:
            LongsumError: They are more than the projection knows.
        """
        rows = []
        for row, is_real in zip(hidden, real, strict=True):
            tokens = row[is_real]
            rows.append(self.columns(len(tokens)).to(row.dtype) @ tokens)
        return torch.stack(rows)
