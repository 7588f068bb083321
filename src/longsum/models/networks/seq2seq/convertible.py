"""Checkpoints of other families, read as models of this package; see `convert_checkpoints`."""

from typing import Any

from transformers import GenerationConfig, PreTrainedConfig, PreTrainedModel

from longsum.core.model_files.folders import ModelFolder, check_model
from longsum.models.networks.base import Checkpoint
from longsum.models.networks.hugging_face import load_config, load_generation, weights_of
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.convert_checkpoints import (
    LEARNED,
    Extension,
    convert_config,
    convert_state_dict,
    has_own_head,
)
from longsum.models.networks.seq2seq.convert_encoders import BETWEEN, ENCODERS, both_halves
from longsum.models.networks.seq2seq.convert_t5 import T5, t5_weights
from longsum.models.networks.weights import check_weights, load_weights


def read_folder(source: ModelFolder) -> Checkpoint[PreTrainedConfig]:
    """Read the checkpoint in a folder as it is.

    Raises:
        LongsumError: It is not safe to load, not whole, or of an unknown kind.
    """
    folder = check_model(source)
    return Checkpoint(load_config(folder), load_weights(folder), load_generation(folder))


def convert_in_memory(
    given: Checkpoint[PreTrainedConfig],
    model_class: type[PreTrainedModel],
    extension: Extension = "tile",
    target: LongsumSeq2SeqConfig | None = None,
    **overrides: Any,
) -> Checkpoint[LongsumSeq2SeqConfig]:
    """Convert a checkpoint, without making a model of it.

    Args:
        given: The checkpoint.
        model_class: The class whose weights it should have.
        extension: How tables of positions grow; see `convert_checkpoints.extend_positions`.
        target: The settings to convert it to; by default its own, with the overrides.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Raises:
        LongsumError: It is of another kind, or its weights do not fit.
    """
    target = target or convert_config(given.config, **overrides)
    encoder = given.config.model_type in ENCODERS
    new = (*LEARNED, *BETWEEN) if encoder else LEARNED
    state = both_halves(given.state) if encoder else given.state
    if given.config.model_type in T5:
        state = t5_weights(state, given.config)
    if target.tie_word_embeddings and has_own_head(state):
        target.tie_word_embeddings = False
    state = convert_state_dict(state, target, extension)
    # Before memory is allocated for what the settings say.
    check_weights(state, weights_of(model_class, target), new)
    generation = given.generation
    if generation is not None:
        settings = generation.to_dict()
        # Both hold the special tokens, and `generate` reads its own.
        settings |= {name: value for name, value in overrides.items() if name in settings}
        generation = GenerationConfig.from_dict(settings)
    return Checkpoint(target, state, generation)
