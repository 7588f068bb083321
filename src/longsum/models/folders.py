"""The folder of a model: found here or on the Hugging Face Hub, and checked before it is used."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from longsum.errors import LongsumError
from longsum.models.settings_file import (
    ADAPTER_CONFIG,
    CONFIG,
    GENERATION_CONFIG,
    TOKENIZER_CONFIG,
    check_against,
    check_followed,
    check_settings,
    read_settings_file,
)
from longsum.models.weight_files import read_shapes

TOKENIZER_FILES = ("*.json", "*.txt", "*.model")
DATA_FILES = (*TOKENIZER_FILES, "*.safetensors")
"""What a model and its tokenizer need, and none of it can run code."""

HUB_ID = re.compile(r"\w[\w.\-]*/\w[\w.\-]*")
"""What names a model on the Hugging Face Hub: its owner and its name."""


def find_folder(
    path_or_id: str | Path, files: Sequence[str] = DATA_FILES, **hub: str | bool | None
) -> Path:
    """Return the folder of a model; one on the Hub is fetched, without files that can run code.

    Args:
        path_or_id: A folder, or an id on the Hub.
        files: Which files are fetched.
        **hub: How they are fetched: options of `huggingface_hub.snapshot_download`.

    Raises:
        LongsumError: There is none, or it cannot be fetched.
    """
    if Path(path_or_id).is_dir():
        return Path(path_or_id)
    name = str(path_or_id)
    if Path(path_or_id).exists():
        raise LongsumError(f"'{name}' is a file; give the folder of a model.")
    if not HUB_ID.fullmatch(name):
        raise LongsumError(
            f"There is no folder '{name}'; give the folder of a model, or its id on the Hugging "
            "Face Hub as owner/name."
        )
    return _fetch(name, tuple(files), tuple(sorted(hub.items())))


def check_model(path_or_id: str | Path) -> Path:
    """Find the folder of a model, and refuse one that is not safe to load or not whole.

    What takes long to import can wait until this has passed.

    Args:
        path_or_id: A folder, or an id on the Hub.

    Returns:
        The folder.

    Raises:
        LongsumError: What `find_folder`, `check_folder` and `read_shapes` raise, or the settings
            are larger than the weights.
    """
    folder = find_folder(path_or_id)
    settings = check_folder(folder)
    check_against(settings, read_shapes(folder), folder / CONFIG)
    return folder


def check_folder(folder: Path) -> dict[str, Any]:
    """Refuse the folder of a model whose settings are not safe to follow.

    Returns:
        The settings of the model.

    Raises:
        LongsumError: There are none, or they or those of the tokenizer name code, other files or
            sizes that no model has; or there is an adapter, which would bring a model of its own.
    """
    if (folder / ADAPTER_CONFIG).is_file():
        raise LongsumError(
            f"'{folder}' holds an adapter; merge it into its model first (merge_and_unload of "
            "PEFT), and give the folder of the whole."
        )
    settings = read_settings_file(folder / CONFIG)
    check_settings(settings, folder / CONFIG)
    if (folder / GENERATION_CONFIG).is_file():
        check_settings(read_settings_file(folder / GENERATION_CONFIG), folder / GENERATION_CONFIG)
    check_tokenizer(folder)
    return settings


def check_tokenizer(folder: Path) -> None:
    """Refuse a tokenizer whose settings, or those of its model, name code or other files.

    Raises:
        LongsumError: They do, or they cannot be read.
    """
    for path in (folder / CONFIG, folder / TOKENIZER_CONFIG):
        if path.is_file():
            check_followed(read_settings_file(path), path)


@cache
def _fetch(name: str, files: tuple[str, ...], hub: tuple[tuple[str, Any], ...] = ()) -> Path:
    """Fetch a model from the Hub, or find the copy that an earlier run has kept.

    Raises:
        LongsumError: Neither is there.
    """
    from huggingface_hub import errors, snapshot_download
    from huggingface_hub.constants import HF_HUB_OFFLINE

    try:
        return Path(snapshot_download(name, allow_patterns=list(files), **dict(hub)))
    except (errors.GatedRepoError, errors.RepositoryNotFoundError) as error:
        raise LongsumError(
            f"There is no folder '{name}', and no model of that name on the Hugging Face Hub that "
            "you may read; see that the name is right, or log in with 'hf auth login'."
        ) from error
    except errors.HFValidationError as error:
        raise LongsumError(
            f"There is no folder '{name}', and no model on the Hugging Face Hub can have that "
            "name; give a folder, or an id as owner/name."
        ) from error
    # What the client and the library below it raise without a network is of many kinds.
    except Exception as error:
        why = "HF_HUB_OFFLINE is set" if HF_HUB_OFFLINE else _reason(error)
        raise LongsumError(
            f"The model '{name}' is no folder here, and cannot be fetched from the Hugging Face "
            f"Hub ({why}); run 'hf download {name} --local-dir FOLDER' where there is a network, "
            "bring the folder here, and give it in place of the name, as in --model FOLDER."
        ) from error


def _reason(error: BaseException) -> str:
    """Say in a word or two why nothing could be fetched."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    cause = error.__cause__
    if isinstance(error, LocalEntryNotFoundError) and cause is not None:
        error = cause
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return f"it answers with status {status}"
    strerror = getattr(error, "strerror", None)
    return str(strerror) if strerror else "it cannot be reached from here"
