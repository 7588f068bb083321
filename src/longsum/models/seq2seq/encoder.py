"""The encoder: projections around the attentions of `longsum.attention`, layer upon layer."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from transformers.modeling_outputs import BaseModelOutput

from longsum.attention.bias import ScoreBias
from longsum.attention.patterns.pattern import dense_grid
from longsum.attention.reference import real_lengths
from longsum.attention.section_bias import EncoderBias, EncoderBiasConfig, Labels
from longsum.attention.sections import SectionTree
from longsum.attention.settings import EncoderAttentionConfig, build_encoder_attention
from longsum.models.blocks import Linear, merge_heads, split_heads
from longsum.models.seq2seq.configuration import LongsumSeq2SeqConfig
from longsum.models.seq2seq.layers import ScaledEmbedding, TransformerLayer, build_positions
from longsum.models.seq2seq.padding import first_real, real_tokens, rotate
from longsum.models.seq2seq.pretrained import LongsumPreTrainedModel, check_inputs, returns_tuple
from longsum.models.seq2seq.sections import section_tree


class GlobalQueries(nn.Module):
    """Rows of the global tokens through projections of their own (Longformer, §3.1).

    The queries are few, so they are carried through the key projection instead of the source
    through it: q · (W x) = (Wᵀ q) · x, and the value projection comes after the average. That
    costs 2 · h · g · n · D instead of 2 · n · D² operations. A bias of the keys would move all
    scores of a query alike, so there is none.
    """

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q_proj = Linear(size, size)
        self.k_proj = Linear(size, size, bias=False)
        self.v_proj = Linear(size, size)

    def forward(
        self, hidden: Tensor, count: int, real: Tensor | None, bias: ScoreBias | None = None
    ) -> Tensor:
        """Let the first `count` tokens read the whole source.

        Args:
            hidden: `[b, n, D]`.
            count: Number of global tokens, g.
            real: Boolean `[b, n]`, or None.
            bias: What is added to the scores.

        Returns:
            `[b, g, D]`, before the output projection.
        """
        query = split_heads(self.q_proj(hidden[:, :count]), self.heads)
        keys = self.k_proj.weight.unflatten(0, (self.heads, -1))
        values = self.v_proj.weight.unflatten(0, (self.heads, -1))
        mask = None if real is None else real[:, None, None, :]
        if bias is not None:
            mask = _added(bias, query, hidden.shape[1], real)
        read = nn.functional.scaled_dot_product_attention(
            (query @ keys).flatten(1, 2)[:, None],
            hidden[:, None],
            hidden[:, None],
            attn_mask=mask,
            scale=query.shape[-1] ** -0.5,
        )
        read = read.squeeze(1).unflatten(1, (self.heads, -1))
        return merge_heads(read @ values.transpose(-1, -2)) + self.v_proj.bias


def _added(bias: ScoreBias, query: Tensor, tokens: int, real: Tensor | None) -> Tensor:
    """Return the bias of the first queries for all tokens, and −∞ for padding, `[b, 1, h·g, n]`."""
    batch, heads, count, _ = query.shape
    grid = dense_grid(tokens, heads, real_lengths(real, batch, tokens, query.device))
    added = bias.value(replace(grid, query=grid.query[:count]), bias.learned)
    added = added.to(query.dtype).expand(batch, -1, -1, -1).flatten(1, 2)[:, None]
    return added if real is None else added.masked_fill(~real[:, None, None], -torch.inf)


class SelfAttention(nn.Module):
    """Query, key, value and output projections around an encoder attention."""

    def __init__(
        self,
        config: LongsumSeq2SeqConfig,
        settings: EncoderAttentionConfig,
        biases: EncoderBiasConfig | None,
    ) -> None:
        super().__init__()
        self.heads = config.encoder_attention_heads
        self.q_proj = Linear(config.d_model, config.d_model)
        self.k_proj = Linear(config.d_model, config.d_model)
        self.v_proj = Linear(config.d_model, config.d_model)
        self.out_proj = Linear(config.d_model, config.d_model)
        self.attention = build_encoder_attention(
            settings,
            heads=self.heads,
            head_dim=config.d_model // self.heads,
            tokens=config.max_source_positions,
        )
        self.global_tokens = settings.global_tokens
        separate = config.global_projections and settings.global_tokens > 0
        self.global_queries = GlobalQueries(config.d_model, self.heads) if separate else None
        self.bias: EncoderBias | None = None
        if biases is not None:
            self.bias = EncoderBias(biases, self.heads, settings.global_tokens, config.init_std)

    def forward(self, hidden: Tensor, real: Tensor | None, labels: Labels | None = None) -> Tensor:
        """Attend.

        Args:
            hidden: `[b, n, D]`.
            real: Boolean `[b, n]`, or None.
            labels: The sections' labels, where the biases ask for them.

        Returns:
            `[b, n, D]`.
        """
        query, key, value = (
            split_heads(project(hidden), self.heads)
            for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        bias = None if self.bias is None else self.bias(labels)
        found = merge_heads(self.attention(query, key, value, real, bias))
        if self.global_queries is not None:
            rows = self.global_queries(hidden, self.global_tokens, real, bias)
            found = torch.cat([rows, found[:, rows.shape[1] :]], dim=1)
        result: Tensor = self.out_proj(found)
        return result


class EncoderLayer(TransformerLayer):
    """Self-attention and a feed-forward network."""

    def __init__(
        self,
        config: LongsumSeq2SeqConfig,
        settings: EncoderAttentionConfig,
        biases: EncoderBiasConfig | None,
    ) -> None:
        super().__init__(config, config.encoder_ffn_dim)
        self.self_attn = SelfAttention(config, settings, biases)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)

    def forward(self, hidden: Tensor, real: Tensor | None, labels: Labels | None = None) -> Tensor:
        """Return new states, `[b, n, D]`; see `SelfAttention.forward`."""
        hidden = self.residual(
            hidden, self.self_attn_layer_norm, lambda states: self.self_attn(states, real, labels)
        )
        return self.feed_forward(hidden)


class LongsumEncoder(LongsumPreTrainedModel):
    """Token ids to states.

    Positions, patterns and global tokens count from each row's first real token, so that padding
    changes nothing on either side. (BART in `transformers` counts from the start of the padded row,
    and gives other states when a row is padded on the left.)
    """

    def __init__(self, config: LongsumSeq2SeqConfig) -> None:
        super().__init__(config)
        self.embed_tokens: nn.Module = ScaledEmbedding(config)
        self.embed_positions = build_positions(config, config.max_source_positions)
        self.layernorm_embedding = (
            nn.LayerNorm(config.d_model) if config.normalize_embedding else nn.Identity()
        )
        self.biases = config.encoder_biases()
        self.layers = nn.ModuleList(
            EncoderLayer(config, settings, self.biases) for settings in config.encoder_attentions()
        )
        self.layer_norm = (
            nn.LayerNorm(config.d_model) if config.final_layer_norms else nn.Identity()
        )
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        return_dict: bool | None = None,
        section_of: Tensor | None = None,
        section_parents: Tensor | None = None,
    ) -> BaseModelOutput | tuple[Any, ...]:
        """Encode.

        Args:
            input_ids: `[b, n]`; this or `inputs_embeds`.
            attention_mask: `[b, n]`, 1 for tokens, 0 for padding on either side.
            inputs_embeds: `[b, n, D]`, already scaled.
            output_hidden_states: Whether to return the states of every layer.
            output_attentions: Not supported.
            return_dict: False for a plain tuple.
            section_of: `[b, n]`, the section of each token, from 0 on in reading order; of padding
                it is not asked. Models need it whose settings say so (`reads_sections`), and others
                leave it.
            section_parents: `[b, S]`, the section above each: −1 for a section of the first level,
                −2 where a row has fewer sections than another.

        Raises:
            LongsumError: The source is longer than the learned positions, the mask has holes,
                attention weights are asked for, or the sections are missing or do not fit.
        """
        check_inputs(input_ids, inputs_embeds, output_attentions)
        hidden = self.embed_tokens(input_ids) if inputs_embeds is None else inputs_embeds
        real = real_tokens(attention_mask)
        keep = self.wants_hidden_states(output_hidden_states)
        tree: SectionTree | None = None
        if self.biases is not None and self.biases.by_sections:
            tree = section_tree(section_of, section_parents, real, hidden.shape)
        shift = None if real is None else first_real(real)
        if shift is None or real is None or not bool(shift.any()):
            states = self._encode(hidden, real, keep, tree)
        else:
            if tree is not None:
                tree = replace(tree, section_of=rotate(tree.section_of, shift))
            aligned = self._encode(rotate(hidden, shift), rotate(real, shift), keep, tree)
            states = [rotate(each, -shift) for each in aligned]
        output = BaseModelOutput(
            last_hidden_state=states[-1],
            hidden_states=tuple(states) if keep else None,
        )
        return tuple(output.to_tuple()) if returns_tuple(self.config, return_dict) else output

    def _encode(
        self, hidden: Tensor, real: Tensor | None, keep: bool, tree: SectionTree | None
    ) -> list[Tensor]:
        """Return the last states, behind those before each layer if they are to be kept."""
        longest = hidden.shape[1] if real is None else int(real.sum(dim=1).amax())
        positions = self.embed_positions(0, longest).to(hidden)
        # Padding beyond the longest row needs no positions, and so cannot exceed their table.
        positions = nn.functional.pad(positions, (0, 0, 0, hidden.shape[1] - longest))
        hidden = self.layernorm_embedding(hidden + positions)
        hidden = nn.functional.dropout(hidden, self.config.dropout, self.training)
        labels = self.biases.labels(tree) if self.biases is not None and tree is not None else None
        states = []
        for layer in self.layers:
            if keep:
                states.append(hidden)
            hidden = layer(hidden, real, labels)
        return [*states, self.layer_norm(hidden)]
