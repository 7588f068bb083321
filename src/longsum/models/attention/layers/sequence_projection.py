"""A learned projection along the sequence (Wang et al. 2020, Linformer; HEPOS, §2.2)."""

import torch
from torch import Tensor, nn

from longsum.common.errors import LongsumError


class SequenceProjection(nn.Module):
    """Mixes a sequence of up to n tokens to k: k · n new parameters (HEPOS, Table 1: O(n)).

    Args:
        tokens: The longest sequence, n, whose positions the projection knows.
        projected: Number of mixtures, the paper's k.
    """

    def __init__(self, tokens: int, projected: int) -> None:
        super().__init__()
        self.projection = nn.Parameter(torch.empty(projected, tokens))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the projection, so that a mixture is about as large as a token."""
        nn.init.normal_(self.projection, std=self.projection.shape[1] ** -0.5)

    def columns(self, tokens: int) -> Tensor:
        """Return the part of the projection for so many positions, `[k, tokens]`.

        Raises:
            LongsumError: They are more than the projection knows.
        """
        longest = self.projection.shape[1]
        if tokens > longest:
            raise LongsumError(
                f"Linformer was made for {longest} tokens and got {tokens}; shorten the source or "
                "make it for more."
            )
        return self.projection[:, :tokens]
