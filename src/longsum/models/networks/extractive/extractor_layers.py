"""The post-norm Transformer layer of BERT, from which all extractive models are built."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, linear, scaled_dot_product_attention

from longsum.common.errors import LongsumError
from longsum.models.attention.layers.linear_layers import (
    is_plain,
    merge_heads,
    project,
    split_heads,
)


class RecomputedLayer(nn.Module):
    """A layer whose states may be computed again in the backward pass instead of being kept.

    Attributes:
        gradient_checkpointing: Whether they are, in training. `transformers` sets this together
            with the function that does so (`PreTrainedModel.gradient_checkpointing_enable`).
    """

    gradient_checkpointing = False
    _gradient_checkpointing_func: Callable[..., Any]

    def __call__(self, *given: Any) -> Any:
        """Call `forward`, with its hooks."""
        if self.gradient_checkpointing and self.training:
            return self._gradient_checkpointing_func(super().__call__, *given)
        return super().__call__(*given)


class Attention(nn.Module):
    """Multi-head attention with its residual connection and normalisation (Vaswani et al. 2017).

    Args:
        size: Features of a state.
        heads: Number of heads.
        dropout: Of the result, in training.
        epsilon: Of the normalisation.
        attention_dropout: Of the attention weights, in training; by default as `dropout`.

    Raises:
        LongsumError: The heads do not divide the size.
    """

    def __init__(
        self,
        size: int,
        heads: int,
        dropout: float,
        epsilon: float,
        attention_dropout: float | None = None,
    ) -> None:
        super().__init__()
        if heads < 1 or size % heads:
            raise LongsumError(
                f"A size of {size} cannot be divided among {heads} heads; "
                "choose a number of heads that divides it."
            )
        self.heads = heads
        self.dropout = dropout
        self.attention_dropout = dropout if attention_dropout is None else attention_dropout
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.value = nn.Linear(size, size)
        self.output = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size, eps=epsilon)

    def forward(self, states: Tensor, memory: Tensor, mask: Tensor | None) -> Tensor:
        """Let states read a memory.

        Args:
            states: `[b, n, D]`.
            memory: `[b, m, D]`; `states` themselves for self-attention.
            mask: Boolean `[b, 1, n or 1, m]`, True where a state may look; None for everywhere.

        Returns:
            New states, `[b, n, D]`.
        """
        return self.look(states, self.remember(memory), mask)

    def remember(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values of a memory, `[b, heads, m, head_dim]` each."""
        key, value = project(self.key, memory), project(self.value, memory)
        return split_heads(key, self.heads), split_heads(value, self.heads)

    def look(self, states: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None) -> Tensor:
        """As `forward`, with what `remember` made of the memory."""
        query = split_heads(project(self.query, states), self.heads)
        rate = self.attention_dropout if self.training else 0.0
        read = scaled_dot_product_attention(query, *memory, attn_mask=mask, dropout_p=rate)
        found = project(self.output, merge_heads(read))
        found = dropout(found, self.dropout, self.training)
        return self.norm(states + found)  # type: ignore[no-any-return]


class FeedForward(nn.Module):
    """Two linear layers around GELU, with residual connection and normalisation."""

    def __init__(self, size: int, inner: int, dropout: float, epsilon: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.expand = nn.Linear(size, inner)
        self.shrink = nn.Linear(inner, size)
        self.norm = nn.LayerNorm(size, eps=epsilon)

    def forward(self, states: Tensor) -> Tensor:
        """Return new states, `[…, D]`."""
        found = project(self.shrink, gelu(project(self.expand, states)))
        found = dropout(found, self.dropout, self.training)
        return self.norm(states + found)  # type: ignore[no-any-return]


class Layer(RecomputedLayer):
    """Self-attention and a feed-forward network: a layer of BERT."""

    def __init__(self, size: int, heads: int, inner: int, dropout: float, epsilon: float) -> None:
        super().__init__()
        self.attention = Attention(size, heads, dropout, epsilon)
        self.feed_forward = FeedForward(size, inner, dropout, epsilon)

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """Return new states, `[b, n, D]`; for the mask see `Attention.forward`."""
        return self.feed_forward(self.attention(states, states, mask))  # type: ignore[no-any-return]


def score(layer: nn.Module, states: Tensor) -> Tensor:
    """Score states `[…, D]` by a layer with one feature, `[…]`, in fp32 even under autocast.

    In bf16 a score has three digits, and sentences tie. A layer that must be called (see
    `is_plain`) computes as its own weights are, and is given fp32 in place of autocast's type.
    """
    device = states.device.type
    mixed = torch.is_autocast_enabled(device)
    with torch.autocast(device, enabled=False):
        if is_plain(layer):
            found = linear(states.float(), layer.weight.float(), layer.bias.float())
        else:
            found = layer(states.float() if mixed else states).float()
    return found.squeeze(-1)


def all_rows(table: nn.Embedding, device: torch.device) -> Tensor:
    """Return the rows of a table, `[rows, D]`, by a call: until then they may be elsewhere."""
    rows: Tensor = table(torch.arange(table.num_embeddings, device=device))
    return rows


def initialise(module: nn.Module, deviation: float = 0.02) -> None:
    """Give linear layers and tables their first values as BERT does: N(0, 0.02²), biases 0."""
    for part in module.modules():
        if isinstance(part, (nn.Linear, nn.Embedding)):
            nn.init.normal_(part.weight, std=deviation)
        if isinstance(part, nn.Linear) and part.bias is not None:
            nn.init.zeros_(part.bias)
