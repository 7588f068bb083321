"""From a recipe's `kind` to the class that builds the system."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ConfigDict, TypeAdapter

from longsum.errors import LongsumError
from longsum.extras import missing_extras_explained
from longsum.files import make_folder, write_text
from longsum.models.folders import HUB_ID, check_model
from longsum.models.settings_file import CONFIG, read_settings_file
from longsum.names import is_file, is_there
from longsum.recipes import DEFAULT as DEFAULT
from longsum.recipes import Recipe, load_recipe, recipe_names
from longsum.recipes.recipe import check
from longsum.systems.extractive.summarizer import System
from longsum.threads import waiting_passively
from longsum.wording import quote

# Module, class (or what makes one) and configuration by kind; imported when asked for, so that one
# system's libraries do not slow another's start.
_KINDS: dict[str, tuple[str, str, str]] = {
    "centroid": ("longsum.systems.extractive.centroid", "Centroid", "CentroidConfig"),
    "extractor": ("longsum.systems.extractive.neural", "NeuralExtractor", "ExtractorConfig"),
    "graph": ("longsum.systems.extractive.graph", "Graph", "GraphConfig"),
    "kernels": ("longsum.systems.extractive.kernels", "Kernels", "KernelsConfig"),
    "lead": ("longsum.systems.extractive.sampling", "Lead", "LeadConfig"),
    "magnifier": (
        "longsum.systems.magnifier.length_control",
        "build_length_controlled",
        "LengthControlConfig",
    ),
    "oracle": ("longsum.systems.extractive.oracle", "Oracle", "OracleConfig"),
    "recursive": ("longsum.systems.recursive.summarizer", "RecursiveSummarizer", "RecursiveConfig"),
    "systematic": ("longsum.systems.extractive.sampling", "Systematic", "SystematicConfig"),
}

_SAVED = "system.yaml"
_TRAINED_KINDS = ("seq2seq", "extraction", "etc_pretraining", "tagger", "words")
_EXTRACTOR = "longsum_extractor"
_POINTER = "longsum_pointer"
_CONVOLUTIONAL = "longsum_convolutional"
_TAGGER = "longsum_tagger"


@missing_extras_explained()
def load_system(name: str | Path, *, prototype: str | None = None, **settings: Any) -> System:
    """Make a system ready to summarize.

    Args:
        name: A recipe's name (`longsum systems` lists them), a recipe file, or a folder that
            `save_system` or `longsum train` wrote; or any model that
            `longsum.systems.abstractive.hub.load_model_system` takes.
        prototype: What makes the prototype of MLS, a name like the first; see `over_prototype`.
        settings: Settings to replace, by their names in the recipe; of a model, the arguments of
            `load_model_system`.

    Raises:
        LongsumError: There is no such system, it is to be trained first, or a setting is unknown
            or impossible.

    Example:
        >>> import longsum
        >>> longsum.load_system("systematic", interval=5).settings
        {'interval': 5}
    """
    saved = is_saved(Path(name))
    if not saved and str(name) not in recipe_names():
        if is_model(name):
            if prototype is not None:
                raise LongsumError(
                    "A model writes a prototype and takes none; give it as --prototype."
                )
            return load_model(name, **settings)
        if str(name) and is_there(name) and Path(name).is_dir():
            raise LongsumError(
                f"The folder {quote(name)} holds no model and no system; give one that "
                "'longsum train' or 'save_system' wrote."
            )
        if isinstance(name, Path) and not is_there(name):
            raise LongsumError(f"There is no folder {quote(name)}; check the path.")
    recipe = load_recipe(Path(name) / _SAVED if saved else name)
    if prototype is not None:
        recipe = over_prototype(recipe, prototype)
    return build_system(recipe.with_settings(settings))


def over_prototype(recipe: Recipe, prototype: str) -> Recipe:
    """Return the recipe of MLS that has the same kernels over a prototype of another system.

    Args:
        recipe: One of the kind `magnifier`, or of the kind `kernels` with the paper's redundancy.
        prototype: What makes the prototype: the name of a system, or the folder of a model.

    Raises:
        LongsumError: The recipe is none of these.
    """
    if recipe.kind == "magnifier":
        return recipe.with_settings({"prototype": prototype})
    if recipe.kind != "kernels" or recipe.settings.get("redundancy") != "document":
        raise LongsumError(
            f"The system '{recipe.name}' makes no use of a prototype; give --system mls, or leave "
            "out --prototype."
        )
    from longsum.kernels.fitted import KernelSettings

    shared = {field.name for field in fields(KernelSettings)}
    kept = {name: value for name, value in recipe.settings.items() if name in shared}
    return replace(recipe, kind="magnifier", settings={**kept, "prototype": prototype})


def is_model(name: str | Path) -> bool:
    """Tell whether a name is that of a model: a folder that holds one, or a str `owner/name`."""
    folder = Path(name)
    if is_there(folder):
        return is_file(folder / CONFIG)
    called = isinstance(name, str) and HUB_ID.fullmatch(name)
    return bool(called) and folder.suffix not in (".yaml", ".yml")


def is_saved(folder: Path) -> bool:
    """Tell whether a folder is one that `save_system` wrote."""
    return is_file(folder / _SAVED)


@missing_extras_explained()
def load_model(
    path_or_id: str | Path,
    *,
    beams: int | None = None,
    importance: str | None = None,
    **settings: Any,
) -> System:
    """Make a system of a model.

    Args:
        path_or_id: A folder, or an id on the Hugging Face Hub.
        beams: How many beams are searched; None is as the model says.
        importance: Folder of a tagger, for a model that is told how important its tokens are.
        settings: Of a folder with an extractive model, settings of
            `longsum.systems.extractive.neural.ExtractorConfig`; of one with a model of words, the
            arguments of `longsum.systems.abstractive.words.load_word_system`; of another model,
            those of `longsum.systems.abstractive.hub.load_model_system`.

    Raises:
        LongsumError: There is no such model, or a setting is unknown or impossible.
    """
    if not str(path_or_id):
        raise LongsumError("The model's name is empty; give a folder, or owner/name on the Hub.")
    # Before all that takes long to import.
    check_model(path_or_id)
    if is_extractor(path_or_id):
        given = settings if beams is None else {**settings, "beams": beams}
        recipe = Recipe(
            name=Path(path_or_id).resolve().name,
            title="A trained extractor",
            paper="",
            kind="extractor",
            settings={**given, "model": str(path_or_id)},
        )
        return build_system(recipe)
    if _model_type(path_or_id) == _TAGGER:
        raise LongsumError(
            f"The model in '{path_or_id}' tags important words and writes no summary; give it as "
            "--importance."
        )
    if _model_type(path_or_id) == _POINTER:
        with waiting_passively():
            from longsum.systems.abstractive.pointer import load_pointer_system

        return load_pointer_system(path_or_id, beams=beams, **settings)
    if _model_type(path_or_id) == _CONVOLUTIONAL:
        with waiting_passively():
            from longsum.systems.abstractive.convolutional import load_convolutional_system

        return load_convolutional_system(path_or_id, beams=beams, **settings)
    with waiting_passively():
        from longsum.systems.abstractive.hub import load_model_system

    if beams is not None:
        settings["generation"] = {"num_beams": beams}
    return load_model_system(path_or_id, importance=importance, **settings)


def is_extractor(path: str | Path) -> bool:
    """Tell whether a folder holds an extractive model."""
    return _model_type(path) == _EXTRACTOR


def _model_type(path: str | Path) -> object:
    """Return of what type the model in a folder is; None where no settings can be read."""
    try:
        return read_settings_file(Path(path) / CONFIG).get("model_type")
    except LongsumError:
        return None


def build_system(recipe: Recipe) -> System:
    """Make the system that a recipe describes.

    Raises:
        LongsumError: The recipe's kind or one of its settings is unknown or impossible.
    """
    if recipe.kind in _TRAINED_KINDS:
        raise LongsumError(
            f"The system '{recipe.name}' has to be trained first: run "
            f"'longsum train {recipe.name} -o FOLDER', then give that folder as "
            f"{'--importance' if recipe.kind == 'tagger' else '--model'}."
        )
    if recipe.kind not in _KINDS:
        raise LongsumError(
            f"The recipe '{recipe.name}' is of the unknown kind '{recipe.kind}'; "
            f"known are {', '.join(_KINDS)}."
        )
    module_name, class_name, config_name = _KINDS[recipe.kind]
    with waiting_passively():
        module = import_module(module_name)
    config = check(
        getattr(module, config_name), dict(recipe.settings), f"The system '{recipe.name}'"
    )
    build = cast(Callable[[str, Any], System], getattr(module, class_name))
    return build(recipe.name, config)


def save_system(system: System, recipe: Recipe, folder: Path) -> None:
    """Write a system to a new folder, from which `load_system` makes the same one.

    Raises:
        LongsumError: The folder exists and is not empty; nothing is overwritten.
    """
    if folder.exists() and any(folder.iterdir()):
        raise LongsumError(f"The folder '{folder}' is not empty; name a new one.")
    make_folder(folder)
    resolved = asdict(recipe.with_settings(system.settings))
    text = yaml.safe_dump(_plain(resolved), sort_keys=False, allow_unicode=True)
    write_text(folder / _SAVED, text)


def _plain(value: Mapping[str, Any]) -> Any:
    return TypeAdapter(dict[str, Any], config=ConfigDict()).dump_python(dict(value), mode="json")
