"""The decoder: causal self-attention with a cache, and cross-attention to a folded source.

If it attends to sections too, they are encoded here.
"""

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling
from transformers.cache_utils import EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import EncoderAttentionConfig
from longsum.models.attention.biases.section_bias import BiasTable
from longsum.models.attention.biases.section_cross_bias import DecoderBias, fold_sections
from longsum.models.attention.biases.section_tree import SectionTree
from longsum.models.attention.cross import CrossPattern, FoldedSource, full_cross
from longsum.models.attention.weights import Weights
from longsum.models.networks.base import CACHE
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.decoder_attention import (
    CausalSelfAttention,
    CrossAttention,
    SectionAttention,
)
from longsum.models.networks.seq2seq.encoder_layer import EncoderLayer
from longsum.models.networks.seq2seq.part_settings import SectionEncoderConfig
from longsum.models.networks.seq2seq.pretrained_model import LongsumPreTrainedModel, check_inputs
from longsum.models.networks.seq2seq.sections import SectionMarks, section_marks, section_tree
from longsum.models.networks.seq2seq.seq2seq_layers import (
    ScaledEmbedding,
    TransformerLayer,
    build_positions,
    norm,
    optional_norm,
    real_tokens,
)
from longsum.models.networks.seq2seq.shared_source import new_cache


class SectionEncoder(nn.Module):
    """Maps states of tokens to states of sections.

    All sections that the model is given are included, also those outside the document (the start, a
    question, the end): the decoder may read a question there. The state of each section's first
    token goes through layers of full attention among sections; every layer of the decoder reads the
    result, after it has read the tokens (HierEnc of HIBRIDS, §5.2).

    For LED-large, a layer of 12.60 M weights and an attention of 4.20 M, each twelve times, are
    201.6 M on top of 459.8 M: 661.4 M, 44 % more. The paper has 662 M (43 %); embeddings of the
    sections' positions would fill the gap, but it mentions none, and the states of tokens include
    their positions.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, settings: SectionEncoderConfig) -> None:
        super().__init__()
        self.biases = settings.bias
        # There are few sections: a number for each pair costs less than avoiding it would.
        attention = EncoderAttentionConfig(execution="reference" if self.biases else "fast")
        self.layers = nn.ModuleList(
            EncoderLayer(config, attention, self.biases) for _ in range(settings.layers)
        )
        self.layer_norm = optional_norm(config, config.final_layer_norms)

    def forward(self, hidden: Tensor, tree: SectionTree, marks: SectionMarks) -> Tensor:
        """Encode the sections, `[b, S, D]`; the states of those without a token are meaningless.

        Args:
            hidden: The encoder's last states, `[b, n, D]`.
            tree: The sections.
            marks: The first token of each.
        """
        labels = None
        if self.biases is not None:
            # Each section is a token in its own section.
            order = torch.arange(tree.parents.shape[1], device=tree.parents.device)
            labels = self.biases.labels(SectionTree(order.expand_as(tree.parents), tree.parents))
        states = marks.states(hidden)
        for layer in self.layers:
            states = layer(states, marks.present, labels)
        encoded: Tensor = self.layer_norm(states)
        return encoded


class DecoderLayer(TransformerLayer):
    """Self-attention, cross-attention and a feed-forward network.

    With a section encoder there is a second cross-attention, to sections, after that to tokens.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int) -> None:
        super().__init__(config, config.decoder_ffn_dim)
        self.self_attn = CausalSelfAttention(config, layer)
        self.self_attn_layer_norm = norm(config)
        self.encoder_attn = CrossAttention(config, layer, config.cross_pattern())
        self.encoder_attn_layer_norm = norm(config)
        settings = config.section_encoder_settings()
        self.section_attn: SectionAttention | None = None
        if settings is not None:
            self.section_attn = SectionAttention(config, layer, settings.start)
            self.section_attn_layer_norm = norm(config)

    def forward(
        self,
        hidden: Tensor,
        source_states: Tensor | None,
        self_mask: Tensor | None,
        source: FoldedSource | None,
        source_mask: Tensor | None,
        sections: FoldedSource | None = None,
        section_bias: Tensor | None = None,
        section_states: Tensor | None = None,
        section_mask: Tensor | None = None,
        past_key_values: EncoderDecoderCache | None = None,
        attentions: tuple[Weights | None, Weights | None] = (None, None),
    ) -> tuple[Tensor, Tensor | None]:
        """Return new states, `[b·k, t, D]`, and the sections' part of `CrossAttention.forward`.

        Args:
            hidden: Target states.
            source_states: The states of `source` again: re-entrant checkpointing carries gradients
                only to tensors among the arguments.
            self_mask: As for `CausalSelfAttention.forward`.
            source: As for `CrossAttention.forward`.
            source_mask: As for `CrossAttention.forward`.
            sections: As for `CrossAttention.forward`.
            section_bias: As for `CrossAttention.forward`.
            section_states: The section encoder's output, `[b, S, D]`; None without one, or if the
                cache holds its keys and values.
            section_mask: Boolean `[b, 1, 1, S]`, False for sections without a token; or None.
            past_key_values: The decoder's cache, or None.
            attentions: Collect the weights among target tokens, and those to the source.
        """
        cache = past_key_values
        among, across = attentions
        weights: Tensor | None = None

        def read(states: Tensor) -> Tensor:
            nonlocal weights
            output: Tensor
            output, weights = self.encoder_attn(
                states, source, source_mask, cache, sections, section_bias, kept=across
            )
            return output

        if source is not None and source_states is not None:
            source = replace(source, hidden=source_states)
        hidden = self.residual(
            hidden,
            self.self_attn_layer_norm,
            lambda states: self.self_attn(states, self_mask, cache, among),
        )
        hidden = self.residual(hidden, self.encoder_attn_layer_norm, read)
        if (attention := self.section_attn) is not None:
            folded = None if section_states is None else full_cross().fold(section_states)
            hidden = self.residual(
                hidden,
                self.section_attn_layer_norm,
                lambda states: attention(states, folded, section_mask, cache)[0],
                # A norm of the sum would change states to which nothing is added.
                first=attention.start == "zeros",
            )
        return self.feed_forward(hidden), weights


