"""The post-norm Transformer layer of BERT, from which all extractive models are built.

The sentence encoder consists of such layers: it reads each sentence alone, and returns one vector
(Stepwise, §4).
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, linear, scaled_dot_product_attention

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.models.attention.linear_layers import (
    is_plain,
    merge_heads,
    project,
    split_heads,
)


class RecomputedLayer(nn.Module):
    """A layer whose states may be computed again in the backward pass instead of being kept.

    Attributes:
        gradient_checkpointing: Whether to recompute them in training. `transformers` sets this, and
            the function that does so, in `PreTrainedModel.gradient_checkpointing_enable`.
    """

    gradient_checkpointing = False
    _gradient_checkpointing_func: Callable[..., Any]

    def __call__(self, *inputs: Any) -> Any:
        """Call `forward`, with its hooks."""
        if self.gradient_checkpointing and self.training:
            return self._gradient_checkpointing_func(super().__call__, *inputs)
        return super().__call__(*inputs)


class Attention(nn.Module):
    """Multi-head attention with its residual connection and normalisation (Vaswani et al. 2017).

    Both kinds of dropout are for training; that of attention weights is by default that of the
    output.

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
        """Let states attend to a memory; return new ones, `[b, n, D]`.

        Args:
            states: `[b, n, D]`.
            memory: `[b, m, D]`; `states` themselves for self-attention.
            mask: Boolean `[b, 1, n or 1, m]`, True where a state may attend; None for everywhere.
        """
        return self.look(states, self.remember(memory), mask)

    def remember(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values of a memory, `[b, heads, m, head_dim]` each."""
        key, value = project(self.key, memory), project(self.value, memory)
        return split_heads(key, self.heads), split_heads(value, self.heads)

    def look(self, states: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None) -> Tensor:
        """Do as `forward`, with the keys and values that `remember` returned."""
        query = split_heads(project(self.query, states), self.heads)
        rate = self.attention_dropout if self.training else 0.0
        read = scaled_dot_product_attention(query, *memory, attn_mask=mask, dropout_p=rate)
        update = project(self.output, merge_heads(read))
        update = dropout(update, self.dropout, self.training)
        return self.norm(states + update)  # type: ignore[no-any-return]


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
        update = project(self.shrink, gelu(project(self.expand, states)))
        update = dropout(update, self.dropout, self.training)
        return self.norm(states + update)  # type: ignore[no-any-return]


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
    `is_plain`) computes in the type of its weights, and is given fp32 instead of autocast's type.
    """
    device = states.device.type
    mixed = torch.is_autocast_enabled(device)
    with torch.autocast(device, enabled=False):
        if is_plain(layer):
            scores = linear(states.float(), layer.weight.float(), layer.bias.float())
        else:
            scores = layer(states.float() if mixed else states).float()
    return scores.squeeze(-1)


def all_rows(table: nn.Embedding, device: torch.device) -> Tensor:
    """Return the rows of a table, `[rows, D]`, by calling it, since they may be offloaded."""
    rows: Tensor = table(torch.arange(table.num_embeddings, device=device))
    return rows


def initialise(module: nn.Module, deviation: float = 0.02) -> None:
    """Initialise linear layers and tables as BERT does: N(0, 0.02²), biases 0."""
    for part in module.modules():
        if isinstance(part, (nn.Linear, nn.Embedding)):
            nn.init.normal_(part.weight, std=deviation)
        if isinstance(part, nn.Linear) and part.bias is not None:
            nn.init.zeros_(part.bias)


class TokenEmbedding(nn.Module):
    """Tokens and their positions in the sentence, normalised, as in BERT and RoBERTa."""

    def __init__(self, config: SentenceEncoderConfig) -> None:
        super().__init__()
        self.offset = config.position_offset
        self.dropout = config.dropout
        self.tokens = nn.Embedding(config.vocabulary, config.size)
        self.positions = nn.Embedding(config.positions + self.offset, config.size)
        self.types = nn.Embedding(config.token_types, config.size)
        self.norm = nn.LayerNorm(config.size, eps=config.norm_epsilon)

    def forward(self, tokens: Tensor) -> Tensor:
        """Embed `[m, t]` as `[m, t, D]`; see `place`."""
        return self.place(self.tokens(tokens))

    def place(self, vectors: Tensor) -> Tensor:
        """Add the embeddings of positions to the vectors of tokens, `[m, t, D]`, and normalise.

        Raises:
            LongsumError: There are more tokens than positions.
        """
        count, available = vectors.shape[1], self.positions.num_embeddings - self.offset
        if count > available:
            raise LongsumError(
                f"A text of {count:,} tokens does not fit the model's {available:,} positions; cut "
                "the sentences shorter."
            )
        places = torch.arange(self.offset, self.offset + count, device=vectors.device)
        first = places.new_zeros(())
        embedded = self.norm(vectors + self.positions(places) + self.types(first))
        return dropout(embedded, self.dropout, self.training)


class SentenceEncoder(nn.Module):
    """An encoder like BERT, whose first state or mean state is the vector of a sentence."""

    def __init__(self, config: SentenceEncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(config)
        self.layers = nn.ModuleList(
            Layer(
                config.size,
                config.heads,
                config.feed_forward,
                config.dropout,
                config.norm_epsilon,
            )
            for _ in range(config.layers)
        )

    def states(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return the states of all tokens, `[m, t, D]`; for the arguments see `forward`."""
        real = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
        return self.transform(self.embedding(tokens), real)

    def transform(self, states: Tensor, real: Tensor) -> Tensor:
        """Pass embedded tokens `[m, t, D]` through the layers; `real` is False for padding."""
        for layer in self.layers:
            states = layer(states, real[:, None, None, :])
        return states

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Encode sentences, `[m, D]`.

        The tokens are `[m, t]`, padded on the right, the lengths `[m]`, at least 1.
        """
        states = self.states(tokens, lengths)
        if self.config.representation == "first":
            return states[:, 0]
        real = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
        return (states * real[..., None]).sum(1) / lengths[:, None]


def tokens_at_once(device: torch.device) -> int:
    """Return how many tokens, padding included, to encode at once.

    On a CPU they are few enough to keep states in its cache (in one run 1,024 took 0.6 of the time
    of 8,192), on a GPU enough to keep it busy.
    """
    return 65_536 if device.type == "cuda" else 1024


def encode_sorted(
    encoder: SentenceEncoder, tokens: Tensor, lengths: Tensor, at_once: int | None = None
) -> Tensor:
    """Encode sentences, `[m, D]`, in groups of similar length, so that little is padding.

    Args:
        encoder: The encoder.
        tokens: `[m, t]`, padded on the right.
        lengths: `[m]`, tokens of each.
        at_once: Maximum number of tokens in a group; by default `tokens_at_once` of the device.
    """
    budget = tokens_at_once(tokens.device) if at_once is None else at_once
    order = lengths.argsort(stable=True)
    sizes = lengths[order].tolist()
    groups: list[Tensor] = []
    start = 0
    while start < len(sizes):
        stop = start + 1
        while stop < len(sizes) and (stop + 1 - start) * sizes[stop] <= budget:
            stop += 1
        rows = order[start:stop]
        groups.append(encoder(tokens[rows, : sizes[stop - 1]], lengths[rows]))
        start = stop
    return torch.cat(groups)[order.argsort()]
