"""The defaults of settings and functions, package by package.

A default is part of what the package does, as its options and files are: it changes on purpose, and
the CHANGELOG says so. They are recorded by `python tests/support/recorded_defaults.py`.
"""

import dataclasses
import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

TESTS = Path(__file__).parents[1]
ROOMS = (
    *("common", "language", "documents", "core", "checking", "dossiers", "writers", "evaluation"),
    *("models", "tables", "lab", "batch", "service", "agents", "cli"),
)


def defaults_of(room: str) -> dict[str, dict[str, str]]:
    """Return the defaults of each public data class and function of a package."""
    found: dict[str, dict[str, str]] = {}
    for module in _modules(room):
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", "") != module.__name__:
                continue
            if name == "read_apart":  # what `conftest.py` puts another in the place of
                continue
            if kept := dict(_defaults(value)):
                found[f"{module.__name__.removeprefix('longsum.')}:{name}"] = kept
    return found


def _modules(room: str) -> Iterator[ModuleType]:
    package = importlib.import_module(f"longsum.{room}")
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        name = each.name.rpartition(".")[2]
        # What imports a package that tests can do without is left out.
        if not name.startswith("__") and name != "inspect_tasks":
            yield importlib.import_module(each.name)


def _defaults(value: Any) -> Iterator[tuple[str, str]]:
    if inspect.isclass(value):
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                if not field.name.startswith("_") and _is_plain(field.default):
                    yield field.name, repr(field.default)
            return
        for name, held in vars(value).items():
            method = getattr(held, "__func__", held)
            if inspect.isfunction(method) and (name == "__init__" or not name.startswith("_")):
                for parameter, default in _of_signature(method):
                    yield f"{name}({parameter})", default
    elif inspect.isfunction(value):
        yield from _of_signature(value)


def _of_signature(function: Any) -> Iterator[tuple[str, str]]:
    for name, parameter in inspect.signature(function).parameters.items():
        if _is_plain(parameter.default):
            yield name, repr(parameter.default)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    # What is None is left out: there is no other value to take it for.
    return type(value) in (bool, int, float, str)


def check_defaults(room: str) -> None:
    """Compare the defaults of a package with its record."""
    recorded = json.loads((TESTS / room / "defaults.json").read_text(encoding="utf-8"))
    found = defaults_of(room)
    changed = {name for name in recorded | found if recorded.get(name) != found.get(name)}
    assert not changed, f"{sorted(changed)}: see tests/support/recorded_defaults.py"


if __name__ == "__main__":
    for each in ROOMS:
        text = json.dumps(defaults_of(each), indent=1, ensure_ascii=False)
        (TESTS / each / "defaults.json").write_text(f"{text}\n", encoding="utf-8")
