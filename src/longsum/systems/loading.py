"""From names to systems: the only place where one system is built of others."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import ConfigDict, TypeAdapter

from longsum.errors import LongsumError
from longsum.extras import missing_extras_explained
from longsum.files import make_folder, write_text
from longsum.models.folders import ModelFolder, ModelPath, check_model
from longsum.names import is_there
from longsum.recipes import DEFAULT, Recipe, is_recipe, load_recipe
from longsum.recipes.recipe import check
from longsum.summaries import Budget
from longsum.systems.naming import EXTRACTOR, SAVED, is_model, is_saved
from longsum.systems.questions.tree_maker import QuestionTreeMaker
from longsum.systems.system import System
from longsum.threads import waiting_passively
from longsum.wording import quote

if TYPE_CHECKING:
    from longsum.systems.abstractive.table_realizer import TableRealizer
    from longsum.systems.magnifier.magnifier_settings import LengthControlConfig
    from longsum.systems.recursive.recursion_settings import RecursiveConfig

_TRAINED_KINDS = (
    *("seq2seq", "extraction", "etc_pretraining", "planning"),
    *("tagger", "words", "relations"),
)
_POINTER = "longsum_pointer"
_CONVOLUTIONAL = "longsum_convolutional"
_TAGGER = "longsum_tagger"
# Of every system that copies sentences (`System.shortening`).
_SHORTEN = "shorten"


@missing_extras_explained()
def load_system(name: str | Path, *, prototype: str | None = None, **settings: Any) -> System:
    """Load a system.

    Args:
        name: A recipe's name (`longsum systems` lists them), a recipe file, or a folder that
            `save_system` or `longsum train` wrote; or any model that `load_model` takes.
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
    saved = is_saved(Path(name))
    if not saved and not is_recipe(str(name)):
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
    recipe = load_recipe(Path(name) / SAVED if saved else name)
    if prototype is not None:
        recipe = over_prototype(recipe, prototype)
    return build_system(recipe.with_settings(settings))


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
            f"The system '{recipe.name}' makes no use of a prototype; give --system mls, or leave "
            "out --prototype."
        )
    from longsum.kernels.fitted import KernelSettings

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
        source: A folder, or an id on the Hugging Face Hub.
        beams: Beam size; None for the model's own.
        importance: Folder of a tagger, for a model that is conditioned on token importance.
        settings: For an extractive model, settings of `ExtractorConfig`; for a word-level model,
            the arguments of `WordWriter.load`; for any other model,
            `longsum.systems.abstractive.hub.WriterSettings`.

    Raises:
        LongsumError: There is no such model, or a setting is unknown or invalid.
    """
    if not str(source):
        raise LongsumError("The model's name is empty; give a folder, or owner/name on the Hub.")
    # Before the slow imports.
    folder = check_model(source)
    if folder.model_type == EXTRACTOR:
        given = settings if beams is None else {**settings, "beams": beams}
        config = {**_trained_to_choose(folder), **given, "model": str(source)}
        return build_system(Recipe(folder.name, "A trained extractor", "", "extractor", config))
    if folder.model_type == _TAGGER:
        raise LongsumError(
            f"The model in '{source}' tags important words and writes no summary; give it as "
            "--importance."
        )
    with waiting_passively():
        if folder.model_type in (_POINTER, _CONVOLUTIONAL):
            from longsum.systems.abstractive.convolutional import ConvolutionalWriter
            from longsum.systems.abstractive.pointer import PointerWriter
            from longsum.systems.abstractive.summarizer import AbstractiveSummarizer

            kind = PointerWriter if folder.model_type == _POINTER else ConvolutionalWriter
            return AbstractiveSummarizer(kind.load(folder, beams=beams, **settings))
        if beams is not None:
            settings["generation"] = {"num_beams": beams}
        return _writing_system(folder, importance=importance, **settings)


def _trained_to_choose(folder: ModelFolder) -> Mapping[str, Any]:
    """Return the settings that an extractor's training states for its summaries.

    Raises:
        LongsumError: The record of its training is damaged.
    """
    if folder.training is None:
        return {}
    stated = folder.training["settings"].get("summaries", {})
    if not isinstance(stated, Mapping):
        raise LongsumError(
            f"The model '{folder.name}' cannot be read: its training.yaml says {quote(stated)} of "
            "its summaries."
        )
    return stated


def _writing_system(folder: ModelFolder, **settings: Any) -> System:
    """Load a Hugging Face encoder–decoder as a system.

    A model that `longsum train` wrote is used as it was trained: section by section or after
    extraction, if its recipe says so.

    Raises:
        LongsumError: As `longsum.systems.abstractive.hub.load_writer`; or it writes no summaries.
    """
    from longsum.systems.abstractive.divide_and_conquer import DivideAndConquerSummarizer
    from longsum.systems.abstractive.extract_then_abstract import ExtractThenAbstractSummarizer
    from longsum.systems.abstractive.hub import load_writer, task_of
    from longsum.systems.abstractive.summarizer import AbstractiveSummarizer
    from longsum.tasks.question_generation import QUESTION_KINDS

    task = task_of(folder)
    if task is not None and task.kind in QUESTION_KINDS:
        raise LongsumError(
            f"The model '{folder.name}' writes questions and no summary; run "
            f"'longsum questions --model {folder}'."
        )
    if task is not None and task.kind == "realization":
        raise LongsumError(
            f"The model '{folder.name}' writes reports of tables and no summary; run "
            f"'longsum table GAME.json --realizer {folder}'."
        )
    writer = AbstractiveSummarizer(load_writer(folder, **settings))
    if task is not None and task.kind == "sections":
        return DivideAndConquerSummarizer(writer, task.divide_and_conquer(), name=writer.name)
    if task is not None and task.kind == "selected":
        selector = load_system(task.selector).whole_sentences()
        method = task.extract_then_abstract()
        return ExtractThenAbstractSummarizer(selector, writer, method, name=writer.name)
    return writer


@missing_extras_explained()
def load_realizer(source: ModelPath) -> "TableRealizer":
    """Load a trained realizer of content plans.

    Args:
        source: A folder that `longsum train table-realizer` wrote.

    Raises:
        LongsumError: The model cannot be read, or has not learned to write about tables.
    """
    # Before the slow imports.
    folder = check_model(source)
    with waiting_passively():
        from longsum.systems.abstractive.hub import load_writer, task_of
        from longsum.systems.abstractive.table_realizer import TableRealizer

        task = task_of(folder)
        if task is None or task.kind != "realization":
            raise LongsumError(
                f"The model '{folder.name}' has not learned to write about tables; give the folder "
                "of one that 'longsum train table-realizer' wrote."
            )
        return TableRealizer(load_writer(folder), task.target_tokens)


def load_tree_maker(model: str | None = None) -> QuestionTreeMaker:
    """Load a maker of trees of questions and summaries.

    Args:
        model: The folder of an extractor or of a model trained on the task `question_hierarchy`;
            None for the bundled extractor.

    Raises:
        LongsumError: The model cannot be read, or does not make trees.
    """
    # Before the slow imports.
    folder = None if model is None else check_model(model)
    with waiting_passively():
        if folder is not None and folder.model_type != EXTRACTOR:
            return _generated_trees(folder)
        from longsum.systems.extractive.extractor_options import ExtractorConfig
        from longsum.systems.extractive.part_extractor import PartExtractor
        from longsum.systems.questions.section_trees import SectionTreeMaker

    if folder is not None:
        name, config = folder.name, ExtractorConfig(model=model)
    else:
        recipe = load_recipe(DEFAULT)
        name = recipe.name
        own = {key: value for key, value in recipe.settings.items() if key != _SHORTEN}
        config = check(ExtractorConfig, own, f"The system '{name}'")
    return SectionTreeMaker(PartExtractor(name, config))


def _generated_trees(folder: ModelFolder) -> QuestionTreeMaker:
    from longsum.systems.abstractive.hub import load_writer, task_of
    from longsum.systems.questions.generated_trees import GeneratedTreeMaker
    from longsum.tasks.question_generation import QUESTION_KINDS

    task = task_of(folder)
    if task is None or task.kind not in QUESTION_KINDS:
        raise LongsumError(
            f"'{folder}' makes no trees; give the folder of a trained extractor or of a model "
            f"trained with task.kind={QUESTION_KINDS[0]}, or leave --model out."
        )
    return GeneratedTreeMaker(load_writer(folder), task)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of recipe.

    Attributes:
        settings: Dataclass of its settings.
        build: Makes a system from a name and settings.
    """

    settings: type[Any]
    build: Callable[[str, Any], System]


