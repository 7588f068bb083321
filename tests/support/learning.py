from collections.abc import Callable

import torch


def learn(
    model: torch.nn.Module, loss: Callable[[], torch.Tensor], steps: int, rate: float = 0.01
) -> tuple[float, float]:
    """Take steps of Adam, and return the loss before the first and before the last."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        found = loss()
        found.backward()
        optimizer.step()
        losses.append(found.item())
    return losses[0], losses[-1]
