"""Parses untrusted JSON and YAML: values of bounded depth, or a `ValueError` that says why."""

import json
import math
import sys
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

_DEEPEST = 200
_LONGEST = 1_000_000
# Maximum characters of a YAML value: a number of this length, in base 16 or 60, can be printed.
_LONGEST_VALUE = 3_500
# Maximum lists and tables in a YAML text, counting each repetition by aliases.
_MOST = 100_000
_TOO_DEEP = "it is nested too deeply"


def parse_json(text: str | bytes, **options: Any) -> Any:
    """Return the value of a JSON text; options are those of `json.loads`.

    Raises:
        ValueError: It is not JSON, nested too deeply, or has a number with thousands of digits.
    """
    try:
        value = json.loads(text, **options)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError as error:
        if "integer string conversion" not in str(error):
            raise
        digits = sys.get_int_max_str_digits()
        raise ValueError(f"a number in it has more than {digits:,} digits") from None
    _check_shape(value, math.inf)
    return value


def encodable(value: Any) -> Any:
    """Return JSON values without lone surrogates, which UTF-8 cannot encode."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {encodable(name): encodable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(inner) for inner in value]
    return value


def shipped_yaml(package: str, name: str) -> Any:
    """Return the value of a YAML file in one of our packages."""
    return parse_yaml(files(package).joinpath(name).read_text(encoding="utf-8"))


def parse_yaml(text: str) -> Any:
    """Return the value of a YAML text, which may have aliases but no merge keys (`<<`).

    Raises:
        ValueError: It is not YAML, or too long, or too large with its aliases; or as `parse_json`.
    """
    import yaml

    if len(text) > _LONGEST:
        raise ValueError(f"it has more than {_LONGEST:,} characters")
    loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _check_events(yaml.parse(text, loader))
        value = yaml.load(text, loader)
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        # Since 6.0.4, PyYAML also limits the depth.
        raise ValueError(_TOO_DEEP if "nesting depth" in reason else reason) from None
    # A tag, such as `!!bool`, precedes a value of another type.
    except (LookupError, AttributeError, TypeError, OverflowError):
        raise ValueError("a value in it is not what its tag says") from None
    _check_shape(value, _MOST)
    return value


def _check_events(events: Iterable[Any]) -> None:
    """Reject a YAML text that would exhaust the stack or memory while loading."""
    import yaml

    depth = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise ValueError(_TOO_DEEP)
        if isinstance(event, yaml.ScalarEvent):
            if event.value == "<<":
                raise ValueError("it has a merge key (<<)")
            if len(event.value) > _LONGEST_VALUE:
                raise ValueError(f"a value in it has more than {_LONGEST_VALUE:,} characters")


def _check_shape(value: Any, most: float) -> None:
    """Reject values that are nested too deeply or too many, counting repetitions by aliases."""
    level = [value]
    for _ in range(_DEEPEST + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        most -= len(level)
        if most < 0:
            raise ValueError("it repeats itself too often")
        if not level:
            return
    raise ValueError(_TOO_DEEP)
