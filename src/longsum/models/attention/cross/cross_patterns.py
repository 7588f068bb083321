"""Which source positions each head of the cross-attention reads.

With head-wise positional strides (HEPOS, §3) a head needs keys and values of n / s positions only.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.cross.folded_source import FoldedSource
from longsum.models.attention.softmax import real_extent


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
        first, lengths = real_extent(real, batch, tokens, hidden.device)
        places, seen = self.places(lengths, tokens)
        places = (places + first[:, None, None]).clamp(max=tokens - 1)
        index = places.reshape(batch, -1, 1).expand(-1, -1, size)
        folded = hidden.gather(1, index).view(batch, *places.shape[1:], size)
        return FoldedSource(folded, seen, places)

    def mask(self, source: FoldedSource, heads: int) -> Tensor:
        """Return which keys made of a folded source its heads may see, `[b, h, 1, l]`."""
        return source.mask(heads)

    def visible(self, heads: int, tokens: int, real: Tensor | None, batch: int = 1) -> Tensor:
        """Return the dense definition: which positions each head reads, `[b, h, 1, n]`."""
        device = real.device if real is not None else None
        first, lengths = real_extent(real, batch, tokens, device)
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
    """Return the pattern in which every head reads all: a stride of 1."""
    return Hepos(1)


@dataclass(frozen=True, slots=True)
class ContiguousBlocks(CrossPattern):
    """Group r reads the r-th of as many equal stretches of the source as there are groups.

    The control that the paper lacks: as cheap as HEPOS, but no head sees the whole document.
    """

    groups: int = 4

    def places(self, lengths: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
        """Give group r the r-th stretch; stretches are equal but for the last."""
        each = -(-lengths // self.groups)[:, None, None]
        steps = torch.arange(-(-tokens // self.groups), device=lengths.device)
        starts = torch.arange(self.groups, device=lengths.device)[:, None] * each
        places = starts + steps
        return places, (steps < each) & (places < lengths[:, None, None])
