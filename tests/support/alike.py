"""Compares the outputs and gradients of two ways to compute something."""

from collections.abc import Sequence

import torch
from torch import Tensor


def assert_alike(
    found: Tensor,
    expected: Tensor,
    learned: Sequence[Tensor],
    others: Sequence[Tensor] | None = None,
    **close: float,
) -> tuple[Tensor, ...]:
    """Compare two results, and the gradients of a random mixture of the numbers in each.

    Those are of what the one depends on, which are returned, and of what the other does, where that
    is something else. Their tolerance is ten times as wide.
    """
    torch.testing.assert_close(found, expected, **close)
    upstream = torch.randn(found.shape, generator=torch.Generator().manual_seed(1)).to(found)
    one, other = (
        torch.autograd.grad(result, inputs, upstream, allow_unused=True, retain_graph=True)
        for result, inputs in ((found, learned), (expected, others or learned))
    )
    wider = {name: 10 * tolerance for name, tolerance in close.items()}
    torch.testing.assert_close(one, other, **wider)
    return one
