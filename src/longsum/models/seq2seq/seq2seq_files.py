"""Loading: a folder or an id on the Hub, of this model or of one that converts into it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import GenerationConfig, PreTrainedConfig, PreTrainedModel

from longsum.models.base import Held
from longsum.models.folders import ModelFolder, ModelPath, check_model
from longsum.models.hugging_face import load_config, load_generation, load_model, weights_of
from longsum.models.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.seq2seq.convert_checkpoints import Extension, convert_config, convert_state_dict
from longsum.models.seq2seq.modeling_seq2seq import LongsumForConditionalGeneration
from longsum.models.weight_files import has_plain_weights
from longsum.models.weights import check_weights, load_weights

# Parts of this model that no public checkpoint has.
LEARNED = (
    ".self_attn.attention.",
    ".self_attn.bias.",
    ".encoder_attn.mixtures.",
    ".decoder.section_bias.",
    ".decoder.section_encoder.",
    ".section_attn.",
    ".section_attn_layer_norm.",
    "section_relations.",
    ".segments.",
    ".segment_update.",
    ".segment_update_layer_norm.",
)


def load_seq2seq(
    source: ModelPath, *, position_extension: Extension = "tile", **overrides: Any
) -> LongsumForConditionalGeneration:
    """Load a checkpoint of this model, or convert one of BART, LED, mBART or PEGASUS.

    Args:
        source: A folder, or an id on the Hugging Face Hub.
        position_extension: How tables of positions grow; see `convert.extend_positions`.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Returns:
        The model, in evaluation mode.

    Raises:
        LongsumError: The checkpoint is not there, is of another kind, or does not fit.
    """
    folder = check_model(source)
    config = load_config(folder)
    ours = isinstance(config, LongsumSeq2SeqConfig) and has_plain_weights(folder.path)
    if ours and not overrides:
        model: LongsumForConditionalGeneration = load_model(
            LongsumForConditionalGeneration, folder, config
        )
        return model
    return from_checkpoint(folder, position_extension=position_extension, **overrides)


def from_checkpoint(
    source: ModelPath | PreTrainedModel,
    *,
    position_extension: Extension = "tile",
    dtype: torch.dtype | None = None,
    **overrides: Any,
) -> LongsumForConditionalGeneration:
    """Convert a checkpoint of BART, LED, mBART or PEGASUS, or give one of this model new settings.

    Args:
        source: A folder, an id on the Hub, or a model that `transformers` has loaded.
        position_extension: How tables of positions grow; see `convert.extend_positions`.
        dtype: Type of the weights; fp32 by default.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Returns:
        The model, in evaluation mode, with the checkpoint's settings for generation.

    Raises:
        LongsumError: The checkpoint is not there, has no safetensors file, is of another kind, or
            its weights do not fit.
    """
    if isinstance(source, PreTrainedModel):
        given = Held(source.config, source.state_dict(), source.generation_config)
        held = _converted(given, position_extension, None, overrides)
    else:
        held = read_checkpoint(check_model(source), position_extension, **overrides)
    model = LongsumForConditionalGeneration(held.config)
    # Weights of learned attentions, which no checkpoint has, stay as initialised.
    model.load_state_dict(held.state, strict=False)
    if held.generation is not None:
        model.generation_config = held.generation
    nn.Module.to(model, dtype or torch.float32)
    model.eval()
    return model


def read_checkpoint(
    folder: Path | ModelFolder,
    position_extension: Extension = "tile",
    target: LongsumSeq2SeqConfig | None = None,
    **overrides: Any,
) -> Held[LongsumSeq2SeqConfig]:
    """Read and convert the checkpoint in a folder, without making a model of it.

    Args:
        folder: The folder.
        position_extension: How tables of positions grow; see `convert.extend_positions`.
        target: The settings to convert it to; by default its own, with the overrides.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Raises:
        LongsumError: As `from_checkpoint`.
    """
    folder = check_model(folder)
    given = Held(load_config(folder), load_weights(folder), load_generation(folder))
    return _converted(given, position_extension, target, overrides)


def _converted(
    given: Held[PreTrainedConfig],
    extension: Extension,
    target: LongsumSeq2SeqConfig | None,
    overrides: Mapping[str, Any],
) -> Held[LongsumSeq2SeqConfig]:
    """Return a checkpoint as one of this model.

    Raises:
        LongsumError: It is of another kind, or its weights do not fit.
    """
    target = target or convert_config(given.config, **overrides)
    state = convert_state_dict(given.state, target, extension)
    # Before memory is taken for what the settings say.
    check_weights(state, weights_of(LongsumForConditionalGeneration, target), LEARNED)
    generation = given.generation
    if generation is not None:
        settings = generation.to_dict()
        # Both hold the special tokens, and `generate` heeds its own.
        settings |= {name: value for name, value in overrides.items() if name in settings}
        generation = GenerationConfig.from_dict(settings)
    return Held(target, state, generation)


def is_new(name: str) -> bool:
    """Tell whether a parameter, by its name, belongs to a part that no public checkpoint has."""
    return any(part in name for part in LEARNED)
