"""A layer of the encoder: projections around one of the attentions, and a feed-forward network."""

from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import (
    EncoderAttentionConfig,
    build_encoder_attention,
)
from longsum.models.attention.biases.bias import ScoreBias
from longsum.models.attention.biases.relative import TokenDistance, TransientTokens, block_sums
from longsum.models.attention.biases.section_bias import (
    BiasTable,
    EncoderBias,
    EncoderBiasConfig,
    Labels,
)
from longsum.models.attention.linear_layers import (
    is_plain,
    merge_heads,
    project,
    split_heads,
)
from longsum.models.attention.patterns import ChosenTokens, dense_grid
from longsum.models.attention.softmax import real_lengths
from longsum.models.attention.weights import Weights, with_identity
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.decoder_attention import Projections
from longsum.models.networks.seq2seq.seq2seq_layers import TransformerLayer, norm


class GlobalQueries(nn.Module):
    """Attention of the global tokens, with their own projections (Longformer, §3.1).

    There are few queries, so the key projection is applied to them instead of to the source:
    q · (W x) = (Wᵀ q) · x, and the value projection comes after the average. That costs
    2 · h · g · n · D instead of 2 · n · D² operations. Only the weights of plain layers can be
    split like this; others (see `is_plain`) are called with the whole source, at the full cost. A
    bias of the keys would shift all scores of a query equally, so there is none.
    """

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(size, size)
        self.k_proj = nn.Linear(size, size, bias=False)
        self.v_proj = nn.Linear(size, size)

    def forward(
        self,
        hidden: Tensor,
        own: Tensor,
        real: Tensor | None,
        bias: ScoreBias | None = None,
        dropout: float = 0.0,
        weights: Weights | None = None,
    ) -> Tensor:
        """Let the global tokens read the source: `[b, h, g, d]`, before the output projection.

        The states are `[b, n, D]`, `real` is `[b, n]` or None, and `own` are the states of the
        global tokens, `[b, g, D]`; with a bias, these are the first tokens. Requested weights are
        appended to the result.
        """
        query = split_heads(project(self.q_proj, own), self.heads)
        mask = None if real is None else real[:, None, None, :].expand(-1, *query.shape[1:3], -1)
        if bias is not None:
            mask = _bias_and_mask(bias, query, hidden.shape[1], real)
        if not (is_plain(self.k_proj) and is_plain(self.v_proj)):
            key = split_heads(project(self.k_proj, hidden), self.heads)
            value = with_identity(split_heads(project(self.v_proj, hidden), self.heads), weights)
            attend = nn.functional.scaled_dot_product_attention
            return attend(query, key, value, attn_mask=mask, dropout_p=dropout)
        keys = self.k_proj.weight.unflatten(0, (self.heads, -1))
        values = self.v_proj.weight.unflatten(0, (self.heads, -1))
        read = nn.functional.scaled_dot_product_attention(
            (query @ keys).flatten(1, 2)[:, None],
            hidden[:, None],
            with_identity(hidden[:, None], weights),
            attn_mask=None if mask is None else mask.flatten(1, 2)[:, None],
            dropout_p=dropout,
            scale=query.shape[-1] ** -0.5,
        )
        read = read.squeeze(1).unflatten(1, (self.heads, -1))
        states = read[..., : hidden.shape[-1]] @ values.transpose(-1, -2)
        states = states + self.v_proj.bias.view(self.heads, 1, -1)
        return states if weights is None else torch.cat([states, weights.of(read)], dim=-1)


def _bias_and_mask(bias: ScoreBias, query: Tensor, tokens: int, real: Tensor | None) -> Tensor:
    """Return the bias of the first queries for all tokens, and −∞ for padding, `[b, h, g, n]`."""
    batch, heads, count, _ = query.shape
    grid = dense_grid(tokens, heads, real_lengths(real, batch, tokens, query.device))
    values = bias.value(replace(grid, query=grid.query[:count]), bias.learned)
    values = values.to(query.dtype).expand(batch, -1, -1, -1)
    return values if real is None else values.masked_fill(~real[:, None, None], -torch.inf)


