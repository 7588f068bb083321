"""Saving and loading the pointer-generator network with its vocabulary."""

import json
from pathlib import Path

from longsum.errors import LongsumError
from longsum.models.pointer.configuration import LongsumPointerConfig
from longsum.models.pointer.modeling import LongsumPointerGenerator
from longsum.models.pointer.vocabulary import Vocabulary
from longsum.models.weights import check_weights, load_weights

_CONFIG = "config.json"


def save_pointer(model: LongsumPointerGenerator, vocabulary: Vocabulary, folder: Path) -> None:
    """Write a model and its vocabulary to a folder.

    Raises:
        LongsumError: They do not fit each other.
    """
    _check(model.config, vocabulary)
    model.save_pretrained(folder)
    vocabulary.save(folder)


def load_pointer(folder: Path) -> tuple[LongsumPointerGenerator, Vocabulary]:
    """Load what `save_pointer` wrote; the model is in evaluation mode.

    Raises:
        LongsumError: Files are missing or damaged, or do not fit each other.
    """
    config = _read_config(folder)
    vocabulary = Vocabulary.load(folder)
    _check(config, vocabulary)
    state = load_weights(folder)
    model = LongsumPointerGenerator(config)
    check_weights(state, model.state_dict())
    model.load_state_dict(state)
    model.eval()
    return model, vocabulary


def _read_config(folder: Path) -> LongsumPointerConfig:
    try:
        values = json.loads((folder / _CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise LongsumError(
            f"'{folder}' has no {_CONFIG} that can be read; give the folder of a model."
        ) from None
    if not isinstance(values, dict) or values.get("model_type") != LongsumPointerConfig.model_type:
        raise LongsumError(f"'{folder}' holds no pointer-generator network; give one that does.")
    try:
        config: LongsumPointerConfig = LongsumPointerConfig.from_dict(values)
    except (TypeError, ValueError) as error:
        raise LongsumError(f"The settings in '{folder}' cannot be used: {error}.") from None
    return config


def _check(config: LongsumPointerConfig, vocabulary: Vocabulary) -> None:
    if len(vocabulary) != config.vocab_size:
        raise LongsumError(
            f"The vocabulary has {len(vocabulary):,} words and the model {config.vocab_size:,}; "
            "give those that belong together."
        )