# Imported on demand, so that one system's libraries do not slow down the start of another.
def _centroid() -> Kind:
    from longsum.systems.extractive.centroid import Centroid, CentroidConfig

    return Kind(CentroidConfig, Centroid)


def _extractor() -> Kind:
    from longsum.systems.extractive.extractor_options import ExtractorConfig
    from longsum.systems.extractive.neural import NeuralExtractor

    return Kind(ExtractorConfig, NeuralExtractor)


def _graph() -> Kind:
    from longsum.systems.extractive.graph import Graph, GraphConfig

    return Kind(GraphConfig, Graph)


def _kernels() -> Kind:
    from longsum.systems.extractive.kernels import Kernels, KernelsConfig

    return Kind(KernelsConfig, Kernels)


def _lead() -> Kind:
    from longsum.systems.extractive.sampling import Lead, LeadConfig

    return Kind(LeadConfig, Lead)


def _systematic() -> Kind:
    from longsum.systems.extractive.sampling import Systematic, SystematicConfig

    return Kind(SystematicConfig, Systematic)


def _oracle() -> Kind:
    from longsum.systems.extractive.oracle import Oracle, OracleConfig

    return Kind(OracleConfig, Oracle)


def _magnifier() -> Kind:
    from longsum.systems.magnifier.magnifier_settings import LengthControlConfig

    return Kind(LengthControlConfig, _length_controlled)


