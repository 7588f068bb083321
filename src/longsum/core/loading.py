"""From names to systems, of the kinds that are registered (`longsum.common.registry`)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained, requirement
from longsum.common.names import is_file, path_exists
from longsum.common.registry import find, registered
from longsum.common.threads import waiting_passively
from longsum.common.wording import quote
from longsum.core.model_files.folders import HUB_ID, ModelFolder, ModelPath, check_model
from longsum.core.model_files.settings_file import CONFIG
from longsum.core.recipes import Recipe, is_recipe, load_recipe, recipes
from longsum.core.recipes.recipe import check
from longsum.core.systems.system import SHORTEN, System, SystemKind, TokenTagger

EXTRACTOR = "longsum_extractor"
"""The type of an extractive model, as its settings state it."""


def is_model(name: str | Path) -> bool:
    """Return whether a name refers to a model.

    It may be a folder that contains one, `owner/name`, or the address or name of an endpoint.
    """
    folder = Path(name)
    if path_exists(folder):
        return is_file(folder / CONFIG)
    called = isinstance(name, str) and HUB_ID.fullmatch(name)
    return is_endpoint(name) or (bool(called) and folder.suffix not in (".yaml", ".yml"))


def is_endpoint(name: str | Path) -> bool:
    """Return whether a name is the address of a server with a model, or one that the user gave it.

    Raises:
        LongsumError: It is an address that cannot be used, or the file of names is wrong.
    """
    return isinstance(name, str) and find("writers", "endpoint")(name) is not None


def is_chat(name: str | Path) -> bool:
    """Return whether a name refers to a language model: behind an endpoint, or with a template.

    Raises:
        LongsumError: There is no such model, or its files cannot be read.
    """
    return is_endpoint(name) or ModelFolder.at(name).chat_template is not None


def is_hugging_face(name: str | Path) -> bool:
    """Return whether a name refers to a model that `transformers` loads.

    Extractors are plain PyTorch; a folder with unreadable settings does not count as one until it
    is rejected.
    """
    if not is_model(name) or is_endpoint(name):
        return False
    try:
        return not path_exists(name) or ModelFolder.of(Path(name)).model_type != EXTRACTOR
    except LongsumError:
        return False


@dataclass(frozen=True, slots=True)
class Needs:
    """What to install with pip for a system, such as `longsum[models]`; None if nothing.

    Attributes:
        to_train: For training it; None also if there is nothing to train.
        to_run: For summarizing with it, or with the model that training produces.
    """

    to_train: str | None = None
    to_run: str | None = None


def needs(recipe: Recipe) -> Needs:
    """Return what must be installed for a recipe's system.

    Systems that must be trained are PyTorch models trained with Accelerate; all others run without
    any extra. `tests/common/test_extras.py` hides the packages and checks that this is so.
    """
    if recipe.state == "train first":
        return Needs(to_train=requirement("accelerate"), to_run=requirement("torch"))
    return Needs()


# The loader of models without one of their own, which transformers supports.
_ANY = "any"
_CHAT = "chat"
# The options of trained models that summarize nothing.
_TRAINED_GIVEN_AS = {
    "tagger": "--importance",
    "span_answering": "--qa-model",
    "claim_checking": "--claim-model",
}


@missing_extras_explained()
def load_system(name: str | Path, *, prototype: str | None = None, **settings: Any) -> System:
    """Load a system.

    Args:
        name: A recipe's name (`longsum systems` lists them), a recipe file, or a folder that
            `longsum train` wrote; or any model that `load_model` takes.
        prototype: Name of the system that makes the prototype of MLS; see `over_prototype`.
        settings: Settings that override the recipe's; for a model, the arguments of `load_model`.

    Raises:
        LongsumError: There is no such system, it must be trained first, or a setting is unknown or
            invalid.

    Example:
        >>> import longsum
        >>> longsum.load_system("systematic", interval=5).settings
        {'interval': 5}
    """
    if not is_recipe(str(name)):
        if (without_recipe := _without_recipe(str(name))) is not None:
            return build_system(without_recipe.with_settings(settings))
        if is_model(name):
            if prototype is not None:
                raise LongsumError(
                    "A model writes a prototype and takes none; give it as --prototype."
                )
            return load_model(name, **settings)
        if str(name) and path_exists(name) and Path(name).is_dir():
            raise LongsumError(
                f"The folder {quote(name)} holds no model; give one that 'longsum train' wrote."
            )
        if isinstance(name, Path) and not path_exists(name):
            raise LongsumError(f"There is no folder {quote(name)}; check the path.")
    recipe = load_recipe(name)
    if prototype is not None:
        recipe = over_prototype(recipe, prototype)
    return build_system(recipe.with_settings(settings))


def systems() -> list[Recipe]:
    """Return all systems by name: our recipes, and what other packages register."""
    others = (_without_recipe(name) for name in registered("systems") if not is_recipe(name))
    return sorted([*recipes(), *filter(None, others)], key=lambda recipe: recipe.name)


def _without_recipe(name: str) -> Recipe | None:
    """Return a recipe for a kind of system that needs none; None if there is no such kind."""
    kind: SystemKind | None = find("systems", name)
    return None if kind is None or not kind.title else Recipe(name, kind.title, "", kind=name)


def over_prototype(recipe: Recipe, prototype: str) -> Recipe:
    """Return the recipe of MLS with the same kernels and the prototype of another system.

    Args:
        recipe: A recipe of the kind `magnifier`, or `kernels` with the paper's redundancy.
        prototype: Makes the prototype: the name of a system, or the folder of a model.

    Raises:
        LongsumError: The recipe is of another kind.
    """
    if recipe.kind == "magnifier":
        return recipe.with_settings({"prototype": prototype})
    if recipe.kind != "kernels" or recipe.settings.get("redundancy") != "document":
        raise LongsumError(
            f"The system '{recipe.name}' does not use a prototype; give --system mls, or leave out "
            "--prototype."
        )
    from longsum.core.kernels.fitted import KernelSettings

    shared = {field.name for field in fields(KernelSettings)}
    kept = {name: value for name, value in recipe.settings.items() if name in shared}
    return replace(recipe, kind="magnifier", settings={**kept, "prototype": prototype})


@missing_extras_explained()
def load_model(
    source: ModelPath,
    *,
    beams: int | None = None,
    importance: str | None = None,
    **settings: Any,
) -> System:
    """Load a model as a system.

    Args:
        source: A folder, an id on the Hugging Face Hub, or the address or name of an endpoint.
        beams: Beam size; None for the model's own.
        importance: Folder of a tagger, for a model that is conditioned on token importance.
        settings: For a language model, those of `longsum.writers.summarizer.WriterOptions`; for an
            extractive model, settings of `ExtractorConfig`; for a word-level model, the arguments
            of `WordWriter.load`; for any other, `longsum.models.writing.hub.WriterSettings`.

    Raises:
        LongsumError: There is no such model, or a setting is unknown or invalid.
    """
    if not str(source):
        raise LongsumError("The model's name is empty; give a folder, or owner/name on the Hub.")
    if isinstance(source, str) and not path_exists(source) and is_endpoint(source):
        if beams is not None or importance is not None:
            raise LongsumError(
                "A model behind an endpoint takes neither beams nor importance; leave them out."
            )
        made: System = find("writers", "summarizer")(source, **settings)
        return made
    # Before the slow imports.
    folder = check_model(source)
    if folder.model_type == EXTRACTOR:
        given = settings if beams is None else {**settings, "beams": beams}
        config = {**_trained_to_choose(folder), **given, "model": str(source)}
        return build_system(Recipe(folder.name, "A trained extractor", "", "extractor", config))
    with waiting_passively():
        kind = str(folder.model_type) if folder.chat_template is None else _CHAT
        loader = find("models", kind) or find("models", _ANY)
        system: System = loader(folder, beams=beams, importance=importance, **settings)
        return system


def _trained_to_choose(folder: ModelFolder) -> Mapping[str, Any]:
    """Return the settings that an extractor's training states for its summaries."""
    if folder.training is None:
        return {}
    stated = folder.training["settings"].get("summaries", {})
    if not isinstance(stated, Mapping):
        raise LongsumError(
            f"The model '{folder.name}' cannot be read: the summaries in its training.yaml are "
            f"{quote(stated)} instead of settings."
        )
    return stated


