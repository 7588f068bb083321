"""Loading: a folder or an id on the Hub, of this model or of one that converts into it."""

from typing import Any

import torch
from torch import nn
from transformers import PreTrainedModel

from longsum.core.model_files.folders import ModelPath, check_model
from longsum.core.model_files.weight_files import has_plain_weights
from longsum.models.networks.base import Checkpoint
from longsum.models.networks.hugging_face import load_config, load_model
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.convert_checkpoints import Extension
from longsum.models.networks.seq2seq.convertible import convert_in_memory, read_folder
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumForConditionalGeneration


def load_seq2seq(
    source: ModelPath, *, position_extension: Extension = "tile", **overrides: Any
) -> LongsumForConditionalGeneration:
    """Load a checkpoint of this model, or convert one of BART, LED, mBART, PEGASUS or RoBERTa.

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
    """Convert a checkpoint of a known family, or give one of this model new settings.

    The families are BART, LED, mBART, PEGASUS and RoBERTa.

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
        # An encoder has none.
        generation = getattr(source, "generation_config", None)
        given = Checkpoint(source.config, source.state_dict(), generation)
    else:
        given = read_folder(check_model(source))
    checkpoint = convert_in_memory(
        given, LongsumForConditionalGeneration, position_extension, **overrides
    )
    model = LongsumForConditionalGeneration(checkpoint.config)
    # Weights of learned attentions, which no checkpoint has, stay as initialised.
    model.load_state_dict(checkpoint.state, strict=False)
    if checkpoint.generation is not None:
        model.generation_config = checkpoint.generation
    nn.Module.to(model, dtype or torch.float32)
    model.eval()
    return model
