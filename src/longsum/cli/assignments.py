"""Settings given on the command line as `key=value`; dots lead into tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json, parse_yaml
from longsum.common.wording import quote


def parse_assignments(
    words: Sequence[str], shorthands: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Read `key=value` words into a nested dict, in any order.

    A value is parsed as JSON if possible, else as YAML; so `1e-4` and `16384` are numbers, `null`
    and an empty value are None, and `tile` is a string. `a.b=1` is `{"a": {"b": 1}}`, which may
    also be given whole, as `a={"b": 1}`.

    Args:
        words: The assignments.
        shorthands: Tables that may be given as a word, each with the entry that the word sets:
            with `{"data": "names"}`, `data=govreport` is `data.names=govreport`.

    Raises:
        LongsumError: A word has no `=` or no name before it, its value cannot be read, or two
            words set the same entry.
    """
    settings: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        path = key.split(".")
        if not equals or not all(path):
            raise LongsumError(f"'{word}' is not a setting; write key=value.")
        value = _value(word, text)
        if isinstance(value, str) and key in (shorthands or {}):
            path.append((shorthands or {})[key])
        _set(settings, path, value, word)
    return settings


def _set(settings: dict[str, Any], path: list[str], value: Any, word: str) -> None:
    """Set an entry, or the entries of a table one by one."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            _set(settings, [*path, name], inner, word)
        return
    *tables, name = path
    place = settings
    for table in tables:
        place = place.setdefault(table, {})
        if not isinstance(place, dict):
            raise LongsumError(f"'{word}' contradicts '{table}', which is set too; keep one.")
    if name in place:
        raise LongsumError(f"'{'.'.join(map(str, path))}' is set twice; set it once.")
    place[name] = value


def _value(word: str, text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        pass
    try:
        return parse_yaml(text)
    except ValueError:
        raise LongsumError(
            f"The value of {quote(word)} cannot be read; write a number, a word, true, false, null "
            "or JSON."
        ) from None
