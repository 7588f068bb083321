"""The settings of extractive models as nested plain data, and those in the folder of a model."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import EtcConfig, FlatConfig, HibertConfig
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.settings_file import CONFIG, check_settings

MODEL_TYPE = "longsum_extractor"
PREFIX = "extractor."
"""What the names of the weights begin with."""

SETTINGS: Mapping[str, type[Any]] = {"hibert": HibertConfig, "etc": EtcConfig, "flat": FlatConfig}
"""The settings of each architecture, a dataclass."""


def folder_settings(folder: ModelFolder) -> Any:
    """Return the settings of the extractive model in a folder, a value of one of `SETTINGS`.

    Raises:
        LongsumError: It contains none, or what it says of it cannot be used.
    """
    if folder.model_type != MODEL_TYPE:
        raise LongsumError(
            f"'{folder}' holds no extractive model of longsum; give the folder of one."
        )
    check_settings(folder.settings, folder.path / CONFIG)
    return read_settings(str(folder.settings.get("architecture")), folder.settings.get("settings"))


def read_settings(architecture: str, values: Any) -> Any:
    """Make the settings of a model from nested plain data; what is not given has its default.

    Args:
        architecture: A key of `SETTINGS`.
        values: A mapping of fields; nested settings are mappings themselves.

    Raises:
        LongsumError: The architecture or a field is unknown, or a value is of the wrong type.
    """
    kind = SETTINGS[known_architecture(architecture)]
    _reject_unknown(kind, values, "")
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise LongsumError(
            f"The settings of a model '{architecture}' cannot be used: "
            f"'{place}': {first['msg'].lower()}."
        ) from None


def write_settings(settings: Any) -> dict[str, Any]:
    """Return settings as nested plain data, as JSON holds it."""
    found: dict[str, Any] = TypeAdapter(type(settings)).dump_python(settings, mode="json")
    return found


def known_architecture(name: str) -> str:
    """Return the name of an architecture.

    Raises:
        LongsumError: There is none of that name.
    """
    if name not in SETTINGS:
        raise LongsumError(
            f"There is no extractive model '{name}'; choose one of {', '.join(SETTINGS)}."
        )
    return name


def _reject_unknown(kind: Any, values: Any, inside: str) -> None:
    """Refuse fields that a dataclass, or one nested in it, does not have."""
    if not is_dataclass(kind) or not isinstance(values, Mapping):
        return
    hints = get_type_hints(kind)
    known = [field.name for field in fields(kind)]
    for name, value in values.items():
        if name not in known:
            raise LongsumError(
                f"An extractive model has no setting '{inside}{name}'; "
                f"choose among {', '.join(known)}."
            )
        _reject_unknown(hints[name], value, f"{inside}{name}.")
