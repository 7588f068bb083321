"""The decoder: causal self-attention with a cache, and cross-attention to a folded source."""

from dataclasses import replace

import torch
from torch import Tensor, nn
from transformers.cache_utils import CacheLayerMixin, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

from longsum.attention.cross import CrossPattern, FoldedSource, LinformerCross, SourceMixtures
from longsum.errors import LongsumError
from longsum.models.blocks import Linear, merge_heads, split_heads
from longsum.models.seq2seq.cache import new_cache
from longsum.models.seq2seq.configuration import LongsumSeq2SeqConfig
from longsum.models.seq2seq.layers import ScaledEmbedding, TransformerLayer, build_positions
from longsum.models.seq2seq.padding import real_tokens
from longsum.models.seq2seq.pretrained import LongsumPreTrainedModel, check_inputs

_FEW = 16
"""Queries up to which two products are no slower than fused attention (8,192 keys, two cores)."""


class DecoderAttention(nn.Module):
    """Projections that both attentions of a decoder layer have."""

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int) -> None:
        super().__init__()
        self.layer = layer
        self.heads = config.decoder_attention_heads
        self.dropout = config.attention_dropout
        self.q_proj = Linear(config.d_model, config.d_model)
        self.k_proj = Linear(config.d_model, config.d_model)
        self.v_proj = Linear(config.d_model, config.d_model)
        self.out_proj = Linear(config.d_model, config.d_model)

    def attend(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, causal: bool = False
    ) -> Tensor:
        """Attend; all `[b, h, …, d]`, the mask boolean, True where a query may see a key."""
        alone = not (causal or self.training or torch.is_grad_enabled())
        if alone and mask is None and query.device.type == "cpu" and query.shape[2] <= _FEW:
            # Few queries on many keys: PyTorch's fused attention takes twice as long in bf16 here.
            scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
            return torch.softmax(scores, dim=-1) @ value
        return nn.functional.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0,
            is_causal=causal,
        )


class CausalSelfAttention(DecoderAttention):
    """Each target token sees itself and those before it."""

    def forward(
        self, hidden: Tensor, mask: Tensor | None, cache: EncoderDecoderCache | None
    ) -> Tensor:
        """Attend, `[b·k, t, D]` to the same; without a mask all that is cached is seen."""
        query, key, value = (
            split_heads(project(hidden), self.heads)
            for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        if cache is not None:
            key, value = cache.self_attention_cache.update(key, value, self.layer)
        causal = mask is None and query.shape[2] > 1
        found: Tensor = self.out_proj(
            merge_heads(self.attend(query, key, value, mask, causal=causal))
        )
        return found


class CrossAttention(DecoderAttention):
    """Target tokens read the source; all rows of a source read one copy of its keys and values.

    The k rows of a source stand next to each other, so they fold into the query axis:
    `[b·k, t]` rows become `[b, k·t]` queries, and keys and values are never repeated.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int) -> None:
        super().__init__(config, layer)
        pattern = config.cross_pattern()
        self.mixtures: SourceMixtures | None = None
        if isinstance(pattern, LinformerCross):
            self.mixtures = SourceMixtures(config.max_source_positions, pattern.projected)

    def forward(
        self, hidden: Tensor, source: FoldedSource | None, mask: Tensor | None, cache: object
    ) -> Tensor:
        """Attend, `[b·k, t, D]` to the same.

        Args:
            hidden: Target states.
            source: The folded source; None where the cache holds its keys and values.
            mask: Boolean `[b, h or 1, 1, l or 1]`, or None where all is seen.
            cache: The decoder's cache, or None.

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
        query = split_heads(self.q_proj(hidden).reshape(sources, -1, hidden.shape[-1]), self.heads)
        found = merge_heads(self.attend(query, key, value, mask))
        result: Tensor = self.out_proj(found).reshape(rows, tokens, -1)
        return result

    def _source(self, source: FoldedSource | None, cache: object) -> tuple[Tensor, Tensor]:
        """Return keys and values of the source, `[b, h, l, d]` each, projected once a source."""
        if source is None:
            assert isinstance(cache, EncoderDecoderCache)
            held = cache.cross_attention_cache.layers[self.layer]
            assert isinstance(held, CacheLayerMixin)
            assert held.keys is not None
            assert held.values is not None
            return held.keys, held.values
        if self.mixtures is not None:
            source = self.mixtures(source)
        key = source.project(self.k_proj.weight, self.k_proj.bias, self.heads)
        value = source.project(self.v_proj.weight, self.v_proj.bias, self.heads)
        if isinstance(cache, EncoderDecoderCache):
            key, value = cache.cross_attention_cache.update(key, value, self.layer)
            cache.is_updated[self.layer] = True
        return key, value


class DecoderLayer(TransformerLayer):
    """Self-attention, cross-attention and a feed-forward network."""

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int) -> None:
        super().__init__(config, config.decoder_ffn_dim)
        self.self_attn = CausalSelfAttention(config, layer)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.encoder_attn = CrossAttention(config, layer)
        self.encoder_attn_layer_norm = nn.LayerNorm(config.d_model)

    def forward(
        self,
        hidden: Tensor,
        source_states: Tensor | None,
        self_mask: Tensor | None,
        source: FoldedSource | None,
        source_mask: Tensor | None,
        past_key_values: EncoderDecoderCache | None = None,
    ) -> Tensor:
        """Return new states, `[b·k, t, D]`.

        Args:
            hidden: Target states.
            source_states: The states of `source` again: re-entrant checkpointing carries gradients
                to tensors among the arguments alone.
            self_mask: As of `CausalSelfAttention.forward`.
            source: As of `CrossAttention.forward`.
            source_mask: As of `CrossAttention.forward`.
            past_key_values: The decoder's cache, or None.
        """
        cache = past_key_values
        if source is not None and source_states is not None:
            source = replace(source, hidden=source_states)
        hidden = self.residual(
            hidden,
            self.self_attn_layer_norm,
            lambda states: self.self_attn(states, self_mask, cache),
        )
        hidden = self.residual(
            hidden,
            self.encoder_attn_layer_norm,
            lambda states: self.encoder_attn(states, source, source_mask, cache),
        )
        return self.feed_forward(hidden)


