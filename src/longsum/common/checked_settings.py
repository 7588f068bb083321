"""External settings: validated as dataclasses by pydantic, and checked against their kind."""

import json
from collections.abc import Collection, Hashable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, TypeVar, cast

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from longsum.common.errors import LongsumError

T = TypeVar("T")

CLOSED = ConfigDict(extra="forbid")
"""The `__pydantic_config__` of settings: no extra fields."""
LARGEST = 1_000_000_000
"""The largest accepted size: floats and arrays can hold it."""
Size = Annotated[int, Field(ge=1, le=LARGEST)]
Count = Annotated[int, Field(ge=0)]
_LIMITS = {"ge": "{:,.10g} or more", "le": "at most {:,.10g}", "gt": "a number above {:,.10g}"}


def parse_settings(kind: type[T], values: Any, place: str) -> T:
    """Make settings from plain JSON-like data; missing fields have their defaults.

    Args:
        kind: The type: a dataclass, possibly nested, or any type that pydantic knows.
        values: Its fields, by their names.
        place: What they belong to, for messages.

    Raises:
        LongsumError: Names the first value that does not fit, and why.
    """
    try:
        made: T = adapter_of(cast(Hashable, kind)).validate_json(
            json.dumps(values, default=repr), strict=True
        )
        return made
    except ValidationError as error:
        raise LongsumError(_sentence(error, kind, place)) from None


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Return pydantic's validator of a type."""
    return TypeAdapter(kind)


def _sentence(error: ValidationError, kind: Any, place: str) -> str:
    """Return a message about the first invalid value."""
    first = error.errors()[0]
    names = [place, *map(str, first["loc"])]
    if first["type"] == "unexpected_keyword_argument":
        *inside, name = names
        return f"{'.'.join(inside)} has no setting {name!r}; {_known(kind, inside[1:])}."
    problem = f": it {first['msg'].removeprefix('Input ')}"
    for limit, wanted in _LIMITS.items():
        if limit in first.get("ctx", ()):
            problem = f"; give {wanted.format(first['ctx'][limit])}"
    return f"{'.'.join(names)} cannot be {first['input']!r}{problem}."


def _known(kind: Any, inside: list[str]) -> str:
    for name in inside:
        found = next(field.type for field in fields(kind) if field.name == name)
        kind = next(part for part in (found, *getattr(found, "__args__", ())) if is_dataclass(part))
    names = sorted(field.name for field in fields(kind))
    return f"choose among {', '.join(names)}" if names else "it has none"


def check_settings_of_kind(
    settings: Any, known: Mapping[str, Collection[str]], common: Collection[str], what: str
) -> None:
    """Reject settings that their kind does not have, unless they have their defaults.

    An unknown kind is not reported here; whatever builds it lists the known ones.

    Args:
        settings: A dataclass with a field `kind`.
        known: The fields of each kind.
        common: Fields that all kinds have.
        what: What is set, as the subject of a sentence.
    """
    if settings.kind not in known:
        return
    own = {"kind", *common, *known[settings.kind]}
    for field in fields(settings):
        if field.name not in own and getattr(settings, field.name) != field.default:
            others = [kind for kind, names in known.items() if field.name in names]
            has = "has" if len(others) == 1 else "have"
            raise LongsumError(
                f"{what} of kind {settings.kind!r} has no {field.name}; {_listed(others)} {has} "
                "it. Leave it out, or choose another kind."
            )


def _listed(kinds: Collection[str]) -> str:
    *others, last = map(repr, kinds)
    return f"{', '.join(others)} and {last}" if others else last
