"""Segments of tokens, and the encoder layers that read them (Pang et al. 2022, §2.2).

The last bottom-up layer's states are pooled into segments; the paper does not say which layer's,
but its segments are made between the two passes. Full transformer layers, with feed-forward
networks, process the segments, and every top-down layer reads the result.

Segments have no positions of their own: states of tokens include theirs. The paper's sizes confirm
both. BART-large with 16,384 positions has 422.0 M weights; four attentions to segments have 16.8 M
and two such layers 25.2 M, in all the 464.0 M of its tables.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, cat, nn
from torch.compiler import is_compiling
from torch.nn.functional import avg_pool1d, pad

from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import EncoderAttentionConfig
from longsum.models.attention.biases.section_bias import EncoderBiasConfig, Labels, Start
from longsum.models.attention.linear_layers import merge_heads, project
from longsum.models.attention.softmax import at_least_float32
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.decoder_attention import ProjectedAttention, linear_of_zeros
from longsum.models.networks.seq2seq.encoder_layer import EncoderLayer
from longsum.models.networks.seq2seq.part_settings import TopDownConfig
from longsum.models.networks.seq2seq.seq2seq_layers import norm, optional_norm


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The positions of a batch's segments: M windows that cover every row.

    The j-th contains `kernel` tokens from j · stride on. A row's last window is the first that
    reaches its end, and may be shorter. The paper specifies neither this nor how padding is pooled;
    here no token is lost, and padding changes nothing.

    Attributes:
        kernel: Tokens of a window.
        stride: Tokens from the start of one to that of the next, at most `kernel`.
        tokens: n, the length of the rows.
        real: Boolean `[b, n]`, True for tokens, False for the padding after them; None if all are
            tokens.
    """

    kernel: int
    stride: int
    tokens: int
    real: Tensor | None

    @property
    def count(self) -> int:
        """Windows of a row without padding, M."""
        return 1 + -(-max(self.tokens - self.kernel, 0) // self.stride)

    def present(self) -> Tensor | None:
        """Tell which windows a row has, boolean `[b, M]`; None if every row has all."""
        if self.real is None:
            return None
        lengths = self.real.sum(dim=1)
        steps = (lengths - self.kernel).clamp_min(0) + self.stride - 1
        counts = (1 + steps // self.stride).where(lengths > 0, 0)
        return torch.arange(self.count, device=counts.device) < counts[:, None]

    def pool(self, states: Tensor, weights: Tensor | None = None) -> Tensor:
        """Return the mean of each window's tokens (Eq. 2), `[b, n, D]` to `[b, M, D]`.

        Args:
            states: States of the tokens.
            weights: Weights of the tokens, `[b, n]`, 0 or more, which are divided by their sum in
                each window (Eq. 3). If all are 0, tokens have equal weights; the paper does not
                say.
        """
        precise = states.to(at_least_float32(states.dtype))
        uniform = self._real(precise[..., 0]).to(precise)
        pooled, _ = self._mean(precise, uniform)
        if weights is not None:
            mean, total = self._mean(precise, weights * uniform)
            pooled = mean.where(total > 0, pooled)
        return pooled.to(states.dtype)

    def spread(self, segments: Tensor) -> Tensor:
        """Return the mean of the segments that each token is in, `[b, M, D]` to `[b, n, D]`."""
        places = torch.arange(self.tokens, device=segments.device)
        there = self.present()
        sums = segments.new_zeros(len(segments), self.tokens, segments.shape[-1])
        counts = segments.new_zeros(len(segments), self.tokens, 1)
        for back in range(-(-self.kernel // self.stride)):
            window = places // self.stride - back
            inside = (window >= 0) & (window < self.count)
            inside = (inside & (places < window * self.stride + self.kernel)).expand(
                len(segments), -1
            )
            window = window.clamp(0, self.count - 1)
            if there is not None:
                inside = inside & there[:, window]
            sums = sums + segments[:, window] * inside[..., None]
            counts = counts + inside[..., None]
        return sums / counts.clamp_min(1)

    def majority(self, numbers: Tensor) -> Tensor:
        """Return the most frequent number among each window's tokens, the first in a tie.

        Args:
            numbers: `[b, n]`.

        Returns:
            `[b, M]`; arbitrary for windows without tokens.
        """
        missing = self._reach - self.tokens
        windows = pad(numbers, (0, missing)).unfold(1, self.kernel, self.stride)
        real = pad(self._real(numbers), (0, missing)).unfold(1, self.kernel, self.stride)
        equal = (windows[..., :, None] == windows[..., None, :]) & real[..., None, :]
        first = (equal.sum(dim=-1) * real).argmax(dim=-1, keepdim=True)
        return windows.gather(2, first)[..., 0]

    @property
    def _reach(self) -> int:
        """Where the last window would end if it were full."""
        return (self.count - 1) * self.stride + self.kernel

    def _real(self, numbers: Tensor) -> Tensor:
        """Return `real` for rows of numbers `[b, n]`, even if it is None."""
        return torch.ones_like(numbers, dtype=torch.bool) if self.real is None else self.real

    def _mean(self, states: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Return the weighted mean of each window, `[b, M, D]`, and the mean of the weights."""
        weights = weights[..., None]
        total = self._averages(weights)
        return self._averages(states * weights) / total.where(total > 0, 1.0), total

    def _averages(self, states: Tensor) -> Tensor:
        """Return sums over windows, divided by `kernel`."""
        filled = pad(states.mT, (0, self._reach - self.tokens))
        return avg_pool1d(filled, self.kernel, self.stride).mT


class SegmentAttention(ProjectedAttention):
    """Every token attends to all segments (Eq. 1)."""

    def __init__(self, config: LongsumSeq2SeqConfig, start: Start) -> None:
        super().__init__(config, config.encoder_attention_heads)
        if start == "zeros":
            self.out_proj = linear_of_zeros(config.d_model, config.d_model)

    def forward(self, hidden: Tensor, segments: Tensor, windows: Windows) -> Tensor:
        """Return the output for tokens `[b, n, D]` that read segments `[b, M, D]`, `[b, n, D]`."""
        query, key, value = self.project_heads(hidden, segments)
        there = windows.present()
        mask = None if there is None else there[:, None, None]
        return project(self.out_proj, merge_heads(self.attend(query, key, value, mask)))


class SegmentConcat(nn.Module):
    """A projection of each token's state and the mean of its segments', concatenated (Appendix C).

    The paper only says that they are concatenated. The projection is added to the state like the
    attention's output, so that nothing else differs.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, start: Start) -> None:
        super().__init__()
        make = linear_of_zeros if start == "zeros" else nn.Linear
        self.proj = make(2 * config.d_model, config.d_model)

    def forward(self, hidden: Tensor, segments: Tensor, windows: Windows) -> Tensor:
        """Do as `SegmentAttention.forward`."""
        return project(self.proj, cat([hidden, windows.spread(segments)], dim=-1))


UPDATES = {"cross": SegmentAttention, "concat": SegmentConcat}


class TopDownLayer(EncoderLayer):
    """Self-attention, a sub-layer that reads segments, and a feed-forward network (Fig. 1).

    The paper does not say where the second has its norm. Here it has its own, like the decoder's
    attention to the source, in the same place as the model's others. If it starts with zeros, the
    norm comes before, whatever `normalize_before` says: a norm of the sum would change a state to
    which nothing is added.
    """

    def __init__(
        self,
        config: LongsumSeq2SeqConfig,
        settings: EncoderAttentionConfig,
        biases: EncoderBiasConfig | None,
        top_down: TopDownConfig,
    ) -> None:
        super().__init__(config, settings, biases)
        self.starts_with_zeros = top_down.start == "zeros"
        self.segment_update = UPDATES[top_down.update](config, top_down.start)
        self.segment_update_layer_norm = norm(config)

    def forward(
        self,
        hidden: Tensor,
        real: Tensor | None,
        labels: Labels | None,
        segments: Tensor,
        windows: Windows,
        **more: Any,
    ) -> Tensor:
        """Return new states, `[b, n, D]`.

        The segments are `[b, M, D]`, one for each window; all else is as in
        `SelfAttention.forward`.
        """
        hidden = self.residual(
            self.attend(hidden, real, labels, **more),
            self.segment_update_layer_norm,
            lambda states: self.segment_update(states, segments, windows),
            first=self.starts_with_zeros,
        )
        return self.feed_forward(hidden)


class SegmentLevel(nn.Module):
    """A level of segments, and the levels above it.

    With more than one, a level's segments are those of the level above's tokens: bottom-up through
    the layers of each, then top-down, with one layer to read from the level above. The paper has
    one level and says that more can be had with coarser segments (§2.2), but not how.

    There are `levels`, including this one.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, settings: TopDownConfig, levels: int) -> None:
        super().__init__()
        self.kernel, self.stride = settings.kernel, settings.stride
        biases = config.encoder_biases()
        if biases is not None and not biases.by_sections:
            biases = None
        attention = EncoderAttentionConfig()
        self.layers = nn.ModuleList(
            EncoderLayer(config, attention, biases) for _ in range(settings.segment_layers)
        )
        self.above: SegmentLevel | None = None
        if levels > 1:
            self.above = SegmentLevel(config, settings, levels - 1)
            self.top_down = TopDownLayer(config, attention, biases, settings)
        self.layer_norm = optional_norm(config, config.final_layer_norms)

    def forward(
        self,
        hidden: Tensor,
        real: Tensor | None,
        importance: Tensor | None,
        labels: Labels | None,
    ) -> tuple[Tensor, Windows]:
        """Make segments: their states, `[b, M, D]`, and their windows.

        Args:
            hidden: States of tokens, or of the segments below, `[b, n, D]`.
            real: Boolean `[b, n]`, True for tokens, False for the padding after them; or None.
            importance: Weights of the tokens, `[b, n]`; None if all are equal. A segment is as
                important as its tokens are on average.
            labels: The sections' labels, if the biases need them. A segment is in the section of
                most of its tokens.
        """
        windows = Windows(self.kernel, self.stride, hidden.shape[1], real)
        there = windows.present()
        if labels is not None:
            labels = Labels(windows.majority(labels.section_of), labels.pairs)
        segments = windows.pool(hidden, importance)
        for layer in self.layers:
            segments = layer(segments, there, labels)
        if self.above is not None:
            if importance is not None:
                importance = windows.pool(importance[..., None])[..., 0]
            above = self.above(segments, there, importance, labels)
            segments = self.top_down(segments, there, labels, *above)
        return self.layer_norm(segments), windows


def token_importance(
    importance: Tensor | None, real: Tensor | None, shape: tuple[int, ...]
) -> Tensor:
    """Return the importance of the source's tokens, at most 1 in each row, with 0 for padding.

    Args:
        importance: `[b, n]`; not used for padding.
        real: Boolean `[b, n]`, True for tokens; None if all are.
        shape: b and n.

    Raises:
        LongsumError: It is missing, does not fit the source, or contains other values than numbers
            from 0 on.
    """
    if importance is None:
        raise LongsumError(
            "The model pools by the importance of tokens; give importance, a number from 0 on for "
            "each source token."
        )
    if importance.shape != shape:
        raise LongsumError(
            f"A source of {shape[0]} × {shape[1]} tokens got importance of the shape "
            f"{tuple(importance.shape)}; give a number for each token."
        )
    if real is not None:
        importance = importance.masked_fill(~real, 0)
    if not is_compiling() and not bool((importance.isfinite() & (importance >= 0)).all()):
        raise LongsumError(
            "The importance of a token is negative or no number; give numbers from 0 on."
        )
    importance = importance.to(at_least_float32(importance.dtype))
    # With numbers on any scale, the sums would be unbounded.
    largest = importance.amax(dim=1, keepdim=True)
    return importance / largest.where(largest > 0, 1.0)
