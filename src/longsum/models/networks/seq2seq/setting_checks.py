"""Checks of settings that come from outside as dicts: their names, types and sizes."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from longsum.common.errors import LongsumError


def checked(
    place: str,
    settings: Mapping[str, Any],
    kind: type[Any],
    other: Mapping[str, Any] | None = None,
    may_be_zero: Collection[str] = (),
) -> Mapping[str, Any]:
    """Return fields of a dataclass once their names, types and sizes are checked.

    Args:
        place: What the settings belong to.
        settings: The fields that are given.
        kind: The dataclass.
        other: Types of fields that differ from the dataclass's own.
        may_be_zero: Fields of sizes that may be 0; others are 1 or more.

    Raises:
        LongsumError: A field is unknown or has an impossible value.
    """
    reject_unknown(place, settings, {field.name for field in fields(kind)})
    hints = {**get_type_hints(kind), **(other or {})}
    for name, value in settings.items():
        check_type(f"{place}.{name}", value, hints[name])
        if hints[name] is int and name != "seed":
            check_minimum(f"{place}.{name}", value, 0 if name in may_be_zero else 1)
    return settings


def check_type(name: str, value: Any, hint: Any) -> None:
    """Check that a value is of a type.

    Raises:
        LongsumError: It is not.
    """
    try:
        _validator(hint).validate_python(value, strict=True)
    except ValidationError as error:
        problem = error.errors()[0]["msg"].removeprefix("Input ")
        raise LongsumError(f"{name} cannot be {value!r}: it {problem}.") from None


def check_minimum(name: str, value: int, minimum: int) -> None:
    """Check that a number is not too small.

    Raises:
        LongsumError: It is.
    """
    if value < minimum:
        raise LongsumError(f"{name} cannot be {value}; give {minimum} or more.")


@cache
def _validator(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(hint)


def reject_unknown(name: str, settings: Mapping[str, Any], known: set[str]) -> None:
    """Check that settings have no names but known ones.

    Raises:
        LongsumError: They have.
    """
    unknown = sorted(set(settings) - known)
    if unknown:
        others = f"choose among {', '.join(sorted(known))}" if known else "it has none"
        raise LongsumError(f"{name} has no setting {unknown[0]!r}; {others}.")
