"""The extractive models by name, and their settings as nested plain data."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from longsum.errors import LongsumError
from longsum.models.extractive.etc import EtcSum
from longsum.models.extractive.extractor_settings import EtcConfig, FlatConfig, HibertConfig
from longsum.models.extractive.flat import FlatSum
from longsum.models.extractive.hibert import Hibert
from longsum.models.extractive.units import ExtractiveModel

Kinds = tuple[type[Any], Callable[[Any], ExtractiveModel]]
"""The settings of a model, a dataclass, and the class made from them alone."""

ARCHITECTURES: dict[str, Kinds] = {
    "hibert": (HibertConfig, Hibert),
    "etc": (EtcConfig, EtcSum),
    "flat": (FlatConfig, FlatSum),
}


def architecture_of(model: ExtractiveModel) -> str:
    """Return the name of a model's architecture.

    Raises:
        LongsumError: It has none.
    """
    for name, (_, kind) in ARCHITECTURES.items():
        if type(model) is kind:
            return name
    raise LongsumError(
        f"{type(model).__name__} cannot be saved; take one of {', '.join(ARCHITECTURES)}."
    )


def build(architecture: str, settings: Any) -> ExtractiveModel:
    """Make a model with weights of its own.

    Args:
        architecture: A key of `ARCHITECTURES`.
        settings: What `read_settings` returned.
    """
    return _kinds(architecture)[1](settings)


def read_settings(architecture: str, values: Any) -> Any:
    """Make the settings of a model from nested plain data; what is not given has its default.

    Args:
        architecture: A key of `ARCHITECTURES`.
        values: A mapping of fields; nested settings are mappings themselves.

    Raises:
        LongsumError: The architecture or a field is unknown, or a value is of the wrong type.
    """
    kind = _kinds(architecture)[0]
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


def _kinds(architecture: str) -> Kinds:
    if architecture not in ARCHITECTURES:
        raise LongsumError(
            f"There is no extractive model '{architecture}'; "
            f"choose one of {', '.join(ARCHITECTURES)}."
        )
    return ARCHITECTURES[architecture]


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
