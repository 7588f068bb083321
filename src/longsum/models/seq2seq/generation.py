"""Generation that keeps one copy of the source: two overrides of Hugging Face `generate`."""

from typing import Any

import torch
from transformers import GenerationConfig, GenerationMixin
from transformers.cache_utils import EncoderDecoderCache
from transformers.generation.configuration_utils import GenerationMode

from longsum.models.seq2seq.cache import share_source

PER_SOURCE = ("encoder_outputs", "attention_mask", "section_of", "section_parents", "importance")


class SharedSourceGenerationMixin(GenerationMixin):
    """`generate` whose beams and returned sequences read one copy of the source.

    The decoder gets b · k rows of target tokens and b sources, and folds the k rows of a source
    into the query axis of its cross-attention (`decoder.CrossAttention`). `generate` orders its
    rows source by source, which makes that fold a view.
    """

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
        """Prepare the cache, and let the cross-attention's half of it keep one copy."""
        prepared: bool = super()._prepare_cache_for_generation(  # type: ignore[misc]
            generation_config, model_kwargs, generation_mode, batch_size, max_cache_length
        )
        cache = model_kwargs.get("past_key_values")
        if isinstance(cache, EncoderDecoderCache):
            share_source(cache)
        return prepared
