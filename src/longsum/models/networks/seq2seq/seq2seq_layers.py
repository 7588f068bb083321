"""What encoder and decoder share: embeddings, positions, the residual sub-layer, and padding."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling
from transformers.activations import ACT2FN
from transformers.modeling_layers import GradientCheckpointingLayer

from longsum.common.errors import LongsumError
from longsum.models.attention.linear_layers import project
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig

_BLOCK = 2048
"""Tokens that a feed-forward network processes at once without gradients: its inner states are
several times as wide as the model, and would otherwise determine the peak of memory."""


class ScaledEmbedding(nn.Embedding):
    """Token embeddings times a constant."""

    def __init__(self, config: LongsumSeq2SeqConfig) -> None:
        super().__init__(config.vocab_size, config.d_model, config.pad_token_id)
        self.scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0

    def forward(self, input_ids: Tensor) -> Tensor:
        """Embed `[b, n]` as `[b, n, D]`."""
        return super().forward(input_ids) * self.scale


class LearnedPositions(nn.Embedding):
    """A table of positions, with `offset` unused rows before that of position 0."""

    def __init__(self, positions: int, size: int, offset: int) -> None:
        super().__init__(positions + offset, size)
        self.offset = offset

    def forward(self, start: int, count: int) -> Tensor:  # type: ignore[override]
        """Return the rows of `count` positions from `start` on, `[count, D]`.

        Raises:
            LongsumError: The table is shorter.
        """
        available = self.num_embeddings - self.offset
        if start + count > available:
            raise LongsumError(
                f"A text of {start + count:,} tokens does not fit the model's {available:,} "
                "positions; shorten it, or load the checkpoint with more max_source_positions or "
                "max_target_positions."
            )
        return self.weight[self.offset + start : self.offset + start + count]


class NoPositions(nn.Module):
    """No position embeddings."""

    def forward(self, start: int, count: int) -> Tensor:  # noqa: ARG002
        """Return zeros, `[count, 1]`."""
        return torch.zeros(count, 1)


class SinusoidalPositions(nn.Module):
    """Sines in the first half of the features, cosines in the second (PEGASUS's layout).

    Args:
        size: Number of features.
        steps: Number of steps in which wavelengths grow from 2π to 20,000π.
    """

    def __init__(self, size: int, steps: float) -> None:
        super().__init__()
        self.size = size
        self.steps = steps

    def forward(self, start: int, count: int) -> Tensor:
        """Return the rows of `count` positions from `start` on, `[count, D]`, fp32 on CPU.

        Angles are fp64: in fp32 the sine of position 16,000 has an error of 1e-3.
        """
        exponents = torch.arange((self.size + 1) // 2, dtype=torch.float64) / self.steps
        positions = torch.arange(start, start + count, dtype=torch.float64)
        angles = positions[:, None] * 10_000.0**-exponents
        return torch.cat([angles.sin(), angles.cos()[:, : self.size // 2]], dim=1).float()


def build_positions(config: LongsumSeq2SeqConfig, positions: int) -> nn.Module:
    """Make the positions that the settings describe."""
    if config.position_kind == "none":
        return NoPositions()
    half = config.d_model / 2
    if config.position_kind != "learned":
        last = config.position_kind == "timescales"
        return SinusoidalPositions(config.d_model, half - 1 if last else half)
    return LearnedPositions(positions, config.d_model, config.position_offset)


def norm(config: LongsumSeq2SeqConfig) -> nn.Module:
    """Make a norm of the model's dimension."""
    kind = nn.RMSNorm if config.norm_kind == "rms" else nn.LayerNorm
    return kind(config.d_model, eps=config.norm_epsilon)


def optional_norm(config: LongsumSeq2SeqConfig, wanted: bool) -> nn.Module:
    """Make a norm of the model's dimension, or the identity."""
    return norm(config) if wanted else nn.Identity()


class TransformerLayer(GradientCheckpointingLayer):
    """A layer whose last sub-layer is a feed-forward network."""

    def __init__(self, config: LongsumSeq2SeqConfig, ffn_dim: int) -> None:
        super().__init__()
        self.normalize_before = config.normalize_before
        self.dropout = config.dropout
        self.activation_dropout = config.activation_dropout
        self.activation = ACT2FN[config.activation_function]
        self.fc1 = nn.Linear(config.d_model, ffn_dim)
        self.fc2 = nn.Linear(ffn_dim, config.d_model)
        self.fc_gate = nn.Linear(config.d_model, ffn_dim) if config.gated_activation else None
        self.final_layer_norm = norm(config)

    def residual(
        self,
        hidden: Tensor,
        norm: Callable[[Tensor], Tensor],
        sublayer: Callable[[Tensor], Tensor],
        first: bool = False,
    ) -> Tensor:
        """Add the output of a sub-layer to the states, and normalise before or after.

        If `first`, the norm comes before, even if it comes after elsewhere in the model.
        """
        first = first or self.normalize_before
        update = sublayer(norm(hidden) if first else hidden)
        hidden = hidden + nn.functional.dropout(update, self.dropout, self.training)
        return hidden if first else norm(hidden)

    def feed_forward(self, hidden: Tensor) -> Tensor:
        """Apply the feed-forward sub-layer, `[b, n, D]`."""
        hidden = self.residual(hidden, self.final_layer_norm, self._expand_and_shrink)
        if hidden.dtype == torch.float16:
            # Pre-norm checkpoints exceed the range of fp16; transformers clamps in the same place.
            limit = torch.finfo(hidden.dtype).max - 1000
            hidden = hidden.clamp(-limit, limit)
        return hidden

    def _expand_and_shrink(self, hidden: Tensor) -> Tensor:
        if torch.is_grad_enabled() or hidden.shape[1] <= _BLOCK:
            return self._expanded(hidden)
        return torch.cat([self._expanded(part) for part in hidden.split(_BLOCK, dim=1)], dim=1)

    def _expanded(self, hidden: Tensor) -> Tensor:
        inner = self.activation(project(self.fc1, hidden))
        hidden = inner if self.fc_gate is None else inner * project(self.fc_gate, hidden)
        hidden = nn.functional.dropout(hidden, self.activation_dropout, self.training)
        return project(self.fc2, hidden)


def real_tokens(mask: Tensor | None) -> Tensor | None:
    """Return a mask as booleans, or None if it hides nothing.

    Within a compiled graph, the values of the mask are not inspected.

    Args:
        mask: `[b, n]`, non-zero for tokens, zero for padding on either side.

    Raises:
        LongsumError: The tokens of a row are not contiguous.
    """
    if mask is None:
        return None
    real = mask.bool()
    if is_compiling():
        return real
    if bool(real.all()):
        return None
    edges = (real[:, 1:] & ~real[:, :-1]).sum(dim=1) + real[:, 0]
    if bool((edges > 1).any()):
        raise LongsumError(
            "An attention mask hides tokens between others; give masks that hide padding at the "
            "start or the end of a row alone."
        )
    return real


def first_real(real: Tensor) -> Tensor:
    """Return the position of each row's first real token, `[b]`."""
    return real.int().argmax(dim=1)


def rotate(rows: Tensor, shift: Tensor) -> Tensor:
    """Move each row to the left by its own number of places, around the end.

    The rows are `[b, n]` or `[b, n, D]`, the shift `[b]`.
    """
    tokens = rows.shape[1]
    index = (torch.arange(tokens, device=rows.device) + shift[:, None]) % tokens
    if rows.dim() == 3:
        index = index[:, :, None].expand_as(rows)
    return rows.gather(1, index)


def rotate_queries(weights: Tensor, shift: Tensor) -> Tensor:
    """Move the queries of attention weights, `[b, h, n, k]`, as `rotate` moves tokens."""
    rows = rotate(weights.transpose(1, 2).flatten(2), shift)
    batch, heads, tokens, _ = weights.shape
    return rows.view(batch, tokens, heads, -1).transpose(1, 2)