@missing_extras_explained()
def load_token_tagger(source: ModelPath) -> TokenTagger:
    """Load a tagger of important tokens.

    Args:
        source: A folder that `longsum train` wrote.

    Raises:
        LongsumError: The folder contains no readable tagger.
    """
    tagger: TokenTagger = find("taggers", _ANY)(source)
    return tagger


def build_system(recipe: Recipe) -> System:
    """Make the system that a recipe describes.

    Raises:
        LongsumError: The recipe's kind or one of its settings is unknown or invalid.
    """
    with waiting_passively():
        kind: SystemKind | None = find("systems", recipe.kind)
    if kind is None and recipe.kind in registered("runs"):
        raise LongsumError(
            f"The system '{recipe.name}' has to be trained first: run "
            f"'longsum train {recipe.name} -o FOLDER', then give that folder as "
            f"{_TRAINED_GIVEN_AS.get(recipe.kind, '--model')}."
        )
    if kind is None:
        raise LongsumError(
            f"The recipe '{recipe.name}' is of the unknown kind '{recipe.kind}'; "
            f"known are {', '.join(registered('systems'))}."
        )
    settings = dict(recipe.settings)
    shorten = settings.pop(SHORTEN, None)
    config = check(kind.settings, settings, f"The system '{recipe.name}'")
    system = kind.build(recipe.name, config)
    if shorten is None:
        return system
    if not isinstance(shorten, bool):
        raise LongsumError(
            f"The setting {SHORTEN} must be true or false, not {quote(str(shorten))}."
        )
    return system.shortening(shorten)