class LongsumDecoder(LongsumPreTrainedModel):
    """Maps target ids and encoder states to target states."""

    def __init__(self, config: LongsumSeq2SeqConfig) -> None:
        super().__init__(config)
        self.embed_tokens: nn.Module = ScaledEmbedding(config)
        self.embed_positions = build_positions(config, config.max_target_positions)
        self.layernorm_embedding = optional_norm(config, config.normalize_embedding)
        self.layers = nn.ModuleList(
            DecoderLayer(config, number) for number in range(config.decoder_layers)
        )
        self.layer_norm = optional_norm(config, config.final_layer_norms)
        self.cross_pattern = config.cross_pattern()
        self.token_bias: BiasTable | None = None
        if reach := config.decoder_token_reach:
            heads = config.decoder_attention_heads
            self.token_bias = BiasTable(reach + 1, heads, "normal", config.init_std)
        biases = config.decoder_biases()
        self.section_bias = (
            None
            if biases is None
            else DecoderBias(biases, config.decoder_attention_heads, config.init_std)
        )
        sections = config.section_encoder_settings()
        # It is here because the decoder knows when its cache holds the results.
        self.section_encoder = None if sections is None else SectionEncoder(config, sections)
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
        section_of: Tensor | None = None,
        section_parents: Tensor | None = None,
    ) -> BaseModelOutputWithPastAndCrossAttentions:
        """Decode.

        Args:
            input_ids: New target tokens `[b·k, t]`; this or `inputs_embeds`.
            attention_mask: `[b·k, cached + t]`, 0 for target padding; or a mask of the keys that
                each new token sees, boolean `[b·k, 1, t, keys]`.
            encoder_hidden_states: `[b, n, D]`: one row per source, for all its k target rows.
            encoder_attention_mask: `[b, n]`, 1 for source tokens, 0 for padding on either side.
            past_key_values: Cache of earlier tokens, or None.
            inputs_embeds: `[b·k, t, D]`, already scaled.
            use_cache: Whether to make a cache if none is given.
            output_hidden_states: Whether to return the states of every layer.
            output_attentions: Whether to return the weights of every layer, among target tokens
                `[b·k, h, t, cached + t]` and to the source `[b·k, h, t, n]`, with zeros where a
                head does not read; only under `eager`.
            section_of: Section of each source token `[b, n]`; see `LongsumEncoder.forward`.
            section_parents: Section above each section `[b, S]`; see `LongsumEncoder.forward`.

        Raises:
            LongsumError: The source is missing, the target is longer than the learned positions,
                sections are missing or do not fit, or as for `LongsumEncoder.forward`.
        """
        check_inputs(input_ids, inputs_embeds)
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

        cached = cache is not None and bool(cache.is_updated.get(0))
        real = real_tokens(encoder_attention_mask)
        source, source_mask = _fold(
            self.cross_pattern,
            encoder_hidden_states,
            real,
            heads=self.config.decoder_attention_heads,
            cached=cached,
        )
        sections = _Sections()
        if self.section_bias is not None or self.section_encoder is not None:
            # Recomputed at each decoding step, like the mask: a few numbers per token, where keys
            # and values are thousands in each layer.
            tree = section_tree(section_of, section_parents, real, encoder_hidden_states.shape)
            sections = self._sections(tree, real, hidden, None if cached else encoder_hidden_states)
        self_mask = _causal_mask(hidden, past, attention_mask, cache)
        if self.token_bias is not None:
            keys = _keys(past, hidden.shape[1], cache)
            self_mask = _biased(self.token_bias(), self_mask, past, hidden, keys)
        among = across = None
        if self.wants_attentions(output_attentions):
            among, across = self._collectors(hidden, past, encoder_hidden_states, real, cache)
        kept = among, across
        states = self._decode(hidden, self_mask, source, source_mask, sections, cache, kept)
        output: dict[str, Any] = {
            "last_hidden_state": states[-1],
            CACHE: cache,
            "hidden_states": tuple(states)
            if self.wants_hidden_states(output_hidden_states)
            else None,
        }
        if among is not None and across is not None:
            output["attentions"] = tuple(among.found)
            output["cross_attentions"] = tuple(
                weights if len(weights) == len(hidden) else _by_rows(weights, hidden.shape[1])
                for weights in across.found
            )
        return BaseModelOutputWithPastAndCrossAttentions(**output)

    def _collectors(
        self,
        hidden: Tensor,
        past: int,
        encoded: Tensor,
        real: Tensor | None,
        cache: EncoderDecoderCache | None,
    ) -> tuple[Weights, Weights]:
        """Return collectors of the weights among target tokens, and of those to the source."""
        batch, tokens, _ = encoded.shape
        source = torch.eye(tokens, device=hidden.device).expand(batch, -1, -1)
        fold = self.cross_pattern.fold(source, real)
        folded = fold.hidden.masked_fill(~fold.seen[..., None], 0.0)
        heads = self.config.decoder_attention_heads // folded.shape[1]
        keys = _keys(past, hidden.shape[1], cache)
        target = torch.eye(keys, device=hidden.device)[None, None]
        return Weights(target), Weights(folded.repeat(1, heads, 1, 1))

    def _sections(
        self, tree: SectionTree, real: Tensor | None, hidden: Tensor, encoded: Tensor | None
    ) -> "_Sections":
        """Return the inputs about sections; no states if the cache holds the encoded ones."""
        folded = states = mask = None
        if self.section_bias is not None:
            folded = fold_sections(tree, self.cross_pattern, real, hidden)
        if self.section_encoder is not None:
            marks = section_marks(tree, real)
            mask = marks.present[:, None, None]
            states = None if encoded is None else self.section_encoder(encoded, tree, marks)
        return _Sections(tree, folded, states, mask)

    def _decode(
        self,
        hidden: Tensor,
        self_mask: Tensor | None,
        source: FoldedSource | None,
        source_mask: Tensor | None,
        sections: "_Sections",
        cache: EncoderDecoderCache | None,
        attentions: tuple[Weights | None, Weights | None],
    ) -> list[Tensor]:
        """Return the states before each layer, and the last."""
        source_states = None if source is None else source.hidden
        states = [hidden]
        bias = None
        for number, layer in enumerate(self.layers):
            # The last layer but one reports what it reads, which biases the last.
            at_end = number >= len(self.layers) - 2
            with self.attending():
                hidden, weights = layer(
                    states[-1],
                    source_states,
                    self_mask,
                    source,
                    source_mask,
                    sections.folded if at_end else None,
                    bias,
                    sections.states,
                    sections.mask,
                    past_key_values=cache,
                    attentions=attentions,
                )
            states.append(hidden)
            if self.section_bias is not None and weights is not None:
                bias = self.section_bias(weights, sections.tree)
        states[-1] = self.layer_norm(states[-1])
        return states


