"""Loads a model that writes from its folder as a system, by the type of the model."""

from typing import Any

from longsum.common.errors import LongsumError
from longsum.core.loading import load_system
from longsum.core.model_files.folders import ModelFolder
from longsum.core.systems.system import System
from longsum.models.tasks.question_generation import QUESTION_KINDS
from longsum.models.writing.divide_and_conquer import DivideAndConquerSummarizer
from longsum.models.writing.extract_then_abstract import ExtractThenAbstractSummarizer
from longsum.models.writing.generated_trees import GeneratedTreeMaker
from longsum.models.writing.hub import load_writer, task_of
from longsum.models.writing.summarizer import AbstractiveSummarizer
from longsum.models.writing.words import ConvolutionalWriter, PointerWriter

# What models trained on other tasks than summaries write, and the command that runs them.
_NO_SUMMARY = {
    **dict.fromkeys(QUESTION_KINDS, ("questions", "longsum questions --model")),
    "realization": ("reports of tables", "longsum table GAME.json --realizer"),
}


def load_pointer(folder: ModelFolder, *, importance: None = None, **settings: Any) -> System:
    """Load a pointer-generator network; `settings` are the arguments of `WordWriter.load`."""
    del importance
    return AbstractiveSummarizer(PointerWriter.load(folder, **settings))


def load_convolutional(folder: ModelFolder, *, importance: None = None, **settings: Any) -> System:
    """Load a convolutional network; `settings` are the arguments of `WordWriter.load`."""
    del importance
    return AbstractiveSummarizer(ConvolutionalWriter.load(folder, **settings))


def load_tagger(folder: ModelFolder, **settings: Any) -> System:
    """Refuse a tagger."""
    del settings
    raise LongsumError(
        f"The model in '{folder}' tags important words and does not write a summary; give it as "
        "--importance."
    )


def load_encoder_decoder(
    folder: ModelFolder, *, beams: int | None = None, **settings: Any
) -> System:
    """Load a Hugging Face encoder–decoder as a system.

    A model that `longsum train` wrote is used as it was trained: section by section or after
    extraction, if its recipe says so.

    Raises:
        LongsumError: As `longsum.models.writing.hub.load_writer`; or it writes no summaries.
    """
    if beams is not None:
        settings["generation"] = {"num_beams": beams}
    task = task_of(folder)
    if task is not None and task.kind in _NO_SUMMARY:
        output, command = _NO_SUMMARY[task.kind]
        raise LongsumError(
            f"The model '{folder.name}' writes {output} and no summary; run '{command} {folder}'."
        )
    writer = AbstractiveSummarizer(load_writer(folder, **settings))
    if task is not None and task.kind == "sections":
        return DivideAndConquerSummarizer(writer, task.divide_and_conquer(), name=writer.name)
    if task is not None and task.kind == "selected":
        selector = load_system(task.selector).whole_sentences()
        method = task.extract_then_abstract()
        return ExtractThenAbstractSummarizer(selector, writer, method, name=writer.name)
    return writer


def load_generated_trees(folder: ModelFolder) -> GeneratedTreeMaker:
    """Load a maker of trees that writes questions and answers.

    Raises:
        LongsumError: The model is not trained on a task of questions.
    """
    task = task_of(folder)
    if task is None or task.kind not in QUESTION_KINDS:
        raise LongsumError(
            f"'{folder}' makes no trees; give the folder of a trained extractor or of a model "
            f"trained with task.kind={QUESTION_KINDS[0]}, or leave --model out."
        )
    return GeneratedTreeMaker(load_writer(folder), task)
