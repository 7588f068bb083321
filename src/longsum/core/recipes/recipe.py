"""The fields of a recipe, and how it is read."""

from collections.abc import Hashable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import ConfigDict, Field, ValidationError

from longsum.common.checked_settings import adapter_of
from longsum.common.errors import LongsumError
from longsum.common.names import is_file
from longsum.common.structured_text import parse_yaml
from longsum.common.wording import did_you_mean, quote

# A recipe file describes a system, and under `variants`, its last field, systems that differ from
# it in a few settings: name by name a title, a paper, and what is changed. Tables are merged as by
# `merged`; null leaves out what the recipe has.

T = TypeVar("T")
Metric = Literal["rouge1", "rouge2", "rougeL", "rougeLsum"]
Percent = Annotated[float, Field(ge=0, le=100)]

SHORTHANDS = {"data": "names"}
"""Tables of settings that may be given as a word, with the entry that the word sets."""
DEFAULT = "stepwise"
"""The system that summarizes where none is named."""

_NO_RECIPES = frozenset({"published"})
_VARIANTS = "variants"
# Fields that a variant does not inherit.
_OWN = frozenset({"name", "title", "paper", "published", _VARIANTS})


@dataclass(frozen=True, slots=True)
class Published:
    """Scores printed in a paper, to compare ours with.

    Attributes:
        table: Where they are, for example `Table 2`, with the name of a paper that quotes them.
        data: The data set, with the setting where there are several.
        scores: Metric to value in percent, as printed: `rouge1`, `rouge2`, and `rougeL` or
            `rougeLsum`, by how the paper computes it
            (`longsum.evaluation.metrics.reference_scores.METRICS`).
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    table: str
    data: str
    scores: Mapping[Metric, Percent]


@dataclass(frozen=True, slots=True)
class Recipe:
    """One system of a paper: its parts, settings, data and published scores.

    Attributes:
        name: Its name for users: the file's name, or that of a variant in it.
        title: One line on what it does.
        paper: The paper, with the place.
        kind: Which class builds it (`longsum.core.loading`).
        settings: Fields of that class's configuration; what is absent keeps its default.
        data: Overrides of the settings by data set.
        published: Scores of the paper.
        tasks: The paper's other tasks by their names there, each with the settings that `longsum
            train` takes for it.
        state: Whether it can be used: `ready`, `evaluation only`, or `train first`.
    """

    name: str
    title: str
    paper: str
    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    tasks: Mapping[str, str] = field(default_factory=dict)
    state: Literal["ready", "evaluation only", "train first"] = "ready"

    def with_settings(self, overrides: Mapping[str, Any]) -> "Recipe":
        """Return the recipe with some settings replaced, those within settings one by one."""
        return replace(self, settings=merged(self.settings, overrides))


def merged(settings: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings overridden by others; where both are tables, entry by entry.

    A table that gets another `kind` is replaced, since the settings of one kind mean nothing to
    another.
    """
    result = dict(settings)
    for name, value in overrides.items():
        held = result.get(name)
        if isinstance(held, Mapping) and isinstance(value, Mapping):
            alike = value.get("kind", held.get("kind")) == held.get("kind")
            value = merged(held, value) if alike else value
        result[name] = value
    return result


def recipe_names() -> tuple[str, ...]:
    """Return the names of all recipes, sorted."""
    return tuple(sorted(_files()))


def is_recipe(name: str) -> bool:
    """Return whether there is a recipe of a name."""
    return _place(name) is not None


def recipe_file(name: str) -> str:
    """Return the name of the file that describes a recipe, itself or as a variant."""
    return f"{_files()[name]}.yaml"


def _place(name: str) -> str | None:
    """Return the file, without its ending, that describes a recipe; None if there is none."""
    # Most recipes have a file of their own: to look into all for variants takes 60 ms.
    return name if name in _own_files() else _files().get(name)


@cache
def _own_files() -> frozenset[str]:
    """Return the names of the files that hold recipes, without their ending."""
    paths = (Path(entry.name) for entry in files("longsum.core.recipes").iterdir())
    stems = (path.stem for path in paths if path.suffix == ".yaml")
    return frozenset(stem for stem in stems if stem not in _NO_RECIPES)


@cache
def _content(file: str) -> Any:
    """Return the parsed content of a recipe file."""
    entry = files("longsum.core.recipes").joinpath(f"{file}.yaml")
    return _parsed(entry.read_text(encoding="utf-8"), file)


@cache
def _files() -> Mapping[str, str]:
    """Return for each recipe the file that describes it, without its ending."""
    found: dict[str, str] = {}
    for file in _own_files():
        found |= dict.fromkeys([file, *_content(file).get(_VARIANTS, ())], file)
    return found


def recipes() -> Iterator[Recipe]:
    """Read every recipe, in order of name."""
    return (load_recipe(name) for name in recipe_names())


def load_recipe(name: str | Path) -> Recipe:
    """Read a recipe by its name, or from a YAML file.

    Raises:
        LongsumError: There is no such recipe, or the file is not a valid recipe.
    """
    if (file := _place(str(name))) is not None:
        return _recipe(_content(file), str(name), None if file == str(name) else str(name))
    path = Path(name)
    if path.suffix in (".yaml", ".yml") and is_file(path):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise LongsumError(f"The recipe '{path}' cannot be read: {error}.") from None
        return parse_recipe(text, str(path))
    near = did_you_mean(str(name), recipe_names())
    raise LongsumError(f"There is no system {quote(name)}; 'longsum systems' lists them.{near}")


def parse_recipe(text: str, origin: str, variant: str | None = None) -> Recipe:
    """Read a recipe from YAML text.

    Args:
        text: The text.
        origin: Where it is from, for messages.
        variant: The name of a variant, to read that instead.

    Raises:
        LongsumError: It is not YAML, or a field is unknown or missing, or has the wrong type.
    """
    return _recipe(_parsed(text, origin), origin, variant)


def _parsed(text: str, origin: str) -> Any:
    try:
        return parse_yaml(text)
    except ValueError as error:
        raise LongsumError(
            f"The recipe '{origin}' is not valid YAML ({error}); correct it."
        ) from None


def _recipe(values: Any, origin: str, variant: str | None = None) -> Recipe:
    """Make a recipe of what a file holds, or one of its variants."""
    if isinstance(values, Mapping):
        changes = {} if variant is None else values[_VARIANTS][variant]
        values = {name: value for name, value in values.items() if name != _VARIANTS}
        if variant is not None:
            shared = {name: value for name, value in values.items() if name not in _OWN}
            values = _without_nulls(merged(shared, changes)) | {"name": variant}
    return check(Recipe, deepcopy(values), f"The recipe '{origin}'")


def _without_nulls(table: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _without_nulls(value) if isinstance(value, Mapping) else value
        for name, value in table.items()
        if value is not None
    }


def check(kind: type[T], values: Any, subject: str) -> T:
    """Make a configuration dataclass from untrusted values; unknown fields are an error.

    Raises:
        LongsumError: Names the first field that is wrong, and why.
    """
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if isinstance(values, Mapping) and (unknown := [key for key in values if key not in known]):
        raise LongsumError(
            f"{subject} has no field {quote(unknown[0])}; it may have {', '.join(sorted(known))}."
            f"{did_you_mean(str(unknown[0]), known)}"
        )
    try:
        made: T = adapter_of(cast(Hashable, kind)).validate_python(values)
        return made
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "its content"
        raise LongsumError(
            f"{subject} cannot be used: '{place}': {first['msg'].lower()}."
        ) from None
