"""A cache that keeps a single copy of the source for all beams, and generation with it.

`transformers` copies the keys and values of the source for each beam, and copies them again at
every step when it reorders beams: 80 % of the time of a step at 8,192 tokens and 4 beams
(fairseq#1957 reports the same). All beams of a source read the same keys, so here these are never
copied.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling
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

ROOM = 64
"""Tokens by which a cache of target tokens grows."""


class SourceLayer(DynamicLayer):
    """Keys and values `[b, h, l, d]` of a source, set once and independent of beams."""

    def update(
        self, key_states: Tensor, value_states: Tensor, *_args: Any, **_kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Replace the states (a growing layer would append, and double the source)."""
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
        """Do nothing: removing target tokens does not change the source."""


class SourceCache(DynamicCache):
    """The cross-attention's half of the cache: one `SourceLayer` per decoder layer."""

    def __init__(self) -> None:
        Cache.__init__(self, layer_class_to_replicate=SourceLayer)


class TargetLayer(DynamicLayer):
    """Keys and values `[b·k, h, t, d]` of target tokens, in buffers with room for more.

    A copy at each step, longer by a token, would leave holes in memory that no later copy fits.
    """

    _buffers: tuple[Tensor, Tensor] | None = None

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Append; to a copy if gradients may be needed, or while compiling."""
        if torch.is_grad_enabled() or is_compiling():
            return super().update(key_states, value_states, *args, **kwargs)
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        length, count = self.get_seq_length(), key_states.shape[2]
        if not self._fits(length + count, len(key_states)):
            keys, values = (
                states.new_empty(*states.shape[:2], length + count + ROOM, states.shape[3])
                for states in (key_states, value_states)
            )
            if length:
                keys[:, :, :length], values[:, :, :length] = self._states()
            self._buffers = keys, values
        assert self._buffers is not None
        for buffer, states in zip(self._buffers, (key_states, value_states), strict=True):
            buffer[:, :, length : length + count] = states
        self.keys, self.values = (buffer[:, :, : length + count] for buffer in self._buffers)
        return self.keys, self.values

    def reorder_cache(self, beam_idx: torch.LongTensor) -> None:
        """Select the rows of chosen beams, in place."""
        if not self._fits(self.get_seq_length(), len(beam_idx)):
            super().reorder_cache(beam_idx)
        elif beam_idx.is_cuda or beam_idx.tolist() != list(range(len(beam_idx))):
            for states in self._states():
                states.copy_(states.index_select(0, beam_idx.to(states.device)))

    def reset(self) -> None:
        """Forget the states and their buffers."""
        self._buffers = None
        super().reset()

    def _states(self) -> tuple[Tensor, Tensor]:
        assert self.keys is not None
        assert self.values is not None
        return self.keys, self.values

    def _fits(self, tokens: int, rows: int) -> bool:
        """Tell whether the states are in the buffers, can be changed there, and so many fit."""
        if self._buffers is None or torch.is_grad_enabled():
            return False
        return all(
            (states.data_ptr(), states.stride()) == (buffer.data_ptr(), buffer.stride())
            and len(states) == len(buffer) == rows
            and buffer.shape[2] >= tokens
            and (torch.is_inference_mode_enabled() or not buffer.is_inference())
            for states, buffer in zip(self._states(), self._buffers, strict=True)
        )


class TargetCache(DynamicCache):
    """The self-attention's half of the cache: one `TargetLayer` per decoder layer."""

    def __init__(self) -> None:
        Cache.__init__(self, layer_class_to_replicate=TargetLayer)


def new_cache() -> EncoderDecoderCache:
    """Return an empty cache for the decoder, with one copy of the source."""
    return EncoderDecoderCache(TargetCache(), SourceCache())


def share_source(cache: EncoderDecoderCache) -> None:
    """Make an empty cache keep one copy of the source; one in use stays as it is."""
    if any(cache.is_updated.values()):
        return
    if not isinstance(cache.cross_attention_cache, SourceCache):
        cache.cross_attention_cache = SourceCache()
    target = cache.self_attention_cache
    if type(target) is DynamicCache and not target.get_seq_length():
        cache.self_attention_cache = TargetCache()


class SharedSourceGenerationMixin(GenerationMixin):
    """`generate` whose beams and returned sequences read one copy of the source.

    The decoder gets b · k rows of target tokens and b sources, and folds the k rows of a source
    into the query axis of its cross-attention (`CrossAttention`). `generate` orders its
    rows source by source, which makes that fold a view.
    """

    def generate(self, *args: Any, **options: Any) -> Any:
        """Generate, with layers packed for it meanwhile; see `packed_layers`."""
        with generating(self):  # type: ignore[arg-type]
            return super().generate(*args, **options)  # type: ignore[misc]

    def _expand_inputs_for_generation(
        self,
        expand_size: int = 1,
        is_encoder_decoder: bool = False,  # noqa: ARG002
        input_ids: torch.LongTensor | None = None,
        **model_kwargs: Any,
    ) -> tuple[torch.LongTensor, dict[str, Any]]:
        """Repeat target rows, and leave the inputs of a source as they are."""
        per_source = {name: model_kwargs.pop(name) for name in PER_SOURCE if name in model_kwargs}
        target_ids, repeated = super()._expand_inputs_for_generation(  # type: ignore[misc]
            expand_size=expand_size, is_encoder_decoder=False, input_ids=input_ids, **model_kwargs
        )
        return target_ids, {**repeated, **per_source}

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
        """Return the linear layers that every step uses: the module of each, and its name there.

        A head that shares the weight of the embeddings is not included: those are read in rows.
        """
        linear: list[tuple[nn.Module, str]] = []
        for part in self.get_decoder().layers.modules():  # type: ignore[attr-defined]
            if isinstance(part, (DecoderAttention, TransformerLayer)):
                once = ("k_proj", "v_proj") if isinstance(part, CrossAttention) else ()
                linear += [(part, name) for name, _ in part.named_children() if name not in once]
        if not self.config.tie_word_embeddings:  # type: ignore[attr-defined]
            linear.append((self, "lm_head"))  # type: ignore[arg-type]
        return linear
