"""A cache that keeps one copy of the source, however many beams read it, and generation with it.

`transformers` copies the keys and values of the source for each beam, and copies them again at
every step when it reorders beams: 80 % of the time of a step at 8,192 tokens and 4 beams
(fairseq#1957 tells of the same). All beams of a source read the same keys, so here they stay as
they are.
"""

from typing import Any

import torch
from torch import Tensor, nn
from transformers import GenerationConfig, GenerationMixin
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer, EncoderDecoderCache
from transformers.generation.configuration_utils import GenerationMode

from longsum.models.attention.packed_layers import generating, pack
from longsum.models.networks.base import CACHE
from longsum.models.networks.seq2seq.decoder_attention import CrossAttention, DecoderAttention
from longsum.models.networks.seq2seq.seq2seq_layers import TransformerLayer

PER_SOURCE = (
    *("encoder_outputs", "attention_mask", "global_attention_mask"),
    *("section_of", "section_parents", "importance"),
)


class SourceLayer(DynamicLayer):
    """Keys and values `[b, h, l, d]` of a source. Set once; no choice of beams changes them."""

    def update(
        self, key_states: Tensor, value_states: Tensor, *_args: Any, **_kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Replace what is held (a growing layer would append, and double the source)."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        self.keys, self.values = key_states, value_states
        return key_states, value_states

    def reorder_cache(self, beam_idx: Tensor) -> None:
        """Do nothing: beams of a source share it."""

    def batch_repeat_interleave(self, repeats: int) -> None:
        """Do nothing: the copies share the source."""

    def batch_select_indices(self, indices: Tensor) -> None:
        """Do nothing: the chosen rows share the source."""

    def crop(self, tokens_to_remove: int) -> None:
        """Do nothing: taking back target tokens leaves the source."""


class SourceCache(DynamicCache):
    """The cross-attention's half of the cache: one `SourceLayer` a decoder layer."""

    def __init__(self) -> None:
        Cache.__init__(self, layer_class_to_replicate=SourceLayer)


def new_cache() -> EncoderDecoderCache:
    """Return an empty cache for the decoder, with one copy of the source."""
    return EncoderDecoderCache(DynamicCache(), SourceCache())


def share_source(cache: EncoderDecoderCache) -> None:
    """Make an empty cache keep one copy of the source; one that is in use stays as it is."""
    cross = cache.cross_attention_cache
    if not isinstance(cross, SourceCache) and not any(cache.is_updated.values()):
        cache.cross_attention_cache = SourceCache()


class SharedSourceGenerationMixin(GenerationMixin):
    """`generate` whose beams and returned sequences read one copy of the source.

    The decoder gets b · k rows of target tokens and b sources, and folds the k rows of a source
    into the query axis of its cross-attention (`CrossAttention`). `generate` orders its
    rows source by source, which makes that fold a view.
    """

    def generate(self, *given: Any, **options: Any) -> Any:
        """Generate, with layers laid out for it meanwhile; see `packed_layers`."""
        with generating(self):  # type: ignore[arg-type]
            return super().generate(*given, **options)  # type: ignore[misc]

    def _expand_inputs_for_generation(
        self,
        expand_size: int = 1,
        is_encoder_decoder: bool = False,  # noqa: ARG002
        input_ids: torch.LongTensor | None = None,
        **model_kwargs: Any,
    ) -> tuple[torch.LongTensor, dict[str, Any]]:
        """Repeat target rows, and leave what belongs to a source as it is."""
        kept = {name: model_kwargs.pop(name) for name in PER_SOURCE if name in model_kwargs}
        target_ids, repeated = super()._expand_inputs_for_generation(  # type: ignore[misc]
            expand_size=expand_size, is_encoder_decoder=False, input_ids=input_ids, **model_kwargs
        )
        return target_ids, {**repeated, **kept}

    def _prepare_cache_for_generation(
        self,
        generation_config: GenerationConfig,
        model_kwargs: dict[str, Any],
        generation_mode: GenerationMode,
        batch_size: int,
        max_cache_length: int,
    ) -> bool:
        """Prepare the cache, let the cross-attention's half keep one copy, and pack layers."""
        prepared: bool = super()._prepare_cache_for_generation(  # type: ignore[misc]
            generation_config, model_kwargs, generation_mode, batch_size, max_cache_length
        )
        cache = model_kwargs.get(CACHE)
        if isinstance(cache, EncoderDecoderCache):
            share_source(cache)
        beams, texts = generation_config.num_beams, generation_config.num_return_sequences
        rows = batch_size * max(beams or 1, texts or 1)
        pack(self, self._read_each_step(), rows, max_cache_length)  # type: ignore[arg-type]
        return prepared

    def _read_each_step(self) -> list[tuple[nn.Module, str]]:
        """Return what holds each layer that every step multiplies by, and its name there.

        A head that shares the weight of the embeddings is none of them: those are read in rows.
        """
        found: list[tuple[nn.Module, str]] = []
        for part in self.get_decoder().layers.modules():  # type: ignore[attr-defined]
            if isinstance(part, (DecoderAttention, TransformerLayer)):
                once = ("k_proj", "v_proj") if isinstance(part, CrossAttention) else ()
                found += [(part, name) for name, _ in part.named_children() if name not in once]
        if not self.config.tie_word_embeddings:  # type: ignore[attr-defined]
            found.append((self, "lm_head"))  # type: ignore[arg-type]
        return found
