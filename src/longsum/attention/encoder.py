"""Encoder self-attention as modules behind one call, and the settings that choose among them."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from longsum.attention.patterns import (
    Full,
    GlobalTokens,
    Pattern,
    RandomBlocks,
    Stride,
    Window,
)
from longsum.attention.reference import reference_attention
from longsum.attention.tiled import tiled_attention
from longsum.errors import LongsumError

Execution = Literal["fast", "reference"]
Kind = Literal["full", "pattern"]


@dataclass(frozen=True, slots=True)
class EncoderAttentionConfig:
    """Which encoder attention a layer has.

    Attributes:
        kind: `full`, or `pattern`, the union of what the next four fields switch on.
        window: Tokens that each token sees, both sides together; 0 is no window.
        global_tokens: The first tokens that see all and are seen by all.
        stride: Each token sees every so many-th token; 0 is no stride.
        random_block: Tokens of the block that each block draws at random; 0 is none.
        seed: Seed of whatever is random.
    """

    kind: Kind = "full"
    window: int = 0
    global_tokens: int = 0
    stride: int = 0
    random_block: int = 0
    seed: int = 0

    def pattern(self) -> Pattern:
        """Return the fixed pattern that the settings describe.

        Raises:
            LongsumError: The kind is `pattern`, and nothing is switched on.
        """
        if self.kind == "full":
            return Full()
        parts: list[Pattern] = []
        if self.window:
            parts.append(Window(self.window))
        if self.global_tokens:
            parts.append(GlobalTokens(self.global_tokens))
        if self.stride:
            parts.append(Stride(self.stride))
        if self.random_block:
            parts.append(RandomBlocks(self.random_block, self.seed))
        if not parts:
            raise LongsumError(
                "An encoder attention of kind 'pattern' needs a window, global tokens, a stride or "
                "a random block; set one of them."
            )
        pattern = parts[0]
        for part in parts[1:]:
            pattern = pattern | part
        return pattern


class EncoderAttention(nn.Module):
    """Self-attention of an encoder layer between its input and output projections."""

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, real: Tensor | None = None
    ) -> Tensor:
        """Attend.

        Args:
            query: `[b, h, n, d]`, not scaled.
            key: `[b, h, n, d]`.
            value: `[b, h, n, d]`.
            real: Boolean `[b, n]`, True for tokens, False for padding; None where all are real.

        Returns:
            `[b, h, n, d]`.
        """
        raise NotImplementedError


class PatternAttention(EncoderAttention):
    """Attention under a fixed pattern; no parameters (HEPOS, Table 1)."""

    def __init__(self, pattern: Pattern, execution: Execution = "fast") -> None:
        super().__init__()
        self.pattern = pattern
        self.execution = execution

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, real: Tensor | None = None
    ) -> Tensor:
        """Attend; see `EncoderAttention.forward`."""
        if self.execution == "reference":
            return reference_attention(query, key, value, self.pattern, real)
        if isinstance(self.pattern, Full):
            mask = None if real is None else real[:, None, None, :]
            return torch.nn.functional.scaled_dot_product_attention(
                query, key, value, attn_mask=mask
            )
        return tiled_attention(query, key, value, self.pattern, real)


def build_encoder_attention(
    config: EncoderAttentionConfig, execution: Execution = "fast"
) -> EncoderAttention:
    """Make the attention that the settings describe."""
    return PatternAttention(config.pattern(), execution)
