"""Loading: a folder or an id on the Hub, of this model or of one that converts into it."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, GenerationConfig, PreTrainedConfig, PreTrainedModel

from longsum.errors import LongsumError
from longsum.models.seq2seq.configuration import LongsumSeq2SeqConfig
from longsum.models.seq2seq.convert import Extension, convert_config, convert_state_dict
from longsum.models.seq2seq.modeling import LongsumForConditionalGeneration
from longsum.models.weights import INDEX, WEIGHTS, check_weights, load_weights

# What a model and its tokenizer need, and none of it can run code.
DATA_FILES = ("*.json", "*.txt", "*.safetensors", "*.model")
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
    path_or_id: str | Path, *, position_extension: Extension = "tile", **overrides: Any
) -> LongsumForConditionalGeneration:
    """Load a checkpoint of this model, or convert one of BART, LED, mBART or PEGASUS.

    Args:
        path_or_id: A folder, or an id on the Hugging Face Hub.
        position_extension: How tables of positions grow; see `convert.extend_positions`.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Returns:
        The model, in evaluation mode.

    Raises:
        LongsumError: The checkpoint is not there, is of another kind, or does not fit.
    """
    folder = find_folder(path_or_id)
    ours = isinstance(read_config(folder), LongsumSeq2SeqConfig)
    whole = any((folder / name).is_file() for name in (WEIGHTS, INDEX))
    if ours and whole and not overrides:
        model: LongsumForConditionalGeneration = LongsumForConditionalGeneration.from_pretrained(
            folder, use_safetensors=True
        )
        model.eval()
        return model
    return from_checkpoint(folder, position_extension=position_extension, **overrides)


def from_checkpoint(
    source: str | Path | PreTrainedModel,
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
        config, state = source.config, source.state_dict()
        generation = source.generation_config
    else:
        folder = find_folder(source)
        config, state = read_config(folder), load_weights(folder)
        generation = _generation(folder)
    target = convert_config(config, **overrides)
    model = LongsumForConditionalGeneration(target)
    _load(model, convert_state_dict(state, target, position_extension))
    if generation is not None:
        settings = generation.to_dict()
        # Both hold the special tokens, and `generate` heeds its own.
        settings |= {name: value for name, value in overrides.items() if name in settings}
        model.generation_config = GenerationConfig.from_dict(settings)
    nn.Module.to(model, dtype or torch.float32)
    model.eval()
    return model


def is_new(name: str) -> bool:
    """Tell whether a parameter, by its name, belongs to a part that no public checkpoint has."""
    return any(part in name for part in LEARNED)


def find_folder(path_or_id: str | Path) -> Path:
    """Return the folder of a model; one on the Hub is fetched, without files that can run code.

    Raises:
        LongsumError: There is none.
    """
    if Path(path_or_id).is_dir():
        return Path(path_or_id)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(str(path_or_id), allow_patterns=list(DATA_FILES)))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise LongsumError(
            f"There is no model at {path_or_id}; give a folder or the id of a model on the "
            f"Hugging Face Hub ({type(error).__name__})."
        ) from error


def read_config(folder: Path) -> PreTrainedConfig:
    """Return the settings of the model in a folder.

    Raises:
        LongsumError: There are none, or they cannot be read.
    """
    try:
        config: PreTrainedConfig = AutoConfig.from_pretrained(folder)
    except (OSError, ValueError) as error:
        raise LongsumError(
            f"{folder} holds no configuration that can be read; give the folder of a model."
        ) from error
    return config


def _generation(folder: Path) -> GenerationConfig:
    if (folder / "generation_config.json").is_file():
        return GenerationConfig.from_pretrained(folder)
    # Checkpoints of earlier days keep beams and lengths among the model's settings.
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    known = GenerationConfig().to_dict()
    return GenerationConfig(**{name: settings[name] for name in settings if name in known})


def _load(model: LongsumForConditionalGeneration, state: dict[str, Tensor]) -> None:
    """Fill a model; weights of learned attentions, which no checkpoint has, stay as initialised."""
    check_weights(state, model.state_dict(), LEARNED)
    model.load_state_dict(state, strict=False)
