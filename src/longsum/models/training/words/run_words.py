"""Training of word-level models."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from transformers import TrainerCallback, TrainerState

from longsum.common.arrays import Ints
from longsum.common.errors import LongsumError
from longsum.core.encoder.networks import Precision
from longsum.evaluation.datasets import Example
from longsum.models.networks.convolutional import LongsumConvolutional
from longsum.models.networks.pointer import LongsumPointerGenerator
from longsum.models.networks.words.modeling_words import WordModel, WordModelConfig
from longsum.models.networks.words.vocabulary import PAD, STOP, UNK, Vocabulary, WordTokenizer
from longsum.models.networks.words.word_model_files import load_word_model, save_word_model
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import START as FIRST_SECTION
from longsum.models.tasks.source import EncodedSource
from longsum.models.tasks.task import Summarization
from longsum.models.training.documents import PreparedCache, Tally
from longsum.models.training.run_settings import (
    DataConfig,
    OptimizationConfig,
    RunSettings,
    Schedule,
)
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_dataset import Item, TrainingDataset
from longsum.models.training.training_dataset import collate as padded
from longsum.models.training.training_run import Run, Started

WordArchitecture = Literal["pointer_generator", "convolutional"]


@dataclass(frozen=True, slots=True)
class WordDataConfig(DataConfig):
    """What is learned from, and where the vocabulary comes from.

    Attributes:
        words: Data sets whose training splits the vocabulary is counted on, joined by `+`; by
            default those of `names`.
    """

    words: str | None = None


@dataclass(frozen=True, slots=True)
class WordOptimizationConfig(OptimizationConfig):
    """Optimizer and schedule settings: Adagrad, as in See et al. 2017 (§5).

    Attributes:
        accumulator: Initial value of the sums of squared gradients.
        coverage_steps: Number of last updates with coverage, before which the sums are reset, as in
            the official code. A network that starts with coverage has it throughout.
    """

    optimizer: Literal["adagrad"] = "adagrad"  # type: ignore[assignment]
    learning_rate: float = 0.15
    schedule: Schedule = "constant_with_warmup"
    weight_decay: float = 0.0
    clip: float = 2.0
    batch: int = 16
    precision: Precision = "fp32"
    gradient_checkpointing: Literal[False] = False
    accumulator: float = 0.1
    coverage_steps: int = 0


@dataclass(frozen=True, slots=True)
class WordModelSettings(RunSettings):
    """A trained word-level model.

    Attributes:
        architecture: Which model.
        model: Fields of its configuration; `max_source_tokens` and `max_target_tokens` are also the
            lengths of training examples.
        start: Folder of such a model to start from, whose vocabulary and settings hold unless they
            are set here; None trains from scratch.
        vocabulary: Size of the vocabulary of a model trained from scratch, including the four
            special tokens.
    """

    architecture: WordArchitecture = "pointer_generator"
    start: str | None = None
    vocabulary: int = 80_000
    data: WordDataConfig = field(default_factory=WordDataConfig)
    training: WordOptimizationConfig = field(default_factory=WordOptimizationConfig)


def counted_vocabulary(
    settings: WordModelSettings, tokenizer: WordTokenizer, cache: PreparedCache
) -> Vocabulary:
    """Return the most frequent words of the training documents and their summaries.

    Raises:
        LongsumError: The data are missing.
    """
    size = settings.vocabulary

    def make(tally: Tally, folder: Path) -> None:
        texts = (
            tokenizer.tokens(text)
            for example in tally.documents()
            for text in (example.document.text, *example.references[:1])
        )
        Vocabulary.of(texts, size).save(folder)

    described, work = [size, tokenizer.lower_case], f"counting words for a vocabulary of {size:,}"
    return Vocabulary.load(cache.vocabulary("words", described, make, work, settings.data.words))


def encoded_split(
    vocabulary: Vocabulary, config: WordModelConfig, name: str, cache: PreparedCache
) -> PreparedSplit:
    """Return the examples of a split as extended ids, truncated to the model's lengths.

    Raises:
        LongsumError: The data are missing, or hold no summaries.
    """
    lengths = config.max_source_tokens, config.max_target_tokens

    def make(tally: Tally) -> PreparedSplit:
        return PreparedSplit.of(tally.counted(encode(tally.documents(), vocabulary, config)))

    described = [lengths, config.lower_case, list(vocabulary.words)]
    return cache.split(PreparedSplit, name, described, make)


def encode(
    examples: Iterable[Example], vocabulary: Vocabulary, config: WordModelConfig
) -> Iterator[tuple[EncodedSource, Ints]]:
    """Yield sources and targets as extended ids; a target ends with `STOP` if it fits."""
    words = WordTokenizer(lower_case=config.lower_case)
    for example in examples:
        for pair in Summarization().pairs(example):
            texts = (sentence.text for sentence in pair.document.sentences)
            read = words.beginning(texts, config.max_source_tokens)
            if not read.tokens:
                continue
            source = vocabulary.source(read.tokens)
            target = (*vocabulary.target(words.tokens(pair.target), source), STOP)
            encoded = EncodedSource(
                ids=np.array(source.extended, np.int32),
                sentence_of=np.array(read.sentence_of, np.int32),
                section_of=np.full(len(read.tokens), FIRST_SECTION, np.int32),
                section_parents=np.zeros(0, np.int32),
                sentences_read=read.whole,
            )
            yield encoded, np.array(target[: config.max_target_tokens], np.int32)


def collate(items: Sequence[Item], words: int) -> dict[str, Tensor]:
    """Join items into a batch, padded on the right.

    Sources and targets are extended ids; those of the vocabulary are below `words`.

    Returns:
        `input_ids` and `extended_ids`, `[b, n]`, and `labels`, `[b, t]`, −100 where padded.
    """
    batch = padded(items, PAD)
    extended = batch["input_ids"]
    return {
        "input_ids": extended.masked_fill(extended >= words, UNK),
        "extended_ids": extended,
        "labels": batch["labels"],
    }


class WordTrainer(LengthGroupedTrainer):
    """Trains a word-level model on a `TrainingDataset` of extended ids."""

    settings: WordOptimizationConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.terms = 1 + len(_losses(self.model))
        self.add_callback(CoveragePhase(self.settings))

    def new_optimizer(self, model: nn.Module) -> torch.optim.Optimizer:
        """Make Adagrad."""
        return torch.optim.Adagrad(
            model.parameters(),
            lr=self.settings.learning_rate,
            weight_decay=self.settings.weight_decay,
            initial_accumulator_value=self.settings.accumulator,
        )

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of targets, which all have the same weight."""
        return torch.tensor([len(batch["labels"])], device=self.args.device)

    @staticmethod
    def sums(model: nn.Module, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over all targets: the loss, the overlap if there is one, and 1; fp64."""
        losses = model(**batch)
        means = torch.stack([losses[name] for name in _losses(model)])
        return torch.cat([means, torch.ones_like(means[:1])]).double() * len(batch["labels"])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the mean loss of a target's words and, with coverage, the mean overlap."""
        return dict(zip(("loss", "coverage_loss"), means, strict=False))


def _losses(model: nn.Module | None) -> tuple[str, ...]:
    """Return the names of the losses that a model is measured by."""
    coverage = ("coverage_loss",) if isinstance(model, LongsumPointerGenerator) else ()
    return ("likelihood_loss", *coverage)


class CoveragePhase(TrainerCallback):
    """Turns coverage on for the last updates, and then resets Adagrad's sums."""

    def __init__(self, settings: WordOptimizationConfig) -> None:
        self.settings = settings
        self.begins = max(settings.steps - settings.coverage_steps, 0)

    def on_step_begin(
        self,
        args: Any,  # noqa: ARG002
        state: TrainerState,
        control: Any,  # noqa: ARG002
        model: nn.Module | None = None,
        optimizer: torch.optim.Optimizer | None = None,
        **_: Any,
    ) -> None:
        """Turn it on at its first update, or where a resumed run starts after that."""
        if not self.settings.coverage_steps or state.global_step < self.begins:
            return
        if state.global_step == self.begins and optimizer is not None:
            for weight_state in optimizer.state.values():
                weight_state["sum"].fill_(self.settings.accumulator)
        assert isinstance(model, LongsumPointerGenerator)
        model.use_coverage()

    on_train_begin = on_step_begin


_MODELS: Mapping[WordArchitecture, type[WordModel]] = {
    "pointer_generator": LongsumPointerGenerator,
    "convolutional": LongsumConvolutional,
}


WordTokens = tuple[WordModel, Vocabulary]
"""A model and its vocabulary, which the encoding depends on."""


def check_coverage(settings: WordModelSettings) -> None:
    """Refuse coverage of a model without it."""
    if settings.training.coverage_steps and settings.architecture != "pointer_generator":
        raise LongsumError(
            f"The architecture '{settings.architecture}' has no coverage; set "
            "training.coverage_steps=0."
        )


def make_trainer(
    run: Started[WordModelSettings, WordTokens, PreparedSplit, WordModel],
) -> WordTrainer:
    """Make the trainer."""
    # Weights of coverage have no gradient before it is turned on.
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
