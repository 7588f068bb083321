"""A source laid out by the groups of heads that read it.

Folding the source by the heads' groups before projecting it lets projections, scores and cache all
shrink by s.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from longsum.models.attention.layers.linear_layers import is_plain
from longsum.models.attention.layers.products import linear


@dataclass(frozen=True, slots=True, eq=False)
class FoldedSource:
    """A source, laid out by the groups of heads that read it.

    Attributes:
        hidden: `[b, s, l, D]`, D the model's dimension: the states that group g reads, in order.
        seen: Boolean `[b, s, l]`; False for filling.
        places: `[b, s, l]`, the position of each in the unfolded source (any, where not seen); of
            learned mixtures, their number.
    """

    hidden: Tensor
    seen: Tensor
    places: Tensor

    def project(self, layer: nn.Module, heads: int) -> Tensor:
        """Project to keys or values.

        Each group is multiplied by the rows of a plain layer that belong to its own heads. Any
        other layer (see `is_plain`) is called, with all groups one after the other,
        `[b, s · l, D]`, and each group keeps its own heads of what comes out. That takes s times
        the operations, as many as without a fold; scores and cache stay as small.

        Args:
            layer: Projects D to h · d features, as for a source that is not folded.
            heads: h, a multiple of the number of groups; head i belongs to group i mod s.

        Returns:
            `[b, h, l, d]`.
        """
        if is_plain(layer):
            return self._project_rows(layer.weight, layer.bias, heads)
        batch, groups, places, _ = self.hidden.shape
        found: Tensor = layer(self.hidden.flatten(1, 2))
        found = found.view(batch, groups, places, heads // groups, groups, -1)
        # [b, s, l, h / s, s, d] → [b, l, h / s, d, s] → [b, h / s, s, l, d]
        own = found.diagonal(dim1=1, dim2=4).permute(0, 2, 4, 1, 3)
        return own.reshape(batch, heads, places, -1).contiguous()

    def _project_rows(self, weight: Tensor, bias: Tensor | None, heads: int) -> Tensor:
        """Multiply each group by the rows of a weight, `[h · d, D]`, that belong to its heads."""
        batch, groups, places, size = self.hidden.shape
        shared = heads // groups
        width = weight.shape[0] // heads
        # [h · d, D] → [s, (h / s) · d, D]: the rows of each group's heads.
        weights = weight.view(shared, groups, width, size).transpose(0, 1).flatten(1, 2)
        biases: list[Tensor | None] = [None] * groups
        if bias is not None:
            biases = list(bias.view(shared, groups, width).transpose(0, 1).flatten(1))
        found = torch.stack(
            [
                linear(self.hidden[:, group], weights[group], biases[group])
                for group in range(groups)
            ]
        )
        found = found.view(groups, batch, places, shared, width).permute(1, 3, 0, 2, 4)
        # Laid out head by head: each step of decoding reads all of it.
        return found.reshape(batch, heads, places, width).contiguous()

    def mask(self, heads: int) -> Tensor:
        """Return which of a head's positions are real, `[b, h, 1, l]`."""
        return self.seen.repeat(1, heads // self.seen.shape[1], 1)[:, :, None, :]
