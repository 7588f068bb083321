"""A training run of a model of words: a recipe, data and a folder in; a model out."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

from transformers import PreTrainedModel

from longsum.errors import LongsumError
from longsum.models.convolutional import LongsumConvolutional
from longsum.models.pointer import LongsumPointerGenerator
from longsum.models.words import (
    Vocabulary,
    WordModelConfig,
    WordTokenizer,
    load_word_model,
    save_word_model,
)
from longsum.recipes.recipe import Recipe
from longsum.training.run_seq2seq import PREPARED, begun, complete, recipe_settings
from longsum.training.trainer import METRICS
from longsum.training.training_dataset import Lessons
from longsum.training.words.prepare_words import WordPreparation
from longsum.training.words.words_settings import Architecture, WordModelSettings
from longsum.training.words.words_trainer import WordTrainer

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
    step: Callable[[int, int], None] = lambda *_: None,
) -> dict[str, float]:
    """Train a model of words; see `longsum.training.run_seq2seq.train`.

    Raises:
        LongsumError: As there; or the model to start from does not fit.
    """
    with begun(recipe, settings, output) as arguments:
        preparation = WordPreparation(settings, output / PREPARED, say)
        model, vocabulary = start_model(settings, preparation.vocabulary)
        config = cast(WordModelConfig, model.config)
        train_split, validation = (
            preparation.split(split, vocabulary, config) for split in ("train", "validation")
        )
    # What only coverage uses has no gradient before.
    arguments.ddp_find_unused_parameters = settings.architecture == "pointer_generator"
    say(f"{model.num_parameters():,} parameters, {len(train_split):,} documents")
    most = config.max_source_tokens
    trainer = WordTrainer(
        model,
        arguments,
        train=Lessons(train_split, most),
        validation=Lessons(validation, most),
        metrics=output / METRICS,
        words=config.vocab_size,
        settings=settings.training,
    )
    save = partial(save_word_model, model, vocabulary, output)
    return complete(trainer, save, output, say, step, recipe=recipe, taken=preparation.taken)


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
