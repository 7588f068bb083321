"""Training of word-level models."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.models.networks.convolutional import LongsumConvolutional
from longsum.models.networks.pointer import LongsumPointerGenerator
from longsum.models.networks.words.modeling_words import WordModel
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model, save_word_model
from longsum.models.networks.words.word_tokenizer import WordTokenizer
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.training.training_dataset import TrainingDataset
from longsum.models.training.training_run import Run, Started
from longsum.models.training.words.prepare_words import counted_vocabulary, encoded_split
from longsum.models.training.words.words_settings import WordArchitecture, WordModelSettings
from longsum.models.training.words.words_trainer import WordTrainer, collate

_MODELS: Mapping[WordArchitecture, type[WordModel]] = {
    "pointer_generator": LongsumPointerGenerator,
    "convolutional": LongsumConvolutional,
}


WordTokens = tuple[WordModel, Vocabulary]
"""A model and its vocabulary, which the encoding depends on."""


def check_coverage(settings: WordModelSettings) -> None:
    """Check that coverage is not requested of a model without it.

    Raises:
        LongsumError: It is.
    """
    if settings.training.coverage_steps and settings.architecture != "pointer_generator":
        raise LongsumError(
            f"The architecture '{settings.architecture}' has no coverage; set "
            "training.coverage_steps=0."
        )


def make_trainer(
    run: Started[WordModelSettings, WordTokens, PreparedSplit, WordModel],
) -> WordTrainer:
    """Make the trainer."""
    # What only coverage uses has no gradient before.
    run.arguments.ddp_find_unused_parameters = run.settings.architecture == "pointer_generator"
    dataset = partial(TrainingDataset, source_tokens=run.model.config.max_source_tokens)
    return run.trainer(
        WordTrainer,
        dataset(run.data.train),
        dataset(run.data.validation),
        partial(collate, words=run.model.config.vocab_size),
    )


def start_model(
    settings: WordModelSettings, count: Callable[[WordTokenizer], Vocabulary]
) -> tuple[WordModel, Vocabulary]:
    """Make the model that the settings describe, from another or from scratch.

    Args:
        settings: What is trained.
        count: Makes a vocabulary of the words that a tokenizer finds.

    Raises:
        LongsumError: A setting of the model is unknown or impossible, or the model to start from
            is missing or does not fit.
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


WORDS = Run(
    kind="words",
    form=WordModelSettings,
    tokens=lambda settings, cache: start_model(
        settings, partial(counted_vocabulary, settings, cache=cache)
    ),
    split=lambda _, tokens, name, cache: encoded_split(tokens[1], tokens[0].config, name, cache),
    build=lambda _, tokens: tokens[0],
    trainer=make_trainer,
    save=lambda model, tokens, folder: save_word_model(model, tokens[1], folder),
    check=check_coverage,
)
