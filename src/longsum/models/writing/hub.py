"""Loads writers from a model folder or an id on the Hugging Face Hub."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

import torch
from transformers import AutoModelForSeq2SeqLM

from longsum.common.errors import LongsumError
from longsum.common.wording import did_you_mean
from longsum.core.model_files.folders import ModelFolder, ModelPath, check_folder
from longsum.core.recipes.recipe import check
from longsum.models.networks.hugging_face import load_config, load_model, load_tokenizer
from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig, load_seq2seq
from longsum.models.networks.seq2seq.convert_checkpoints import FAMILIES
from longsum.models.networks.tagger import load_tagger
from longsum.models.tasks.source import Marks, SourceFormat, reads_importance
from longsum.models.tasks.task_settings import TaskConfig
from longsum.models.tasks.tokens import check_same_tokens
from longsum.models.writing.generating import GeneratingWriter
from longsum.models.writing.importance import ReferenceWords, Tagger, Weigher
from longsum.models.writing.number_types import AUTO, dtype_named, settle


@dataclass(frozen=True, slots=True)
class _Trained:
    """What a folder records about the model's training and use.

    The task is None unless `longsum train` made the model; `prefix` precedes the source, and
    `for_summaries` are the checkpoint's settings for summarization.
    """

    name: str
    task: TaskConfig | None
    prefix: str
    for_summaries: Mapping[str, Any]


class WriterSettings(TypedDict, total=False):
    """Settings that override how a model was trained to read and write.

    Attributes:
        generation: Fields of `GenerationConfig` to override, such as `num_beams`.
        source_tokens: Maximum source length; by default that of training, or else the model's own.
        marks: How sections are marked; by default as in training, or else as in `SourceFormat`.
        prefix: Text before the source; by default the checkpoint's prefix for summarization.
        dtype: Type of weights and activations: `float32`, `bfloat16` or `float16`; `auto` is
            `bfloat16` where the device computes in it and the model writes the same, or else
            `float32`.
        device: Device to run on; by default a GPU if there is one.
        importance: Folder of the tagger for a model that is conditioned on token importance; by
            default the one named by the model's task. Ignored by other models.
    """

    generation: Mapping[str, Any] | None
    source_tokens: int | None
    marks: Marks | None
    prefix: str | None
    dtype: str
    device: str | None
    importance: str | None


def load_writer(source: ModelPath, **settings: Unpack[WriterSettings]) -> GeneratingWriter:
    """Load a writer with a Hugging Face encoder–decoder, for any task.

    Models of longsum, and of kinds that can be converted, run with longsum's attention, others with
    that of `transformers`. Weights are loaded from safetensors only, and no code that comes with a
    model is run.

    Args:
        source: A folder, or else an id `owner/name` on the Hub, which is downloaded.
        settings: See `WriterSettings`.

    Raises:
        LongsumError: There is no such model, it is not an encoder–decoder, or a file is damaged.
    """
    known_settings = WriterSettings.__annotations__
    if unknown := [name for name in settings if name not in known_settings]:
        raise LongsumError(
            f"A model that writes has no setting '{unknown[0]}'; it may have "
            f"{', '.join(known_settings)}.{did_you_mean(unknown[0], known_settings)}"
        )
    folder = ModelFolder.at(source)
    trained = _trained(folder)
    form = trained.task.source_format() if trained.task else SourceFormat(sys.maxsize)
    dtype, device = settings.get("dtype", "float32"), settings.get("device")
    model = _model(folder, dtype, device)
    prefix, tokenizer = settings.get("prefix"), load_tokenizer(folder)
    weigher = None
    if reads_importance(model.config):
        weigher = _weigher(trained, tokenizer, settings.get("importance"))
    leaks = weigher is not None and weigher.reads_reference
    writer = GeneratingWriter(
        model,
        tokenizer,
        form=replace(
            form,
            tokens=settings.get("source_tokens") or form.tokens,
            marks=settings.get("marks") or form.marks,
        ),
        prefix=trained.prefix if prefix is None else prefix,
        generation={
            **_for_summaries(model, trained.for_summaries),
            **(settings.get("generation") or {}),
        },
        weigher=weigher,
        name=f"{trained.name} (reads the reference)" if leaks else trained.name,
        folder=folder,
    )
    if dtype == AUTO:
        settle(writer, lambda: _model(folder, dtype, device))
    return writer


def load_token_tagger(source: ModelPath) -> Tagger:
    """Load a tagger of important tokens with its tokenizer and the source format of training.

    Args:
        source: A folder that `longsum train` wrote.

    Raises:
        LongsumError: The folder contains no readable tagger.
    """
    folder = ModelFolder.at(source)
    model = load_tagger(folder)
    trained, tokenizer = _trained(folder), load_tokenizer(folder)
    task = trained.task or TaskConfig(source_tokens=model.config.max_source_positions)
    return Tagger(model, tokenizer, task.source_format(), folder)


def _weigher(trained: _Trained, tokenizer: Any, folder: str | None) -> Weigher:
    """Return the tagger or the oracle that computes a model's token importance.

    Raises:
        LongsumError: No tagger is given, it cannot be read, or it has a different vocabulary.
    """
    if folder is None and trained.task is not None:
        if trained.task.importance == "oracle":
            return ReferenceWords()
        folder = trained.task.tagger
    if folder is None:
        raise LongsumError(
            f"The model '{trained.name}' needs the importance of its tokens; give --importance "
            "with the folder of a tagger, which 'longsum train importance-tagger' makes."
        )
    tagger = load_token_tagger(folder)
    check_same_tokens(tagger.tokenizer, tokenizer)
    return tagger


def task_of(source: ModelPath) -> TaskConfig | None:
    """Return the task that a model was trained on, if `longsum train` made it.

    Raises:
        LongsumError: There is no such model, or the record of its training is damaged.
    """
    return _trained(ModelFolder.at(source)).task


def _trained(folder: ModelFolder) -> _Trained:
    """Read a folder's record of the model's training and use."""
    hints = check_folder(folder)
    try:
        for_summaries = dict((hints.get("task_specific_params") or {}).get("summarization") or {})
        prefix = str(for_summaries.pop("prefix", hints.get("prefix") or ""))
    except (AttributeError, TypeError, ValueError):
        raise LongsumError(
            f"The model in '{folder.name}' cannot be read, since its config.json is damaged; fetch "
            "the model again."
        ) from None
    if folder.training is None:
        return _Trained(folder.name, None, prefix, for_summaries)
    settings = folder.training["settings"].get("task", {})
    task = check(TaskConfig, settings, f"The model '{folder.name}'")
    return _Trained(folder.training["recipe"], task, prefix, for_summaries)


def _for_summaries(model: Any, hints: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checkpoint's summarization settings that generation has, except lengths."""
    known = model.generation_config.to_dict()
    return {
        name: value
        for name, value in hints.items()
        if name in known and not name.endswith("_length")
    }


def _model(folder: ModelFolder, dtype: str, device: str | None) -> Any:
    kind = dtype_named("float32" if dtype == AUTO else dtype)
    config = load_config(folder)
    ours = isinstance(config, LongsumSeq2SeqConfig) or config.model_type in FAMILIES
    if not ours and type(config) not in AutoModelForSeq2SeqLM._model_mapping:
        raise LongsumError(
            f"'{folder.name}' is a model of the type '{config.model_type}', which is not an "
            "encoder–decoder that transformers supports and has no chat template; give an "
            "encoder–decoder such as BART or T5, or a language model that answers."
        )
    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    model: Any
    model = load_seq2seq(folder) if ours else load_model(AutoModelForSeq2SeqLM, folder, config)
    return model.to(device=place, dtype=kind).eval()
