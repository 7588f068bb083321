"""Segments of a fixed length, and what is pooled in them (Pang et al. 2022, §2.3).

Everything takes memory in proportion to the tokens.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import avg_pool1d, pad

from longsum.models.attention.softmax import at_least_float32


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Where the segments of a batch lie: M windows that cover every row.

    The j-th holds the tokens from j · stride on, `kernel` of them. A row's last window is the first
    that reaches its end, and may be shorter. The paper says neither this nor how padding is pooled;
    so no token is lost, and padding changes nothing.

    Attributes:
        kernel: Tokens of a window.
        stride: Tokens from the start of one to that of the next, at most `kernel`.
        tokens: n, the length of the rows.
        real: Boolean `[b, n]`, True for tokens, False for the padding after them; None where all
            are tokens.
    """

    kernel: int
    stride: int
    tokens: int
    real: Tensor | None

    @property
    def count(self) -> int:
        """Windows of a row without padding, M."""
        return 1 + -(-max(self.tokens - self.kernel, 0) // self.stride)

    def there(self) -> Tensor | None:
        """Tell which windows a row has, boolean `[b, M]`; None where every row has all."""
        if self.real is None:
            return None
        lengths = self.real.sum(dim=1)
        steps = (lengths - self.kernel).clamp_min(0) + self.stride - 1
        counts = (1 + steps // self.stride).where(lengths > 0, 0)
        return torch.arange(self.count, device=counts.device) < counts[:, None]

    def pool(self, states: Tensor, weights: Tensor | None = None) -> Tensor:
        """Return the mean of each window's tokens (Eq. 2), `[b, n, D]` to `[b, M, D]`.

        Args:
            states: Those of the tokens.
            weights: Of the tokens, `[b, n]`, 0 or more, which are divided by their sum in each
                window (Eq. 3). Where all are 0, the paper is silent; every token counts alike then.
        """
        precise = states.to(at_least_float32(states.dtype))
        alike = self._real(precise[..., 0]).to(precise)
        found, _ = self._mean(precise, alike)
        if weights is not None:
            mean, total = self._mean(precise, weights * alike)
            found = mean.where(total > 0, found)
        return found.to(states.dtype)

    def spread(self, segments: Tensor) -> Tensor:
        """Return the mean of the segments that each token is in, `[b, M, D]` to `[b, n, D]`."""
        places = torch.arange(self.tokens, device=segments.device)
        there = self.there()
        found = segments.new_zeros(len(segments), self.tokens, segments.shape[-1])
        holders = segments.new_zeros(len(segments), self.tokens, 1)
        for back in range(-(-self.kernel // self.stride)):
            window = places // self.stride - back
            held = (window >= 0) & (window < self.count)
            held = (held & (places < window * self.stride + self.kernel)).expand(len(segments), -1)
            window = window.clamp(0, self.count - 1)
            if there is not None:
                held = held & there[:, window]
            found = found + segments[:, window] * held[..., None]
            holders = holders + held[..., None]
        return found / holders.clamp_min(1)

    def majority(self, numbers: Tensor) -> Tensor:
        """Return the number that most tokens of each window have, or the first such.

        Args:
            numbers: `[b, n]`.

        Returns:
            `[b, M]`; of windows without tokens, any.
        """
        missing = self._reach - self.tokens
        windows = pad(numbers, (0, missing)).unfold(1, self.kernel, self.stride)
        held = pad(self._real(numbers), (0, missing)).unfold(1, self.kernel, self.stride)
        alike = (windows[..., :, None] == windows[..., None, :]) & held[..., None, :]
        first = (alike.sum(dim=-1) * held).argmax(dim=-1, keepdim=True)
        return windows.gather(2, first)[..., 0]

    @property
    def _reach(self) -> int:
        """Where the last window ends, were it whole."""
        return (self.count - 1) * self.stride + self.kernel

    def _real(self, numbers: Tensor) -> Tensor:
        """Return `real` for rows of numbers `[b, n]`, written out where all are tokens."""
        return torch.ones_like(numbers, dtype=torch.bool) if self.real is None else self.real

    def _mean(self, states: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Return the weighted mean of each window, `[b, M, D]`, and the weights' own."""
        weights = weights[..., None]
        total = self._averages(weights)
        return self._averages(states * weights) / total.where(total > 0, 1.0), total

    def _averages(self, states: Tensor) -> Tensor:
        """Return sums over windows, divided by `kernel`."""
        filled = pad(states.mT, (0, self._reach - self.tokens))
        return avg_pool1d(filled, self.kernel, self.stride).mT