class SelfAttention(Projections):
    """Query, key, value and output projections around an encoder attention."""

    def __init__(
        self,
        config: LongsumSeq2SeqConfig,
        settings: EncoderAttentionConfig,
        biases: EncoderBiasConfig | None,
    ) -> None:
        super().__init__(config, config.encoder_attention_heads)
        self.attention = build_encoder_attention(
            settings,
            heads=self.heads,
            head_dim=config.d_model // self.heads,
            tokens=config.max_source_positions,
        )
        self.attention.dropout = config.attention_dropout
        self.execution = settings.execution
        self.follow(config._attn_implementation)
        self.global_tokens = settings.global_tokens
        separate = config.global_projections and settings.global_tokens > 0
        self.without_projections = config.global_projections and not separate
        self.global_queries = GlobalQueries(config.d_model, self.heads) if separate else None
        self.bias: EncoderBias | None = None
        if biases is not None:
            self.bias = EncoderBias(biases, self.heads, settings.global_tokens, config.init_std)
        self.transient = settings.transient_block
        self.transient_bias: BiasTable | None = None
        if self.transient:
            self.transient_layer_norm = norm(config)
            if biases is not None:
                labels = 2 * biases.token_reach + 1
                self.transient_bias = BiasTable(labels, self.heads, biases.start, config.init_std)

    def follow(self, implementation: str | None) -> None:
        """Compute by the definition if `eager` is requested, else as the settings say."""
        self.attention.execution = "reference" if implementation == "eager" else self.execution

    def forward(
        self,
        hidden: Tensor,
        real: Tensor | None,
        labels: Labels | None = None,
        chosen: ChosenTokens | None = None,
        weights: Weights | None = None,
    ) -> Tensor:
        """Attend, `[b, n, D]`.

        Args:
            hidden: `[b, n, D]`.
            real: Boolean `[b, n]`, or None.
            labels: The sections' labels, if the biases need them.
            chosen: The global tokens, if the settings do not determine them; there are no biases
                then.
            weights: Receives the weights; None if they are not requested.

        Raises:
            LongsumError: The attention has no global tokens.
        """
        read = self._read_transient if self.transient else self._read
        if chosen is not None:
            read = partial(self._read_chosen, chosen)
        heads = read(hidden, real, labels, weights)
        if weights is not None:
            if self.global_queries is not None:
                weights.value = None
            heads = weights.take(heads)
        return project(self.out_proj, merge_heads(heads))

    def _read(
        self, hidden: Tensor, real: Tensor | None, labels: Labels | None, weights: Weights | None
    ) -> Tensor:
        """Return the output of the heads, `[b, h, n, d]`, with requested weights appended."""
        query, key, value = self.project_heads(hidden, hidden)
        bias = None if self.bias is None else self.bias(labels)
        heads: Tensor = self.attention(query, key, with_identity(value, weights), real, bias)
        if self.global_queries is not None:
            dropout = self.attention.dropout if self.training else 0.0
            own = hidden[:, : self.global_tokens]
            rows = self.global_queries(hidden, own, real, bias, dropout, weights)
            heads = torch.cat([rows, heads[:, :, rows.shape[2] :]], dim=2)
        return heads

    def _read_transient(
        self, hidden: Tensor, real: Tensor | None, labels: Labels | None, _weights: Weights | None
    ) -> Tensor:
        """Do as `_read`, with the sums of blocks before the source."""
        sums, nonempty = block_sums(hidden, real, self.transient)
        count = sums.shape[1]
        if real is not None and nonempty is not None:
            real = torch.cat([nonempty, real], dim=1)
        memory = torch.cat([self.transient_layer_norm(sums), hidden], dim=1)
        query, key, value = self.project_heads(hidden, memory)
        # The sums need no queries: these are padding, and their rows are cut off.
        query = nn.functional.pad(query, (0, 0, count, 0))
        bias = None if self.bias is None else self.bias(labels)
        if isinstance(bias, TokenDistance):
            bias = replace(bias, plain=count)
        table = None if self.transient_bias is None else self.transient_bias()
        tokens = TransientTokens(count, self.transient, table)
        heads: Tensor = self.attention(query, key, value, real, bias, chosen=tokens)
        return heads[:, :, count:]

    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def _read_chosen(
        self,
        chosen: ChosenTokens,
        hidden: Tensor,
        real: Tensor | None,
        _labels: Labels | None,
        weights: Weights | None,
    ) -> Tensor:
        """Do as `_read`, with chosen tokens that see all tokens and are seen by all."""
        if self.transient:
            raise LongsumError(
                "Transient tokens and a global_attention_mask are not read together; leave the "
                "mask out."
            )
        if self.without_projections:
            raise LongsumError(
                "This model was made without global tokens, whose projections a global_attention_"
                "mask needs; give its encoder_attention global_tokens of 1."
            )
        query, key, value = self.project_heads(hidden, hidden)
        value = with_identity(value, weights)
        heads: Tensor = self.attention(query, key, value, real, chosen=chosen)
        places = chosen.places
        if not places.shape[1]:
            return heads
        own = hidden.gather(1, places[..., None].expand(-1, -1, hidden.shape[-1]))
        dropout = self.attention.dropout if self.training else 0.0
        if self.global_queries is not None:
            rows = self.global_queries(hidden, own, real, None, dropout, weights)
        else:
            query = split_heads(self.queries(own), self.heads)
            mask = None if real is None else real[:, None, None, :]
            attend = nn.functional.scaled_dot_product_attention
            rows = attend(query, key, value, attn_mask=mask, dropout_p=dropout)
        index = places[:, None, :, None].expand(-1, self.heads, -1, heads.shape[-1])
        is_chosen = chosen.chosen.gather(1, places)[:, None, :, None]
        return heads.scatter(2, index, rows.where(is_chosen, heads.gather(2, index)))


class EncoderLayer(TransformerLayer):
    """Self-attention and a feed-forward network.

    Args:
        config: The model's settings.
        settings: Settings of the attention.
        biases: Settings of the biases of its scores.
        leads: Whether the input begins with the leading tokens of the settings.
    """

    def __init__(
        self,
        config: LongsumSeq2SeqConfig,
        settings: EncoderAttentionConfig,
        biases: EncoderBiasConfig | None,
        leads: bool = False,
    ) -> None:
        super().__init__(config, config.encoder_ffn_dim)
        self.self_attn = SelfAttention(config, settings, biases)
        self.self_attn_layer_norm = norm(config)
        self.leads = config.leading_tokens if leads else 0
        if self.leads:
            self.leading_layer_norm = norm(config)

    def forward(self, hidden: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return new states, `[b, n, D]`; see `SelfAttention.forward`."""
        return self.feed_forward(self.attend(hidden, *args, **kwargs))

    def attend(self, hidden: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Apply the self-attention's sub-layer."""
        return self.residual(
            hidden,
            self._normalize if self.leads else self.self_attn_layer_norm,
            lambda states: self.self_attn(states, *args, **kwargs),
        )

    def _normalize(self, hidden: Tensor) -> Tensor:
        """Normalise the leading tokens by their own norm, and the rest by that of the layer."""
        leading, rest = hidden[:, : self.leads], hidden[:, self.leads :]
        return torch.cat([self.leading_layer_norm(leading), self.self_attn_layer_norm(rest)], dim=1)
