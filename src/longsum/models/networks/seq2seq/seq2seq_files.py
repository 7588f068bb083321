"""Loads models of this kind, or of one that can be converted, and writes converted ones."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedModel
from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES

from longsum.common.errors import LongsumError
from longsum.common.files import new_folder, write_text
from longsum.core.model_files.folders import ModelFolder, ModelPath, check_model
from longsum.core.model_files.settings_file import TOKENIZER_CONFIG
from longsum.core.model_files.weight_files import has_plain_weights
from longsum.models.networks.base import Checkpoint
from longsum.models.networks.hugging_face import load_config, load_model
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.convert_checkpoints import Extension, amend
from longsum.models.networks.seq2seq.convertible import convert_in_memory, read_folder
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumForConditionalGeneration


def load_seq2seq(
    source: ModelPath, *, position_extension: Extension = "tile", **overrides: Any
) -> LongsumForConditionalGeneration:
    """Load a checkpoint of this model, or convert one of another family, in evaluation mode.

    Args:
        source: A folder, or an id on the Hugging Face Hub.
        position_extension: How tables of positions grow; see `extend_positions`.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Raises:
        LongsumError: The checkpoint is missing, is of another kind, or does not fit.
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
    """Convert a checkpoint of a known family, or give a checkpoint of this model new settings.

    The families are BART, LED, mBART, PEGASUS, PEGASUS-X, BigBird-PEGASUS, LongT5 and RoBERTa.

    Args:
        source: A folder, an id on the Hub, or a model that `transformers` has loaded.
        position_extension: How tables of positions grow; see `extend_positions`.
        dtype: Type of the weights; fp32 by default.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Returns:
        The model, in evaluation mode, with the checkpoint's settings for generation.

    Raises:
        LongsumError: The checkpoint is missing, has no safetensors file, is of another kind, or its
            weights do not fit.
    """
    if isinstance(source, PreTrainedModel):
        # An encoder has no settings for generation.
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


def convert_checkpoint(
    source: ModelPath,
    target: Path,
    *,
    position_extension: Extension = "tile",
    changes: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> LongsumForConditionalGeneration:
    """Convert a checkpoint of a known family, or of this model; return the written model.

    The families are BART, LED, mBART, PEGASUS, PEGASUS-X, BigBird-PEGASUS, LongT5 and RoBERTa.

    The folder appears complete or not at all. Its weights are fp32 in safetensors; the settings for
    generation and the tokenizer are copied, and the tokenizer gets the maximum length of a source.

    Args:
        source: A folder, or an id on the Hugging Face Hub.
        target: The folder to write: a new one, or an empty one.
        position_extension: How tables of positions grow; see `extend_positions`.
        changes: Settings to change; see `amend`.
        seed: Seed of weights that the checkpoint lacks: those of learned attentions.

    Raises:
        LongsumError: The target is not empty or cannot be made, or as for `from_checkpoint`.
    """
    check_target(target)
    folder = check_model(source)
    config = load_config(folder)
    overrides = amend(config, changes or {})
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = from_checkpoint(folder, position_extension=position_extension, **overrides)
    with new_folder(target) as unfinished:
        try:
            model.save_pretrained(unfinished)
        except ValueError as error:
            problem = " ".join(str(error).split())
            raise LongsumError(
                "The checkpoint's settings for generation contradict each other; correct them "
                f"there ({problem})."
            ) from None
        _copy_tokenizer(folder, unfinished, config.model_type, model.config)
    return model


def check_target(target: Path) -> None:
    """Refuse a folder that cannot be written, before any work is done.

    Raises:
        LongsumError: It is not empty, is a file, or its parent folder does not exist.
    """
    if target.exists() and not target.is_dir():
        raise LongsumError(f"'{target}' is a file; give a new folder.")
    if target.is_dir() and any(target.iterdir()):
        raise LongsumError(f"The folder '{target}' is not empty; give a new or an empty one.")
    if not target.parent.is_dir():
        raise LongsumError(f"The folder '{target.parent}' does not exist; make it first.")


def _copy_tokenizer(
    source: ModelFolder, target: Path, family: str, config: LongsumSeq2SeqConfig
) -> None:
    """Copy a tokenizer, and record the class that AutoTokenizer infers from a model's family."""
    if not source.tokenizer_files:
        return
    for path in source.tokenizer_files:
        shutil.copyfile(path, target / path.name)
    settings = dict(source.tokenizer_settings)
    if family in TOKENIZER_MAPPING_NAMES:
        settings.setdefault("tokenizer_class", TOKENIZER_MAPPING_NAMES[family])
    settings["model_max_length"] = config.max_source_positions
    text = json.dumps(settings, ensure_ascii=False, indent=2, sort_keys=True)
    write_text(target / TOKENIZER_CONFIG, text + "\n")
