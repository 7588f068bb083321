"""Which source positions each head of the cross-attention reads, and the fold that saves the rest.

With head-wise positional strides (HEPOS, §3) a head needs keys and values of n / s positions only.
Folding the source by the heads' groups before projecting it lets projections, scores and cache all
shrink by s.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.errors import LongsumError


@dataclass(frozen=True, slots=True, eq=False)
class FoldedSource:
    """A source, laid out by the groups of heads that read it.

    Attributes:
        hidden: `[b, s, l, D]`, D the model's dimension: the states that group g reads, in order.
        seen: Boolean `[b, s, l]`; False for filling.
        places: `[b, s, l]`, the position of each in the unfolded source (any, where not seen).
    """

    hidden: Tensor
    seen: Tensor
    places: Tensor

    def project(self, weight: Tensor, bias: Tensor | None, heads: int) -> Tensor:
        """Project to keys or values, each group with the rows of its own heads alone.

        Args:
            weight: `[h · d, D]`, as of a full projection.
            bias: `[h · d]`, or None.
            heads: h, a multiple of the number of groups; head i belongs to group i mod s.

        Returns:
            `[b, h, l, d]`.
        """
        batch, groups, places, size = self.hidden.shape
        shared = heads // groups
        width = weight.shape[0] // heads
        by_group = weight.view(shared, groups, width, size).transpose(0, 1)
        by_group = by_group.reshape(groups, shared * width, size)
        found = self.hidden @ by_group.transpose(-1, -2)
        if bias is not None:
            found = found + bias.view(shared, groups, width).transpose(0, 1).reshape(groups, 1, -1)
        found = found.view(batch, groups, places, shared, width).permute(0, 3, 1, 2, 4)
        return found.reshape(batch, heads, places, width)

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
            Positions `[b, s, l]`, and a boolean of the same shape, False for filling.
        """

    def fold(self, hidden: Tensor, real: Tensor | None = None) -> FoldedSource:
        """Lay out encoder states by groups. Done once a source, for all layers and beams.

        Positions are counted from each row's first real token, so that padding changes nothing on
        either side. (The released code counts from the start of the padded row.)

        Args:
            hidden: Encoder states `[b, n, D]`.
            real: Boolean `[b, n]`, one stretch of True in each row; by default all True.
        """
        batch, tokens, size = hidden.shape
        first, lengths = _extent(real, batch, tokens, hidden.device)
        places, seen = self.places(lengths, tokens)
        places = (places + first[:, None, None]).clamp(max=tokens - 1)
        index = places.reshape(batch, -1, 1).expand(-1, -1, size)
        folded = hidden.gather(1, index).view(batch, *places.shape[1:], size)
        return FoldedSource(folded, seen, places)

    def visible(self, heads: int, tokens: int, real: Tensor | None, batch: int = 1) -> Tensor:
        """Return the dense definition: which positions each head reads, `[b, h, 1, n]`."""
        device = real.device if real is not None else None
        first, lengths = _extent(real, batch, tokens, device)
        places, seen = self.places(lengths, tokens)
        found = torch.zeros(*places.shape[:2], tokens + 1, dtype=torch.bool, device=device)
        # Filling is written to one place beyond the end, which is cut off.
        target = torch.where(seen, places + first[:, None, None], tokens)
        found.scatter_(2, target, True)
        return found[..., :tokens].repeat(1, heads // self.groups, 1)[:, :, None, :]

    def check_heads(self, heads: int) -> None:
        """Check that the heads can be divided.

        Raises:
            LongsumError: Their number is no multiple of the number of groups.
        """
        if heads % self.groups:
            raise LongsumError(
                f"{heads} heads cannot be divided among {self.groups} groups; "
                "choose a stride that divides the number of heads."
            )


@dataclass(frozen=True, slots=True)
class Hepos(CrossPattern):
    """Head h reads the positions i with i ≡ h (mod stride) (HEPOS, §3)."""

    stride: int = 4

    @property
    def groups(self) -> int:  # type: ignore[override]
        """One group for each residue."""
        return self.stride

    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Give group r the positions r, r + s, r + 2s, …."""
        steps = -(-tokens // self.stride)
        residues = torch.arange(self.stride, device=lengths.device)[:, None]
        places = residues + self.stride * torch.arange(steps, device=lengths.device)
        places = places.expand(len(lengths), -1, -1)
        return places, places < lengths[:, None, None]


def full_cross() -> Hepos:
    """Return the pattern in which every head reads all: a stride of 1."""
    return Hepos(1)


@dataclass(frozen=True, slots=True)
class ContiguousBlocks(CrossPattern):
    """Group r reads the r-th of `parts` equal stretches of the source.

    The control that the paper lacks: as cheap as HEPOS, but no head sees the whole document.
    """

    parts: int = 4

    @property
    def groups(self) -> int:  # type: ignore[override]
        """One group for each stretch."""
        return self.parts

    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Give group r the r-th stretch; stretches are equal but for the last."""
        each = -(-lengths // self.parts)[:, None, None]
        steps = torch.arange(-(-tokens // self.parts), device=lengths.device)
        starts = torch.arange(self.parts, device=lengths.device)[:, None] * each
        places = starts + steps
        return places, (steps < each) & (places < lengths[:, None, None])


def _extent(
    real: Tensor | None, batch: int, tokens: int, device: torch.device | None
) -> tuple[Tensor, Tensor]:
    """Return the first real position and the number of real positions of each row, `[b]` each."""
    if real is None:
        first = torch.zeros(batch, dtype=torch.long, device=device)
        return first, torch.full((batch,), tokens, device=device)
    return real.int().argmax(dim=1), real.sum(dim=1)
