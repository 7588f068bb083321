"""Checkpoints of BART, LED, mBART and PEGASUS, read as models of this package."""

from abc import abstractmethod
from pathlib import Path
from typing import Any

from transformers import GenerationConfig, PreTrainedConfig, PreTrainedModel

from longsum.models.base import Checkpoint
from longsum.models.folders import ModelFolder, check_model
from longsum.models.hugging_face import load_config, load_generation, weights_of
from longsum.models.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.seq2seq.convert_checkpoints import (
    EMBEDDINGS,
    FAMILIES,
    LEARNED,
    Extension,
    convert_config,
    convert_state_dict,
)
from longsum.models.seq2seq.pretrained_model import LongsumPreTrainedModel
from longsum.models.weights import check_weights, load_weights


class ConvertibleModel(LongsumPreTrainedModel):
    """A model that `from_pretrained` also makes of a checkpoint of another family."""

    @classmethod
    @abstractmethod
    def whole_model(cls) -> type[PreTrainedModel]:
        """Return the class whose weights a converted checkpoint has, all heads included."""

    @classmethod
    def read_checkpoint(
        cls, folder: ModelFolder, options: dict[str, Any]
    ) -> Checkpoint[Any] | None:
        """Read a checkpoint in a format of ours, or of a family that converts.

        Args:
            folder: The folder.
            options: As of `LongsumModel.read_checkpoint`; and `position_extension`, for what
                converts.

        Raises:
            LongsumError: The folder is not safe to load, not whole, or does not fit its settings.
        """
        if folder.model_type not in FAMILIES:
            return super().read_checkpoint(folder, options)
        target, changes = options.get("config"), {}
        if target is None:
            changes = cls.changes(options)
        elif not isinstance(target, PreTrainedConfig):
            target = load_config(Path(target))
        if target is not None and not isinstance(target, LongsumSeq2SeqConfig):
            target = convert_config(target)
        own = changes.keys() & LongsumSeq2SeqConfig.__annotations__.keys()
        found = convert_in_memory(
            read_folder(folder),
            cls.whole_model(),
            options.pop("position_extension", "tile"),
            target,
            **{name: changes[name] for name in own},
        )
        for name in changes.keys() - own:
            setattr(found.config, name, changes[name])
        if found.config.tie_word_embeddings:
            # As in a file: copies of one table would be compared, which they cannot be on a disk.
            for name in EMBEDDINGS[1:]:
                found.state.pop(name)
        return found


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
        model_class: The class whose weights it is to have.
        extension: How tables of positions grow; see `convert_checkpoints.extend_positions`.
        target: The settings to convert it to; by default its own, with the overrides.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Raises:
        LongsumError: It is of another kind, or its weights do not fit.
    """
    target = target or convert_config(given.config, **overrides)
    state = convert_state_dict(given.state, target, extension)
    # Before memory is taken for what the settings say.
    check_weights(state, weights_of(model_class, target), LEARNED)
    generation = given.generation
    if generation is not None:
        settings = generation.to_dict()
        # Both hold the special tokens, and `generate` reads its own.
        settings |= {name: value for name, value in overrides.items() if name in settings}
        generation = GenerationConfig.from_dict(settings)
    return Checkpoint(target, state, generation)
