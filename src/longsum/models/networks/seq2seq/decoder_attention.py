"""The attentions of a decoder layer: among target tokens, to the source, and to its sections.

All are PyTorch's own function between projections.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn
from transformers.cache_utils import CacheLayerMixin, EncoderDecoderCache

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_bias import Start
from longsum.models.attention.biases.section_cross_bias import (
    section_biased_attention,
    section_weights,
)
from longsum.models.attention.cross import (
    CrossPattern,
    FoldedSource,
    LinformerCross,
    SourceMixtures,
    full_cross,
)
from longsum.models.attention.linear_layers import merge_heads, project, split_heads
from longsum.models.attention.weights import Weights, with_identity
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig

_FEW, _MANY = 16, 1024
"""Up to so many queries, but more than one, and from so many keys on, two products in bf16 are no
slower than fused attention. oneDNN generates and keeps code for every length that it multiplies:
products of one row with growing keys cost 375 MB by the 200th token."""


class Projections(nn.Module):
    """The projections around an attention: of queries, keys, values and its output."""

    def __init__(self, config: LongsumSeq2SeqConfig, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.unscaled = 1.0 if config.scale_scores else math.sqrt(config.d_model // heads)
        self.q_proj = nn.Linear(config.d_model, config.d_model)
        self.k_proj = nn.Linear(config.d_model, config.d_model)
        self.v_proj = nn.Linear(config.d_model, config.d_model)
        self.out_proj = nn.Linear(config.d_model, config.d_model)

    def queries(self, states: Tensor) -> Tensor:
        """Return queries, `[b, n, D]`, scaled so that the attention's scale gives the model's."""
        query = project(self.q_proj, states)
        return query if self.unscaled == 1.0 else query * self.unscaled

    def project_heads(self, states: Tensor, memory: Tensor) -> Iterator[Tensor]:
        """Yield queries of states, keys and values of a memory, `[b, n, D]` to `[b, h, n, d]`."""
        yield split_heads(self.queries(states), self.heads)
        for layer in (self.k_proj, self.v_proj):
            yield split_heads(project(layer, memory), self.heads)


class ProjectedAttention(Projections):
    """Projections around PyTorch's own attention: in the decoder, and from tokens to segments."""

    def __init__(self, config: LongsumSeq2SeqConfig, heads: int) -> None:
        super().__init__(config, heads)
        self.dropout = config.attention_dropout

    def attend(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, causal: bool = False
    ) -> Tensor:
        """Attend; all `[b, h, …, d]`, the mask boolean, True where a query may see a key."""
        plain = not (causal or self.training or torch.is_grad_enabled())
        plain = plain and (mask is None or mask.dtype == torch.bool)
        half = query.dtype == torch.bfloat16 and query.device.type == "cpu"
        if plain and half and 1 < query.shape[2] <= _FEW and key.shape[2] >= _MANY:
            scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
            if mask is None:
                return torch.softmax(scores, dim=-1) @ value
            weights = torch.softmax(scores.masked_fill_(~mask, -torch.inf), dim=-1)
            # A query that sees nothing has no softmax; it reads zeros, as with fused attention.
            return weights.nan_to_num_(0.0) @ value
        return nn.functional.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0,
            is_causal=causal,
        )


def linear_of_zeros(inputs: int, outputs: int) -> nn.Linear:
    """Make a linear layer that starts as the function that is zero everywhere.

    It is marked as such rather than being a subclass: code that replaces or quantizes linear layers
    looks for `nn.Linear` and nothing else.
    """
    layer = nn.Linear(inputs, outputs)
    layer.begins_as_zero = True  # type: ignore[assignment]
    begin(layer)
    return layer


def begin(layer: nn.Module) -> None:
    """Initialize a layer of `linear_of_zeros`; leave any other."""
    if isinstance(layer, nn.Linear) and getattr(layer, "begins_as_zero", False):
        nn.init.zeros_(layer.weight)
        nn.init.zeros_(layer.bias)


class DecoderAttention(ProjectedAttention):
    """The base of both attentions of a decoder layer."""

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int) -> None:
        super().__init__(config, config.decoder_attention_heads)
        self.layer = layer


