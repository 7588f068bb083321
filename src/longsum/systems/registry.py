"""From a recipe's `kind` to the class that builds the system."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ConfigDict, TypeAdapter

from longsum.errors import LongsumError
from longsum.recipes import Recipe, load_recipe
from longsum.recipes.recipe import check
from longsum.systems.summarizer import ExtractiveSummarizer

# Module, class and configuration by kind; imported when asked for, so that one system's libraries
# do not slow another's start.
_KINDS: dict[str, tuple[str, str, str]] = {
    "graph": ("longsum.systems.graph", "Graph", "GraphConfig"),
    "kernels": ("longsum.systems.kernels", "Kernels", "KernelsConfig"),
    "lead": ("longsum.systems.sampling", "Lead", "LeadConfig"),
    "oracle": ("longsum.systems.oracle", "Oracle", "OracleConfig"),
    "systematic": ("longsum.systems.sampling", "Systematic", "SystematicConfig"),
}
_SAVED = "system.yaml"


def load_system(name: str | Path, **settings: Any) -> ExtractiveSummarizer:
    """Make a system ready to summarize.

    Args:
        name: A recipe's name (`longsum systems` lists them), a recipe file, or a folder that
            `save_system` wrote.
        settings: Settings to replace, by their names in the recipe.

    Raises:
        LongsumError: There is no such system, or a setting is unknown or impossible.

    Example:
        >>> import longsum
        >>> longsum.load_system("systematic", interval=5).settings
        {'interval': 5}
    """
    folder = Path(name)
    saved = folder / _SAVED
    recipe = load_recipe(saved if folder.is_dir() and saved.is_file() else name)
    return build_system(recipe.with_settings(settings))


def build_system(recipe: Recipe) -> ExtractiveSummarizer:
    """Make the system that a recipe describes.

    Raises:
        LongsumError: The recipe's kind or one of its settings is unknown or impossible.
    """
    if recipe.kind not in _KINDS:
        raise LongsumError(
            f"The recipe '{recipe.name}' is of the unknown kind '{recipe.kind}'; "
            f"known are {', '.join(_KINDS)}."
        )
    module_name, class_name, config_name = _KINDS[recipe.kind]
    module = import_module(module_name)
    config = check(
        getattr(module, config_name), dict(recipe.settings), f"The system '{recipe.name}'"
    )
    build = cast(Callable[[str, Any], ExtractiveSummarizer], getattr(module, class_name))
    return build(recipe.name, config)


def save_system(system: ExtractiveSummarizer, recipe: Recipe, folder: Path) -> None:
    """Write a system to a new folder, from which `load_system` makes the same one.

    Raises:
        LongsumError: The folder exists and is not empty; nothing is overwritten.
    """
    if folder.exists() and any(folder.iterdir()):
        raise LongsumError(f"The folder '{folder}' is not empty; name a new one.")
    folder.mkdir(parents=True, exist_ok=True)
    resolved = asdict(recipe.with_settings(system.settings))
    text = yaml.safe_dump(_plain(resolved), sort_keys=False, allow_unicode=True)
    (folder / _SAVED).write_text(text, encoding="utf-8")


def _plain(value: Mapping[str, Any]) -> Any:
    return TypeAdapter(dict[str, Any], config=ConfigDict()).dump_python(dict(value), mode="json")
