"""The folder of a model: found here or on the Hugging Face Hub, and checked before it is used."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_yaml
from longsum.core.model_files.settings_file import (
    ADAPTER_CONFIG,
    CONFIG,
    GENERATION_CONFIG,
    TOKENIZER,
    TOKENIZER_CONFIG,
    check_against,
    check_followed,
    check_settings,
    read_settings_file,
    read_tokenizer_file,
)
from longsum.core.model_files.weight_files import read_shapes, weight_files, weights_sha256

CHAT_TEMPLATE = "chat_template.jinja"
"""The template of conversations; it runs in a separate process (`longsum.models.writing`)."""

TRAINING = "training.yaml"
"""What `longsum train` writes into a model's folder: its recipe and all of its settings."""

TOKENIZER_FILES = ("*.json", "*.txt", "*.model", CHAT_TEMPLATE)
DATA_FILES = (*TOKENIZER_FILES, TRAINING, "*.safetensors")
"""The files needed by a model and its tokenizer, none of which can run code in this process."""

# Files that tokenizers read besides their settings; none can run code.
_TOKENIZERS = (
    TOKENIZER,
    "vocab.json",
    "merges.txt",
    "vocab.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
    "special_tokens_map.json",
    "added_tokens.json",
)

_MAX_TEMPLATE_BYTES = 2**20

HUB_ID = re.compile(r"\w[\w.\-]*/\w[\w.\-]*")
"""The id of a model on the Hugging Face Hub: its owner and name."""


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
    # Beside folders that are here, it is the misspelled name of one, which nobody else need learn.
    if not HUB_ID.fullmatch(name) or Path(path_or_id).parent.is_dir():
        raise LongsumError(
            f"There is no folder '{name}'; give the folder of a model, or its id on the Hugging "
            "Face Hub as owner/name."
        )
    return _fetch(name, tuple(files), tuple(sorted(hub.items())))


def _files_state(folder: Path) -> list[tuple[int, ...]]:
    """Return the state that shows whether weight files were written or replaced."""
    found = [path.stat() for path in weight_files(folder)]
    return [(each.st_dev, each.st_ino, each.st_size, each.st_mtime_ns) for each in found]


