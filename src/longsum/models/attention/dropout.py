"""Dropout of attention weights that never exist as a whole: drawn, and redrawn, piece by piece.

An attention that recomputes its scores in the backward pass has to drop the same ones as in the
forward pass. It goes through the same pieces in the same order, so only a seed is kept.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

Factors = Callable[[Tensor], Tensor]
"""Gives the factors of the next piece of weights: 0 or 1 / (1 − rate), in the weights' shape."""


@dataclass(frozen=True, slots=True)
class WeightDropout:
    """The dropout of one call of an attention.

    Attributes:
        rate: Share of the weights that is dropped, above 0 and below 1; the rest is scaled up.
        seed: Seed of the drawing.
    """

    rate: float
    seed: int

    @classmethod
    def drawn(cls, rate: float) -> "WeightDropout | None":
        """Draw a seed from PyTorch's generator; None if nothing is dropped."""
        return cls(rate, int(torch.randint(2**62, ()))) if rate else None

    def on(self, device: torch.device) -> Factors:
        """Return a function that gives the factors of one piece after another, from the first."""
        generator = torch.Generator(device).manual_seed(self.seed)
        share = 1.0 - self.rate

        def factors(weights: Tensor) -> Tensor:
            return torch.empty_like(weights).bernoulli_(share, generator=generator).div_(share)

        return factors