@dataclass(frozen=True, slots=True)
class _Sections:
    """The decoder's inputs about sections; None for parts that the model lacks."""

    tree: SectionTree | None = None
    folded: FoldedSource | None = None
    states: Tensor | None = None
    mask: Tensor | None = None


def _fold(
    pattern: CrossPattern, hidden: Tensor, real: Tensor | None, *, heads: int, cached: bool
) -> tuple[FoldedSource | None, Tensor | None]:
    """Fold the source once for all layers; if the cache holds it, only the mask."""
    whole = real is None and hidden.shape[1] % pattern.groups == 0
    if cached:
        # States without features: the fold then lays out nothing but the mask.
        return None, None if whole else pattern.mask(pattern.fold(hidden[..., :0], real), heads)
    source = pattern.fold(hidden, real)
    return source, None if whole else pattern.mask(source, heads)


def _by_rows(weights: Tensor, tokens: int) -> Tensor:
    """Lay out the weights of each source's rows, `[b, h, k·t, n]`, as `[b·k, h, t, n]`."""
    batch, heads, _, keys = weights.shape
    by_rows = weights.view(batch, heads, -1, tokens, keys).transpose(1, 2)
    return by_rows.flatten(0, 1)


def _keys(past: int, tokens: int, cache: EncoderDecoderCache | None) -> int:
    """Return the number of keys for new tokens; a static cache has all its places at once."""
    return past + tokens if cache is None else int(cache.get_mask_sizes(tokens, 0)[0])


