"""Settings given on the command line as `key=value`, with dots into tables."""

import json
from collections.abc import Sequence
from typing import Any

from longsum.errors import LongsumError


def parse_assignments(words: Sequence[str]) -> dict[str, Any]:
    """Read `key=value` words into a nested dict.

    A value is JSON where it can be, and else YAML; so `1e-4` is a number, `16384` too, `null` and
    nothing at all are None, and `tile` is a word. `a.b=1` is `{"a": {"b": 1}}`.

    Raises:
        LongsumError: A word has no `=` or no name before it, its value cannot be read, or it sets
            what another one has set.
    """
    settings: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        parts = key.split(".")
        if not equals or not all(parts):
            raise LongsumError(f"'{word}' sets nothing; write key=value.")
        *tables, name = parts
        place = settings
        for table in tables:
            place = place.setdefault(table, {})
            if not isinstance(place, dict):
                raise LongsumError(f"'{word}' contradicts '{table}', which is set too; keep one.")
        if name in place:
            raise LongsumError(f"'{key}' is set twice; set it once.")
        place[name] = _value(word, text)
    return settings


def _value(word: str, text: str) -> Any:
    import yaml

    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise LongsumError(
            f"The value of '{word}' cannot be read; write a number, a word, true, false, null or "
            "JSON."
        ) from None
