"""The only place where `transformers` loads from a folder.

Everything here takes a folder, never an id, and no network. No code that comes with a model is run:
folders that refer to some are refused first (`longsum.core.model_files.folders`), so that
`transformers` has no reason to ask whether to run it. Weights are read from safetensors alone.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor
from transformers import (
    AutoConfig,
    AutoTokenizer,
    GenerationConfig,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers import initialization as init
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder, check_folder, check_model, check_tokenizer
from longsum.core.model_files.settings_file import CONFIG, GENERATION_CONFIG
from longsum.models.networks.weights import copy_from_files

Model = TypeVar("Model", bound=PreTrainedModel)
_SAFE: dict[str, Any] = {"trust_remote_code": False, "local_files_only": True}


def load_config(source: Path | ModelFolder) -> PreTrainedConfig:
    """Return the settings of the model in a folder.

    Raises:
        LongsumError: There are none, they cannot be used, or they are not safe to follow.
    """
    folder = ModelFolder.of(source)
    check_folder(folder)
    kind, path = folder.model_type, folder.path / CONFIG
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        raise LongsumError(
            f"'{path}' belongs to a model of the kind {str(kind)[:40]!r}, which neither longsum "
            "nor transformers knows; give a model that they know."
        )
    try:
        config: PreTrainedConfig = AutoConfig.from_pretrained(folder.path, **_SAFE)
    except LongsumError:
        raise
    # Untrusted settings can be wrong in any way.
    except Exception as error:
        raise LongsumError(
            f"'{path}' holds settings that cannot be used ({_first_line(error)}); give "
            "the folder of a whole model."
        ) from error
    return config


def load_generation(source: Path | ModelFolder) -> GenerationConfig:
    """Return the settings for generation of the model in a folder.

    Raises:
        LongsumError: They cannot be used.
    """
    folder = ModelFolder.of(source)
    settings = check_folder(folder)
    path = folder.path / GENERATION_CONFIG
    try:
        if path.is_file():
            return GenerationConfig.from_pretrained(folder.path, local_files_only=True)
        # Old checkpoints keep beams and lengths among the model's settings.
        path, known = folder.path / CONFIG, GenerationConfig().to_dict()
        return GenerationConfig(**{name: settings[name] for name in settings if name in known})
    except Exception as error:
        raise LongsumError(
            f"'{path}' holds settings for generation that cannot be used ({_first_line(error)}); "
            "correct them there."
        ) from error


def load_tokenizer(source: Path | ModelFolder) -> PreTrainedTokenizerBase:
    """Return the tokenizer in a folder.

    Raises:
        LongsumError: There is none, it cannot be read, or it is not safe to load.
    """
    folder = ModelFolder.of(source)
    check_tokenizer(folder)
    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(folder.path, **_SAFE)
    # The underlying libraries raise all kinds of errors, and tokenizers have none of their own.
    except Exception as error:
        raise LongsumError(
            f"'{folder}' has no tokenizer that can be read ({type(error).__name__}); save the "
            "model together with its tokenizer."
        ) from error
    return tokenizer


def load_model(
    kind: Any,
    source: Path | ModelFolder,
    config: PreTrainedConfig | None = None,
    *,
    new: Collection[str] = (),
    spare: Collection[str] = (),
) -> Any:
    """Return the model in a folder, in evaluation mode.

    Args:
        kind: A class of models, or an Auto class of `transformers`.
        source: The folder.
        config: Its settings, if they are read already.
        new: Parts of the names of weights that may be missing, and are then random.
        spare: Parts of the names of weights that may be present although the model does not use
            them.

    Raises:
        LongsumError: It is not safe to load, a file is damaged, or the weights are not those of
            its settings.
    """
    folder = check_model(source)
    config = load_config(folder) if config is None else config
    try:
        model, found = kind.from_pretrained(
            folder, config=config, use_safetensors=True, output_loading_info=True, **_SAFE
        )
    except LongsumError:
        raise
    # Weights that do not fit the settings fail in many ways.
    except Exception as error:
        raise LongsumError(
            f"The weights of the model in '{folder}' cannot be loaded ({type(error).__name__}); "
            "save or fetch the model again as safetensors."
        ) from error
    for problem, words, allowed in (
        ("missing_keys", "lacks", new),
        ("unexpected_keys", "has no place for", spare),
    ):
        names = sorted(name for name in found[problem] if not any(part in name for part in allowed))
        if names:
            raise LongsumError(
                f"The settings of the model in '{folder}' do not match its weights: it {words} "
                f"{names[0]} ({len(names)} such weights); give what belongs together."
            )
    copy_from_files(model)
    folder.check_same_weights()
    model.name_or_path = model.config.name_or_path = str(folder)
    return model.eval()


def weights_of(kind: type[PreTrainedModel], config: PreTrainedConfig) -> dict[str, Tensor]:
    """Return the weights that settings require, without allocating them.

    Raises:
        LongsumError: The settings make no model.
    """
    try:
        with init.no_init_weights(), torch.device("meta"):
            return kind(config).state_dict()
    except LongsumError:
        raise
    # A checkpoint's content may be wrong in any way.
    except Exception as error:
        raise LongsumError(
            f"The checkpoint's settings make no model ({_first_line(error)}); give one whose "
            "settings are whole."
        ) from error


def _first_line(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 160 else f"{text[:160]}…"
