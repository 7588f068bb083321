"""The attentions of a decoder layer: among target tokens, to the source, and to its sections."""

from torch import Tensor
from transformers.cache_utils import CacheLayerMixin, EncoderDecoderCache

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_bias import Start
from longsum.models.attention.biases.section_cross_bias import (
    section_biased_attention,
    section_weights,
)
from longsum.models.attention.cross.cross_patterns import CrossPattern, full_cross
from longsum.models.attention.cross.folded_source import FoldedSource
from longsum.models.attention.cross.linformer_cross import LinformerCross, SourceMixtures
from longsum.models.attention.layers.linear_layers import merge_heads, project, split_heads
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.projected_attention import ProjectedAttention, linear_of_zeros


class DecoderAttention(ProjectedAttention):
    """What both attentions of a decoder layer have."""

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int) -> None:
        super().__init__(config, config.decoder_attention_heads)
        self.layer = layer


class CausalSelfAttention(DecoderAttention):
    """Each target token sees itself and those before it."""

    def forward(
        self, hidden: Tensor, mask: Tensor | None, cache: EncoderDecoderCache | None
    ) -> Tensor:
        """Attend, `[b·k, t, D]` to the same; without a mask all that is cached is seen."""
        query, key, value = self.project_heads(hidden, hidden)
        if cache is not None:
            key, value = cache.self_attention_cache.update(key, value, self.layer)
        causal = mask is None and query.shape[2] > 1
        read = self.attend(query, key, value, mask, causal=causal)
        return project(self.out_proj, merge_heads(read))


class CrossAttention(DecoderAttention):
    """Target tokens read the source; all rows of a source read one copy of its keys and values.

    The k rows of a source stand next to each other, so they fold into the query axis:
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
    ) -> tuple[Tensor, Tensor | None]:
        """Attend, `[b·k, t, D]` to the same.

        Args:
            hidden: Target states.
            source: The folded source; None where the cache holds its keys and values.
            mask: Boolean `[b, h or 1, 1, l or 1]`, or None where all is seen.
            cache: The decoder's cache, or None.
            sections: The source's one-hot sections, folded like its states, `[b, s, l, S]`; for the
                layer that is asked how much it reads of each, and for the one that is biased.
            bias: Of each section, `[b, h or 1, k·t, S]`, for the latter.

        Returns:
            New states, and with sections but no bias what `section_weights` gives,
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
        query = project(self.q_proj, hidden).reshape(sources, -1, hidden.shape[-1])
        query = split_heads(query, self.heads)
        shares, weights = self._shares(sections), None
        if shares is not None and bias is not None:
            dropout = self.dropout if self.training else 0.0
            found = section_biased_attention(query, key, value, mask, bias, shares, dropout)
        else:
            found = self.attend(query, key, value, mask)
            if shares is not None:
                weights = section_weights(query, key, mask, shares)
        return project(self.out_proj, merge_heads(found)).reshape(rows, tokens, -1), weights

    def _shares(self, sections: FoldedSource | None) -> Tensor | None:
        """Return what keys have of each section, `[b, s, l, S]`; mixtures have what they mix."""
        if sections is not None and self.mixtures is not None:
            sections = self.mixtures(sections)
        return None if sections is None else sections.hidden

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
        key = source.project(self.k_proj, self.heads)
        value = source.project(self.v_proj, self.heads)
        if isinstance(cache, EncoderDecoderCache):
            key, value = cache.cross_attention_cache.update(key, value, self.layer)
            cache.is_updated[self.layer] = True
        return key, value


class SectionAttention(CrossAttention):
    """Target tokens read the states of sections, every head all of them (HierEnc).

    Its keys and values stand in the cache behind those of the source, of all layers.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, layer: int, start: Start) -> None:
        super().__init__(config, config.decoder_layers + layer, full_cross())
        self.start = start
        if start == "zeros":
            self.out_proj = linear_of_zeros(config.d_model, config.d_model)