def _biased(table: Tensor, mask: Tensor | None, past: int, hidden: Tensor, keys: int) -> Tensor:
    """Return biases by distance and −∞ for what is not seen, `[b·k or 1, h, t, keys]`.

    The table is `[distances, h]`, from 0 to the left, its last row for all further ones; the mask
    is that of `_causal_mask`, and new tokens have the states `[b·k, t, D]`.
    """
    queries = torch.arange(past, past + hidden.shape[1], device=hidden.device)
    distance = queries[:, None] - torch.arange(keys, device=hidden.device)
    bias = nn.functional.embedding(distance.clamp(0, len(table) - 1), table).movedim(-1, 0)[None]
    return bias.to(hidden.dtype).masked_fill(distance < 0 if mask is None else ~mask, -torch.inf)


def _causal_mask(
    hidden: Tensor, past: int, attention_mask: Tensor | None, cache: EncoderDecoderCache | None
) -> Tensor | None:
    """Return which cached and new tokens each new token sees, `[b·k or 1, 1, t, keys]`.

    None if that is everything, or just the tokens before (`is_causal`). For a static cache
    `generate` provides a mask of this form itself.
    """
    if attention_mask is not None and attention_mask.dim() == 4:
        return attention_mask
    tokens = hidden.shape[1]
    keys = _keys(past, tokens, cache)
    if attention_mask is not None and not is_compiling() and bool(attention_mask.all()):
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