class CausalSelfAttention(DecoderAttention):
    """Each target token sees itself and those before it."""

    def forward(
        self,
        hidden: Tensor,
        mask: Tensor | None,
        cache: EncoderDecoderCache | None,
        weights: Weights | None = None,
    ) -> Tensor:
        """Attend, `[b·k, t, D]` to the same; without a mask everything cached is seen."""
        query, key, value = self.project_heads(hidden, hidden)
        if cache is not None:
            key, value = cache.self_attention_cache.update(key, value, self.layer)
        causal = mask is None and query.shape[2] > 1
        read = self.attend(query, key, with_identity(value, weights), mask, causal=causal)
        if weights is not None:
            read = weights.take(read)
        return project(self.out_proj, merge_heads(read))


class CrossAttention(DecoderAttention):
    """Target tokens read the source; all rows of a source read one copy of its keys and values.

    The k rows of a source are adjacent, so they fold into the query axis:
    `[b·k, t]` rows become `[b, k·t]` queries, and keys and values are never repeated.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int, pattern: CrossPattern) -> None:
        super().__init__(config, layer)
        self.mixtures: SourceMixtures | None = None
        if isinstance(pattern, LinformerCross):
            self.mixtures = SourceMixtures(config.max_source_positions, pattern.projected)

    def forward(
        self,
        hidden: Tensor,
        source: FoldedSource | None,
        mask: Tensor | None,
        cache: object,
        sections: FoldedSource | None = None,
        bias: Tensor | None = None,
        kept: Weights | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend, `[b·k, t, D]` to the same.

        Args:
            hidden: Target states.
            source: The folded source; None if the cache holds its keys and values.
            mask: Boolean `[b, h or 1, 1, l or 1]`, or None if all is seen.
            cache: The decoder's cache, or None.
            sections: The source's one-hot sections, folded like its states, `[b, s, l, S]`; for the
                layer that reports how much it reads of each, and for the one with biases.
            bias: Bias of each section, `[b, h or 1, k·t, S]`, for the latter.
            kept: Collects the weights; None to collect none.

        Returns:
            New states, and with sections but no bias the result of `section_weights`,
            `[b, h, k·t, S]`.

        Raises:
            LongsumError: The rows cannot be divided among the sources.
        """
        key, value = self._source(source, cache)
        rows, tokens, _ = hidden.shape
        sources = key.shape[0]
        if rows % sources:
            raise LongsumError(
                f"{rows} target rows cannot be divided among {sources} sources; give each source "
                "the same number of rows."
            )
        # [b·k, t, D] → [b, k·t, D] → [b, h, k·t, d]
        query = self.queries(hidden).reshape(sources, -1, hidden.shape[-1])
        query = split_heads(query, self.heads)
        shares, weights = self._shares(sections), None
        value = with_identity(value, kept)
        if shares is not None and bias is not None:
            dropout = self.dropout if self.training else 0.0
            heads = section_biased_attention(query, key, value, mask, bias, shares, dropout)
        else:
            heads = self.attend(query, key, value, mask)
            if shares is not None:
                weights = section_weights(query, key, mask, shares)
        if kept is not None:
            heads = kept.take(heads)
        return project(self.out_proj, merge_heads(heads)).reshape(rows, tokens, -1), weights

    def _shares(self, sections: FoldedSource | None) -> Tensor | None:
        """Return the share of each section in each key, `[b, s, l, S]`; mixtures mix the shares."""
        if sections is not None and self.mixtures is not None:
            sections = self.mixtures(sections)
        return None if sections is None else sections.hidden

    def _source(self, source: FoldedSource | None, cache: object) -> tuple[Tensor, Tensor]:
        """Return keys and values of the source, `[b, h, l, d]` each, projected once per source."""
        if source is None:
            assert isinstance(cache, EncoderDecoderCache)
            cached = cache.cross_attention_cache.layers[self.layer]
            assert isinstance(cached, CacheLayerMixin)
            assert cached.keys is not None
            assert cached.values is not None
            return cached.keys, cached.values
        if self.mixtures is not None:
            source = self.mixtures(source)
        key = source.project(self.k_proj, self.heads)
        value = source.project(self.v_proj, self.heads)
        if isinstance(cache, EncoderDecoderCache):
            key, value = cache.cross_attention_cache.update(key, value, self.layer)
            cache.is_updated[self.layer] = True
        return key, value


class SectionAttention(CrossAttention):
    """Target tokens read the states of sections, every head all of them (HierEnc).

    Its keys and values are in the cache, after those of the source, for all layers.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int, start: Start) -> None:
        super().__init__(config, config.decoder_layers + layer, full_cross())
        self.start = start
        if start == "zeros":
            self.out_proj = linear_of_zeros(config.d_model, config.d_model)
