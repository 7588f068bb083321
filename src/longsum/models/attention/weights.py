"""Attention weights, on request.

The output of an attention is linear in its values. So an identity appended to the values yields the
weights, under any pattern, bias, dropout or hashing, and in the order of the source even if the
keys are laid out in another.
"""

import torch
from torch import Tensor


class Weights:
    """The weights of one attention after another.

    Attributes:
        identity: What is appended to the values: for each key a row with a one at its position, `[b
            or 1, h or 1, k, n]`.
        found: The weights of each attention, `[b, h, q, n]`.
        value: The values of the current attention; None if not all queries read the same.
    """

    def __init__(self, identity: Tensor) -> None:
        self.identity = identity
        self.found: list[Tensor] = []
        self.value: Tensor | None = None

    def of(self, read: Tensor) -> Tensor:
        """Return the part of the output that is weights."""
        return read[..., read.shape[-1] - self.identity.shape[-1] :]

    def take(self, read: Tensor) -> Tensor:
        """Keep the weights, and return the rest of the output.

        It is computed from the weights if possible, so that they have a gradient.
        """
        weights = self.of(read)
        self.found.append(weights)
        if self.value is None:
            return read[..., : read.shape[-1] - self.identity.shape[-1]]
        return weights @ (self.identity.to(weights.dtype).mT @ self.value)


def with_identity(value: Tensor, weights: Weights | None) -> Tensor:
    """Return values with the identity appended, `[b, h, k, d + n]`; unchanged if not requested."""
    if weights is None:
        return value
    weights.value = value
    identity = weights.identity.to(value.dtype).expand(*value.shape[:3], -1)
    return torch.cat([value, identity], dim=-1)