class LongsumDecoder(LongsumPreTrainedModel):
    """Target ids and encoder states to target states."""

    def __init__(self, config: LongsumSeq2SeqConfig) -> None:
        super().__init__(config)
        self.embed_tokens: nn.Module = ScaledEmbedding(config)
        self.embed_positions = build_positions(config, config.max_target_positions)
        self.layernorm_embedding = (
            nn.LayerNorm(config.d_model) if config.normalize_embedding else nn.Identity()
        )
        self.layers = nn.ModuleList(
            DecoderLayer(config, number) for number in range(config.decoder_layers)
        )
        self.layer_norm = (
            nn.LayerNorm(config.d_model) if config.final_layer_norms else nn.Identity()
        )
        self.cross_pattern = config.cross_pattern()
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        encoder_attention_mask: Tensor | None = None,
        past_key_values: EncoderDecoderCache | None = None,
        inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
    ) -> BaseModelOutputWithPastAndCrossAttentions:
        """Decode.

        Args:
            input_ids: New target tokens `[b·k, t]`; this or `inputs_embeds`.
            attention_mask: `[b·k, cached + t]`, 0 for target padding; or what each new token sees,
                boolean `[b·k, 1, t, keys]`.
            encoder_hidden_states: `[b, n, D]`: one row a source, for all its k target rows.
            encoder_attention_mask: `[b, n]`, 1 for source tokens, 0 for padding on either side.
            past_key_values: Cache of earlier tokens, or None.
            inputs_embeds: `[b·k, t, D]`, already scaled.
            use_cache: Whether to make a cache where none is given.
            output_hidden_states: Whether to return the states of every layer.
            output_attentions: Not supported.

        Raises:
            LongsumError: The source is missing, the target is longer than the learned positions, or
                what `LongsumEncoder.forward` raises.
        """
        check_inputs(input_ids, inputs_embeds, output_attentions)
        if encoder_hidden_states is None:
            raise LongsumError("The decoder reads a source; give encoder_hidden_states.")
        use_cache = self.config.use_cache if use_cache is None else use_cache
        if self.training and any(layer.gradient_checkpointing for layer in self.layers):
            use_cache, past_key_values = False, None
        cache = new_cache() if use_cache and past_key_values is None else past_key_values

        hidden = self.embed_tokens(input_ids) if inputs_embeds is None else inputs_embeds
        past = int(cache.get_seq_length()) if cache is not None else 0
        positions = self.embed_positions(past, hidden.shape[1]).to(hidden)
        hidden = self.layernorm_embedding(hidden + positions)
        hidden = nn.functional.dropout(hidden, self.config.dropout, self.training)

        held = cache is not None and bool(cache.is_updated.get(0))
        source, source_mask = _fold(
            self.cross_pattern,
            encoder_hidden_states,
            real_tokens(encoder_attention_mask),
            heads=self.config.decoder_attention_heads,
            held=held,
        )
        self_mask = _causal_mask(hidden, past, attention_mask, cache)
        source_states = None if source is None else source.hidden
        states = [hidden]
        for layer in self.layers:
            states.append(
                layer(
                    states[-1],
                    source_states,
                    self_mask,
                    source,
                    source_mask,
                    past_key_values=cache,
                )
            )
        states[-1] = self.layer_norm(states[-1])
        return BaseModelOutputWithPastAndCrossAttentions(
            last_hidden_state=states[-1],
            past_key_values=cache,
            hidden_states=tuple(states) if self.wants_hidden_states(output_hidden_states) else None,
        )


def _fold(
    pattern: CrossPattern, hidden: Tensor, real: Tensor | None, *, heads: int, held: bool
) -> tuple[FoldedSource | None, Tensor | None]:
    """Fold the source once for all layers; of a source that the cache holds, only the mask."""
    whole = real is None and hidden.shape[1] % pattern.groups == 0
    if held:
        # States without features: the fold then lays out nothing but the mask.
        return None, None if whole else pattern.mask(pattern.fold(hidden[..., :0], real), heads)
    source = pattern.fold(hidden, real)
    return source, None if whole else pattern.mask(source, heads)


def _causal_mask(
    hidden: Tensor, past: int, attention_mask: Tensor | None, cache: EncoderDecoderCache | None
) -> Tensor | None:
    """Return which cached and new tokens each new token sees, `[b·k or 1, 1, t, keys]`.

    None where it is all that is there, or plainly the tokens before (`is_causal`). For a static
    cache `generate` brings a mask of this form itself.
    """
    if attention_mask is not None and attention_mask.dim() == 4:
        return attention_mask
    tokens, keys = hidden.shape[1], past + hidden.shape[1]
    if cache is not None:
        # A static cache has all its places from the start.
        keys = int(cache.get_mask_sizes(tokens, 0)[0])
    if attention_mask is not None and bool(attention_mask.all()):
        attention_mask = None
    if attention_mask is None and keys == past + tokens and (past == 0 or tokens == 1):
        return None
    places = torch.arange(keys, device=hidden.device)
    queries = torch.arange(past, past + tokens, device=hidden.device)
    visible = (places <= queries[:, None])[None, None]
    if attention_mask is None:
        return visible
    missing = keys - attention_mask.shape[1]
    real = nn.functional.pad(attention_mask.bool(), (0, missing), value=True)
    return visible & real[:, None, None, :]
