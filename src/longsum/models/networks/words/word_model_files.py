"""Saving and loading word-level models with their vocabulary."""

from pathlib import Path
from typing import Any, TypeVar

from transformers import PreTrainedModel

from longsum.common.errors import LongsumError
from longsum.common.files import filled_folder
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.settings_file import CONFIG, check_settings
from longsum.models.networks.hugging_face import weights_of
from longsum.models.networks.weights import check_weights, load_weights
from longsum.models.networks.words.modeling_words import WordModelConfig
from longsum.models.networks.words.vocabulary import Vocabulary

Model = TypeVar("Model", bound=PreTrainedModel)


def save_word_model(model: PreTrainedModel, vocabulary: Vocabulary, folder: Path) -> None:
    """Write a model and its vocabulary to a folder.

    Raises:
        LongsumError: They do not fit each other.
    """
    _check(model.config, vocabulary)
    with filled_folder(folder) as unfinished:
        model.save_pretrained(unfinished)
        vocabulary.save(unfinished)


def load_word_model(
    source: Path | ModelFolder, kind: type[Model], **changes: Any
) -> tuple[Model, Vocabulary]:
    """Load what `save_word_model` wrote; the model is in evaluation mode.

    `changes` replace settings.

    Raises:
        LongsumError: Files are missing or damaged, do not fit each other, or hold another model.
    """
    folder = ModelFolder.of(source)
    config = _read_config(folder, kind.config_class, changes)
    vocabulary = Vocabulary.load(folder.path)
    _check(config, vocabulary)
    state = load_weights(folder)
    # Before memory is allocated for what the settings say.
    check_weights(state, weights_of(kind, config))
    model = kind(config)
    model.load_state_dict(state)
    model.eval()
    return model, vocabulary


def _read_config(folder: ModelFolder, kind: Any, changes: dict[str, Any]) -> WordModelConfig:
    if folder.model_type != kind.model_type:
        raise LongsumError(
            f"'{folder}' holds no model '{kind.model_type}'; name a folder that does."
        )
    check_settings(folder.settings, folder.path / CONFIG)
    try:
        config: WordModelConfig = kind.from_dict({**folder.settings, **changes})
    except (TypeError, ValueError) as error:
        raise LongsumError(
            f"The settings in '{folder}' cannot be used ({error}); correct them."
        ) from None
    return config


def _check(config: Any, vocabulary: Vocabulary) -> None:
    if len(vocabulary) != config.vocab_size:
        raise LongsumError(
            f"The vocabulary has {len(vocabulary):,} words and the model {config.vocab_size:,}; "
            "use those that belong together."
        )
