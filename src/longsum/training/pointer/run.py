"""A training run of a model of words: a recipe, data and a folder in; a model out."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

from transformers import PreTrainedModel, set_seed

from longsum.errors import LongsumError
from longsum.models.convolutional import LongsumConvolutional
from longsum.models.pointer import (
    LongsumPointerGenerator,
    Vocabulary,
    WordModelConfig,
    WordTokenizer,
    load_word_model,
    save_word_model,
)
from longsum.recipes.recipe import Recipe
from longsum.training.lessons import Lessons
from longsum.training.pointer.preparation import WordPreparation
from longsum.training.pointer.settings import Architecture, WordModelSettings
from longsum.training.pointer.trainer import WordTrainer
from longsum.training.run import CHECKPOINTS, PREPARED, claim, complete, recipe_settings
from longsum.training.trainer import METRICS, training_arguments

KIND = "words"
_MODELS: Mapping[Architecture, type[PreTrainedModel]] = {
    "pointer_generator": LongsumPointerGenerator,
    "convolutional": LongsumConvolutional,
}


def settings_of(recipe: Recipe, overrides: Mapping[str, Any]) -> WordModelSettings:
    """Return the settings of a recipe for a model of words; see `recipe_settings`.

    Raises:
        LongsumError: As there, or coverage is asked of a model without.
    """
    settings = recipe_settings(recipe, overrides, KIND, WordModelSettings)
    if settings.training.coverage_steps and settings.architecture != "pointer_generator":
        raise LongsumError(
            f"The architecture '{settings.architecture}' has no coverage; set "
            "training.coverage_steps=0."
        )
    return settings


def train(
    recipe: Recipe,
    settings: WordModelSettings,
    output: Path,
    *,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, float]:
    """Train a system, or go on where an earlier run with the same settings was broken off.

    Args:
        recipe: The recipe, which is saved with the result.
        settings: What `settings_of` returns.
        output: Folder of the result: the model, its vocabulary, `metrics.jsonl` and the
            checkpoints.
        say: Is told in a sentence what begins.

    Returns:
        The last measurement on the validation data.

    Raises:
        LongsumError: The folder holds a run with other settings, or something else; the data are
            not there; or the model to start from does not fit.
    """
    arguments = training_arguments(
        output / CHECKPOINTS,
        settings.training,
        save_every=settings.save_every,
        evaluate_every=settings.evaluate_every,
    )
    # What only coverage uses has no gradient before.
    arguments.ddp_find_unused_parameters = settings.architecture == "pointer_generator"
    set_seed(settings.training.seed)
    with arguments.main_process_first(local=False):
        claim(output, recipe, settings)
        preparation = WordPreparation(settings, output / PREPARED, say)
        model, vocabulary = start_model(settings, preparation.vocabulary)
        config = cast(WordModelConfig, model.config)
        train_split, validation = (
            preparation.split(split, vocabulary, config) for split in ("train", "validation")
        )
    say(f"{model.num_parameters():,} parameters, {len(train_split):,} documents")
    most = config.max_source_tokens
    trainer = WordTrainer(
        model,
        arguments,
        train=Lessons(train_split, most),
        validation=Lessons(validation, most),
        metrics=output / METRICS,
        settings=settings.training,
    )
    return complete(trainer, partial(save_word_model, model, vocabulary, output), output, say)


def start_model(
    settings: WordModelSettings, count: Callable[[WordTokenizer], Vocabulary]
) -> tuple[PreTrainedModel, Vocabulary]:
    """Make the model that the settings describe, from another or from nothing.

    Args:
        settings: What is trained.
        count: Makes a vocabulary of the words that a tokenizer finds.

    Raises:
        LongsumError: A setting of the model is unknown or impossible, or the model to start from
            cannot be had or does not fit.
    """
    kind = _MODELS[settings.architecture]
    assert kind.config_class is not None
    known = kind.config_class().to_dict()
    if unknown := [name for name in settings.model if name not in known]:
        raise LongsumError(
            f"The architecture '{settings.architecture}' has no setting '{unknown[0]}'; "
            f"it has {', '.join(sorted(known))}."
        )
    if settings.start is not None:
        return load_word_model(Path(settings.start), kind, **settings.model)
    config: Any = kind.config_class(**settings.model)
    vocabulary = count(WordTokenizer(lower_case=config.lower_case))
    config.vocab_size = len(vocabulary)
    model: Any = kind(config)
    return model, vocabulary