@dataclass(frozen=True)
class ModelFolder(os.PathLike[str]):
    """The folder of a model; each of its small files is read once, when first needed.

    Later changes to the files are not seen: make a new `ModelFolder` after one. Properties whose
    file cannot be read raise a `LongsumError`.

    Attributes:
        path: The folder.
        name: What the model is called: its id on the Hub, or the name of its folder.
    """

    path: Path
    name: str

    @classmethod
    def at(
        cls,
        source: "ModelPath",
        files: Sequence[str] = DATA_FILES,
        **hub: str | bool | None,
    ) -> "ModelFolder":
        """Find the folder of a model; see `find_folder`.

        Args:
            source: A folder, or an id on the Hub. A `ModelFolder` is returned as it is.
            files: Which files are fetched.
            **hub: How they are fetched.

        Raises:
            LongsumError: As `find_folder`.
        """
        if isinstance(source, ModelFolder):
            return source
        path = find_folder(source, files, **hub)
        return cls.of(path) if Path(source).is_dir() else cls(path, str(source))

    @classmethod
    def of(cls, folder: "Path | ModelFolder") -> "ModelFolder":
        """Return the value of a folder of this machine, which need not exist."""
        return folder if isinstance(folder, ModelFolder) else cls(folder, folder.resolve().name)

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """What `config.json` holds, not yet checked: see `check_folder`."""
        return read_settings_file(self.path / CONFIG)

    @property
    def model_type(self) -> object:
        """What `config.json` gives as the type of the model."""
        return self.settings.get("model_type")

    @cached_property
    def generation_settings(self) -> Mapping[str, Any]:
        """What `generation_config.json` holds, not yet checked; empty where there is none."""
        return self._read_optional(GENERATION_CONFIG)

    @cached_property
    def tokenizer_settings(self) -> Mapping[str, Any]:
        """What `tokenizer_config.json` holds, not yet checked; empty where there is none."""
        return self._read_optional(TOKENIZER_CONFIG)

    @cached_property
    def chat_template(self) -> str | None:
        """How a conversation with the model is written; None if it takes none."""
        if self.settings.get("is_encoder_decoder"):
            return None
        path = self.path / CHAT_TEMPLATE
        if path.is_file():
            try:
                if path.stat().st_size > _MAX_TEMPLATE_BYTES:
                    raise ValueError(path)
                return path.read_text(encoding="utf-8")
            except (OSError, ValueError):
                raise LongsumError(
                    f"'{path}' cannot be read as a template; fetch the model again."
                ) from None
        stated = self.tokenizer_settings.get("chat_template")
        for each in stated if isinstance(stated, list) else ():
            if isinstance(each, dict) and each.get("name") == "default":
                stated = each.get("template")
        return stated if isinstance(stated, str) else None

    @cached_property
    def training(self) -> Mapping[str, Any] | None:
        """The recipe and settings that `longsum train` made the model with; None if it did not."""
        path = self.path / TRAINING
        if not path.is_file():
            return None
        try:
            found = parse_yaml(path.read_text(encoding="utf-8"))
            if not found:
                return None
            return {**found, "recipe": str(found["recipe"]), "settings": {**found["settings"]}}
        except (OSError, ValueError, KeyError, TypeError):
            raise LongsumError(
                f"The model in '{self.name}' cannot be read, since its {TRAINING} is damaged; "
                "train or fetch it again."
            ) from None

    @property
    def tokenizer_files(self) -> list[Path]:
        """The files that a tokenizer reads, besides its settings; empty without a tokenizer."""
        return [path for name in _TOKENIZERS if (path := self.path / name).is_file()]

    @cached_property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of each weight; see `read_shapes`."""
        return read_shapes(self.path)

    @cached_property
    def weights_sha256(self) -> str:
        """The hash of the weights, which identifies the model whatever it is called."""
        self.check_same_weights()
        found = weights_sha256(self.path)
        self.check_same_weights()
        return found

    def check_same_weights(self) -> None:
        """Check that the weights are those that were loaded or hashed before.

        Raises:
            LongsumError: A file was written or replaced since; or as `weight_files`.
        """
        if self._weights_seen != _files_state(self.path):
            raise LongsumError(
                f"The weights in '{self.path}' have changed since they were first read; load the "
                "model again."
            )

    @cached_property
    def _weights_seen(self) -> Sequence[tuple[int, ...]]:
        return _files_state(self.path)

    def _read_optional(self, name: str) -> Mapping[str, Any]:
        path = self.path / name
        return read_settings_file(path) if path.is_file() else {}


ModelPath = str | Path | ModelFolder
"""Where a model is: a folder, an id on the Hugging Face Hub, or what was made of either."""


def check_local(folder: str | Path) -> None:
    """Refuse a name that is not that of a folder on this machine; nothing is fetched."""
    if not Path(folder).is_dir():
        raise LongsumError(f"There is no folder '{folder}'; give that of a model, on this machine.")


def check_model(source: ModelPath) -> ModelFolder:
    """Find the folder of a model, and refuse one that is not safe to load or not whole.

    It imports nothing slow, so that a wrong folder is refused at once.

    Args:
        source: A folder, or an id on the Hub.

    Raises:
        LongsumError: What `find_folder`, `check_folder` and `read_shapes` raise, or the settings
            are larger than the weights.
    """
    folder = ModelFolder.at(source)
    settings = check_folder(folder)
    folder.check_same_weights()
    check_against(settings, folder.shapes, folder.path / CONFIG)
    return folder


def check_folder(source: Path | ModelFolder) -> Mapping[str, Any]:
    """Return a model's settings; refuse its folder if they are not safe to follow.

    Raises:
        LongsumError: There are none, or they or those of the tokenizer name code, other files or
            sizes that no model has; or there is an adapter, which would load another model.
    """
    folder = ModelFolder.of(source)
    path = folder.path
    if (path / ADAPTER_CONFIG).is_file():
        raise LongsumError(
            f"'{folder}' holds an adapter; merge it into its model first (merge_and_unload of "
            "PEFT), and give the folder of the whole."
        )
    check_settings(folder.settings, path / CONFIG)
    check_settings(folder.generation_settings, path / GENERATION_CONFIG)
    check_tokenizer(folder)
    return folder.settings


def check_tokenizer(source: Path | ModelFolder) -> None:
    """Refuse a tokenizer whose settings, or those of its model, name code or other files.

    Raises:
        LongsumError: They do, they cannot be read, or what `read_tokenizer_file` raises.
    """
    folder = ModelFolder.of(source)
    if (folder.path / CONFIG).is_file():
        check_followed(folder.settings, folder.path / CONFIG)
    check_followed(folder.tokenizer_settings, folder.path / TOKENIZER_CONFIG)
    if (folder.path / TOKENIZER).is_file():
        read_tokenizer_file(folder.path / TOKENIZER)


@cache
def _fetch(name: str, files: tuple[str, ...], hub: tuple[tuple[str, Any], ...] = ()) -> Path:
    """Fetch a model from the Hub, or find the copy that an earlier run has kept."""
    from huggingface_hub import errors, snapshot_download
    from huggingface_hub.constants import HF_HUB_OFFLINE

    try:
        return Path(snapshot_download(name, allow_patterns=list(files), **dict(hub)))
    except (errors.GatedRepoError, errors.RepositoryNotFoundError) as error:
        raise LongsumError(
            f"There is no folder '{name}', and no model of that name on the Hugging Face Hub that "
            "you may read; check the name, or log in with 'hf auth login'."
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
            f"The model '{name}' is not a folder here, and cannot be fetched from the Hugging Face "
            f"Hub ({why}); run 'hf download {name} --local-dir FOLDER' where there is a network, "
            "bring the folder here, and give it in place of the name, as in --model FOLDER or, to "
            "train, checkpoint=FOLDER."
        ) from error


def _reason(error: BaseException) -> str:
    """Return in a word or two why nothing could be fetched."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    cause = error.__cause__
    if isinstance(error, LocalEntryNotFoundError) and cause is not None:
        error = cause
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return f"it answers with status {status}"
    strerror = getattr(error, "strerror", None)
    return str(strerror) if strerror else "it cannot be reached from here"
