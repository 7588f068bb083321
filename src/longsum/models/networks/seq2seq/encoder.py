"""The encoder: embeddings, layers and, for top-down layers, segments."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import assume_constant_result, is_compiling
from transformers.modeling_outputs import BaseModelOutput

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_tree import SectionTree
from longsum.models.attention.patterns import ChosenTokens
from longsum.models.attention.weights import Weights
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.encoder_layer import EncoderLayer
from longsum.models.networks.seq2seq.pretrained_model import (
    AttentionWeightsError,
    LongsumPreTrainedModel,
    check_inputs,
)
from longsum.models.networks.seq2seq.sections import section_tree
from longsum.models.networks.seq2seq.seq2seq_layers import (
    ScaledEmbedding,
    build_positions,
    first_real,
    optional_norm,
    real_tokens,
    rotate,
    rotate_queries,
)
from longsum.models.networks.seq2seq.top_down import SegmentLevel, TopDownLayer, token_importance


class LongsumEncoder(LongsumPreTrainedModel):
    """Maps token ids to states.

    Positions, patterns and global tokens count from each row's first real token, so that padding
    changes nothing on either side. (BART in `transformers` counts from the start of the padded row,
    and gives other states when a row is padded on the left.)
    """

    def __init__(self, config: LongsumSeq2SeqConfig) -> None:
        super().__init__(config)
        self.embed_tokens: nn.Module = ScaledEmbedding(config)
        self.embed_positions = build_positions(config, config.max_source_positions)
        self.leading: nn.Parameter | None = None
        if config.leading_tokens:
            self.leading = nn.Parameter(torch.empty(config.leading_tokens, config.d_model))
        self.layernorm_embedding = optional_norm(config, config.normalize_embedding)
        self.biases = config.encoder_biases()
        top_down = config.top_down_settings()
        attentions = [
            attention.of_layer(number)
            for number, attention in enumerate(config.encoder_attentions())
        ]
        self.bottom_up = len(attentions) if top_down is None else len(attentions) - top_down.layers
        self.layers = nn.ModuleList(
            EncoderLayer(config, attention, self.biases, leads=True)
            for attention in attentions[: self.bottom_up]
        )
        self.segments: SegmentLevel | None = None
        if top_down is not None:
            self.segments = SegmentLevel(config, top_down, top_down.levels)
            self.layers.extend(
                TopDownLayer(config, attention, self.biases, top_down)
                for attention in attentions[self.bottom_up :]
            )
        self.layer_norm = optional_norm(config, config.final_layer_norms)
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
        importance: Tensor | None = None,
        global_attention_mask: Tensor | None = None,
    ) -> BaseModelOutput | tuple[Any, ...]:
        """Encode.

        Args:
            input_ids: `[b, n]`; this or `inputs_embeds`.
            attention_mask: `[b, n]`, 1 for tokens, 0 for padding on either side.
            inputs_embeds: `[b, n, D]`, already scaled.
            output_hidden_states: Whether to return the states of every layer.
            output_attentions: Whether to return the weights of every layer, `[b, h, n, n]`;
                only under `eager`.
            return_dict: False for a plain tuple.
            section_of: `[b, n]`, the section of each token, from 0 on in reading order; not used
                for padding. Models whose settings say so (`reads_sections`) need it, and others
                ignore it.
            section_parents: `[b, S]`, the section above each: −1 for a section of the first level,
                −2 if a row has fewer sections than another.
            importance: `[b, n]`, the weight of each token in the pooling of segments, from 0 on and
                on any scale; not used for padding. Models whose settings say so
                (`reads_importance`) need it, and others ignore it.
            global_attention_mask: `[b, n]`, 1 for tokens that see all and are seen by all, instead
                of the first ones as in the settings, which are the default. (LED in `transformers`
                has none by default.)

        Raises:
            LongsumError: The source is longer than the learned positions, the mask has holes,
                the sections or the importance are missing or do not fit, the encoder has no global
                tokens, or there are no attention weights to return.
        """
        check_inputs(input_ids, inputs_embeds)
        hidden = self.embed_tokens(input_ids) if inputs_embeds is None else inputs_embeds
        real = real_tokens(attention_mask)
        keep = self.wants_hidden_states(output_hidden_states)
        tree: SectionTree | None = None
        if self.biases is not None and self.biases.by_sections:
            tree = section_tree(section_of, section_parents, real, hidden.shape)
        weights: Tensor | None = None
        if _reads_importance(self.config):
            weights = token_importance(importance, real, hidden.shape[:2])
        kept: Weights | None = None
        if self.wants_attentions(output_attentions):
            if self.leading is not None:
                raise AttentionWeightsError(
                    "This encoder attends to learned tokens before the source, which its attention "
                    "weights have no columns for; leave output_attentions off."
                )
            kept = Weights(torch.eye(hidden.shape[1], device=hidden.device)[None, None])
        chosen = None
        if global_attention_mask is not None:
            chosen = self._chosen(global_attention_mask, real, hidden)
        shift = None if real is None else first_real(real)
        if shift is None or real is None or not (is_compiling() or bool(shift.any())):
            states = self._encode(hidden, real, keep, tree, weights, chosen, kept)
        else:
            if tree is not None:
                tree = replace(tree, section_of=rotate(tree.section_of, shift))
            if weights is not None:
                weights = rotate(weights, shift)
            if chosen is not None:
                chosen = rotate(chosen, shift)
            hidden, real = rotate(hidden, shift), rotate(real, shift)
            if kept is not None:
                kept.identity = rotate(kept.identity[0].expand(len(real), -1, -1), shift)[:, None]
            aligned = self._encode(hidden, real, keep, tree, weights, chosen, kept)
            states = [rotate(layer_states, -shift) for layer_states in aligned]
            if kept is not None:
                kept.found = [rotate_queries(layer_weights, -shift) for layer_weights in kept.found]
        output = BaseModelOutput(
            last_hidden_state=states[-1],
            hidden_states=tuple(states) if keep else None,
            attentions=None if kept is None else tuple(kept.found),
        )
        return self.output_or_tuple(output, return_dict)

    def _chosen(self, mask: Tensor, real: Tensor | None, hidden: Tensor) -> Tensor:
        """Return which tokens are global, boolean `[b, n]`."""
        if self.biases is not None:
            raise LongsumError(
                "This model's biases treat the first tokens as global ones; leave the "
                "global_attention_mask out."
            )
        if mask.shape != hidden.shape[:2]:
            raise LongsumError(
                f"A source of {hidden.shape[0]} × {hidden.shape[1]} tokens got a "
                f"global_attention_mask of the shape {tuple(mask.shape)}; give a number for each "
                "token."
            )
        return mask.bool() if real is None else mask.bool() & real

    def _encode(
        self,
        hidden: Tensor,
        real: Tensor | None,
        keep: bool,
        tree: SectionTree | None,
        importance: Tensor | None,
        chosen: Tensor | None,
        kept: Weights | None,
    ) -> list[Tensor]:
        """Return the last states, after those before each layer if they are to be kept."""
        longest = hidden.shape[1]
        if real is not None and not is_compiling():
            longest = int(real.sum(dim=1).amax())
        positions = self.embed_positions(0, longest).to(hidden)
        # Padding beyond the longest row needs no positions, so it cannot exceed their table.
        positions = nn.functional.pad(positions, (0, 0, 0, hidden.shape[1] - longest))
        hidden = self.layernorm_embedding(hidden + positions)
        hidden = nn.functional.dropout(hidden, self.config.dropout, self.training)
        labels = self.biases.labels(tree) if self.biases is not None and tree is not None else None
        states = []
        above: tuple[Any, ...] = ()
        more: dict[str, Any] = {} if kept is None else {"weights": kept}
        lead = 0
        if self.leading is not None:
            lead, rows = len(self.leading), len(hidden)
            hidden = torch.cat([self.leading.to(hidden).expand(rows, -1, -1), hidden], dim=1)
            real, chosen = (
                None if mask is None else nn.functional.pad(mask, (lead, 0), value=True)
                for mask in (real, chosen)
            )
        if chosen is not None:
            more["chosen"] = ChosenTokens.of(chosen)
        with self.attending():
            for number, layer in enumerate(self.layers):
                if keep:
                    states.append(hidden[:, lead:] if lead else hidden)
                if self.segments is not None and number == self.bottom_up:
                    above = self.segments(hidden, real, importance, labels)
                hidden = layer(hidden, real, labels, *above, **more)
        return [*states, self.layer_norm(hidden[:, lead:] if lead else hidden)]


@assume_constant_result  # type: ignore[untyped-decorator]
def _reads_importance(config: LongsumSeq2SeqConfig) -> bool:
    """Ask the settings, whose check a compiler cannot trace."""
    return config.reads_importance
