"""What networks share that must load without `transformers`: products and the layout of heads."""

from torch import Tensor, nn

from longsum.attention.products import linear


class Linear(nn.Linear):
    """A linear layer whose product takes the faster library (`longsum.attention.products`)."""

    def forward(self, input: Tensor) -> Tensor:
        """Multiply `[…, in]` to `[…, out]`."""
        return linear(input, self.weight, self.bias)


def split_heads(states: Tensor, heads: int) -> Tensor:
    """Lay out `[b, n, h · d]` as `[b, h, n, d]`."""
    return states.view(*states.shape[:-1], heads, -1).transpose(1, 2)


def merge_heads(states: Tensor) -> Tensor:
    """Lay out `[b, h, n, d]` as `[b, n, h · d]`."""
    return states.transpose(1, 2).flatten(2)
