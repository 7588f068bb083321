"""Settings of which each kind has some: what belongs to another kind is refused, not left."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from longsum.common.errors import LongsumError


def check_settings_of_kind(
    settings: Any, known: Mapping[str, Collection[str]], common: Collection[str], what: str
) -> None:
    """Check that settings differ from their defaults only where their kind has them.

    Of a kind that is unknown nothing is said: whoever builds it names those that there are.

    Args:
        settings: A dataclass with a field `kind`.
        known: The fields of each kind.
        common: Fields that all kinds have.
        what: What is set, as the subject of a sentence.

    Raises:
        LongsumError: They do not.
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