def _recursive() -> Kind:
    from longsum.systems.recursive.recursion_settings import RecursiveConfig

    return Kind(RecursiveConfig, _of_parts)


_KINDS: Mapping[str, Callable[[], Kind]] = {
    "centroid": _centroid,
    "extractor": _extractor,
    "graph": _graph,
    "kernels": _kernels,
    "lead": _lead,
    "magnifier": _magnifier,
    "oracle": _oracle,
    "recursive": _recursive,
    "systematic": _systematic,
}


def build_system(recipe: Recipe) -> System:
    """Make the system that a recipe describes.

    Raises:
        LongsumError: The recipe's kind or one of its settings is unknown or invalid.
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
    with waiting_passively():
        kind = _KINDS[recipe.kind]()
    settings = dict(recipe.settings)
    shorten = settings.pop(_SHORTEN, None)
    config = check(kind.settings, settings, f"The system '{recipe.name}'")
    system = kind.build(recipe.name, config)
    if shorten is None:
        return system
    if not isinstance(shorten, bool):
        raise LongsumError(f"The setting {_SHORTEN} is true or false, not {quote(str(shorten))}.")
    return system.shortening(shorten)


def _length_controlled(name: str, config: "LengthControlConfig") -> System:
    """Make a system of the kind `magnifier` with the system that makes its prototype.

    Raises:
        LongsumError: Neither the recipe nor the user names a prototype, or it cannot be loaded.
    """
    from longsum.systems.magnifier.length_control import LengthControlled
    from longsum.systems.magnifier.magnifier_settings import ASKED

    if config.prototype is None:
        raise LongsumError(
            f"The system '{name}' makes any length of a prototype; say with --prototype what makes "
            "that: the folder of a pointer-generator network, or any system."
        )
    given = config.prototype
    made_by = {"system": given} if isinstance(given, str) else dict(given)
    natural = config.natural
    return LengthControlled(
        load_system(made_by.pop("system"), **made_by).whole_sentences(),
        config.kernels,
        natural=natural if natural is None or natural == ASKED else Budget.parse(natural),
        name=name,
    )


def _of_parts(name: str, config: "RecursiveConfig") -> System:
    """Make a system of the kind `recursive` with the systems for the parts and the whole."""
    from longsum.systems.recursive.summarizer import RecursiveSummarizer

    chapters = load_system(config.chapters, **config.chapters_settings)
    whole: System | None = chapters
    if config.whole is None:
        whole = None
    elif (config.whole, config.whole_settings) != (config.chapters, config.chapters_settings):
        whole = load_system(config.whole, **config.whole_settings)
    return RecursiveSummarizer(name, config, chapters, whole)


def save_system(system: System, recipe: Recipe, folder: Path) -> None:
    """Save a system to a new folder, from which `load_system` restores it.

    Raises:
        LongsumError: The folder exists and is not empty; nothing is overwritten.
    """
    if folder.exists() and any(folder.iterdir()):
        raise LongsumError(f"The folder '{folder}' is not empty; name a new one.")
    make_folder(folder)
    resolved = asdict(recipe.with_settings(system.settings))
    plain = TypeAdapter(dict[str, Any], config=ConfigDict()).dump_python(resolved, mode="json")
    write_text(folder / SAVED, yaml.safe_dump(plain, sort_keys=False, allow_unicode=True))
