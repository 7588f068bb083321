"""What a recipe of a trained system may say, and what is added to it to train."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict

from longsum.models.precision import Precision
from longsum.models.seq2seq.convert_checkpoints import Extension
from longsum.tasks.task_settings import TaskConfig

Optimizer = Literal["adafactor", "adamw"]
Schedule = Literal["polynomial", "linear", "cosine", "inverse_sqrt", "constant_with_warmup"]

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class TokenizerConfig:
    """The tokenizer of a model that starts from nothing; a checkpoint brings its own.

    Attributes:
        path: A folder with a tokenizer to take; None trains one on the training split.
        size: Tokens of one that is trained.
    """

    __pydantic_config__ = _STRICT

    path: str | None = None
    size: int = 16_000


@dataclass(frozen=True, slots=True)
class OptimizationConfig:
    """How the weights move.

    Attributes:
        steps: Updates in all.
        batch: Examples that a device takes at once.
        accumulate: Batches of an update, on each device.
        optimizer: `adafactor`, or `adamw` with decoupled weight decay.
        learning_rate: The highest.
        schedule: How it falls from there to 0 at the last step.
        warmup_steps: Updates over which it rises from 0.
        weight_decay: Of AdamW or Adafactor.
        adam_betas: Of AdamW.
        clip: The largest norm of the gradient; 0 for no limit.
        gradient_checkpointing: Whether layers are computed again in the backward pass.
        precision: `bf16` runs products in bf16 and keeps weights in fp32; `auto` takes it where the
            machine computes in it.
        group_by_length: Whether a batch holds sources of like length.
        workers: Processes that make batches beside the training one.
        seed: Seed of initial weights, order and dropout.
    """

    __pydantic_config__ = _STRICT

    steps: int = 1000
    batch: int = 8
    accumulate: int = 1
    optimizer: Optimizer = "adafactor"
    learning_rate: float = 1e-4
    schedule: Schedule = "polynomial"
    warmup_steps: int = 0
    weight_decay: float = 0.01
    adam_betas: tuple[float, float] = (0.9, 0.999)
    clip: float = 0.1
    gradient_checkpointing: bool = False
    precision: Precision = "auto"
    group_by_length: bool = True
    workers: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Seq2SeqOptimizationConfig(OptimizationConfig):
    """How the weights of an encoder–decoder move.

    Attributes:
        label_smoothing: Share of the target spread over the vocabulary, in training alone.
        span_loss: Coefficient of the loss that keeps adaptive spans short: the mean span of a
            layer's heads in tokens, summed over layers (Sukhbaatar et al. 2019); 0 for none.
        gap_sentences: Examples of gap sentences for each example of the task; 0 for none.
        gap_share: The share of a stretch that becomes gaps.
        new_rate: How many times as fast as the others the weights learn that no checkpoint brings,
            such as biases of sections: a table that starts at zero has far to go, and few updates.
    """

    label_smoothing: float = 0.1
    span_loss: float = 0.0
    gap_sentences: float = 0.0
    gap_share: float = 0.15
    new_rate: float = 1.0


@dataclass(frozen=True, slots=True)
class DataConfig:
    """What is learned from.

    Attributes:
        names: Data sets, joined by `+`; the catalogue is `longsum data`.
        validation: The sets whose validation splits are measured, joined by `+`; by default the
            first of `names`.
        shippable: Whether to learn only from documents whose licence lets the result be handed on.
        limit: The most training documents of each set; None takes all.
        validation_limit: The most documents of each set in the splits that are measured.
        prepared: Folder that keeps the encoded data for other runs; None is one in the output.
    """

    __pydantic_config__ = _STRICT

    names: str = "pmc_jats"
    validation: str | None = None
    shippable: bool = False
    limit: int | None = None
    validation_limit: int | None = None
    prepared: str | None = None


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """A trained system that reads sources: all that there is to say of a tagger.

    Attributes:
        checkpoint: Folder or Hub id of the model to start from; None starts from nothing.
        position_extension: How a checkpoint's table of positions grows.
        model: Fields of `LongsumSeq2SeqConfig`.
        tokenizer: The tokenizer, where no checkpoint brings one.
        task: What is read and written.
        data: What is learned from.
        training: How the weights move.
        save_every: Updates between two checkpoints.
        evaluate_every: Updates between two measurements on validation data.
    """

    __pydantic_config__ = _STRICT

    checkpoint: str | None = None
    position_extension: Extension = "tile"
    model: Mapping[str, Any] = field(default_factory=dict)
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    task: TaskConfig = field(default_factory=TaskConfig)
    data: DataConfig = field(default_factory=DataConfig)
    training: OptimizationConfig = field(default_factory=OptimizationConfig)
    save_every: int = 500
    evaluate_every: int = 500

    @property
    def whole_sources(self) -> bool:
        """Whether more of a training source is kept than is read at once."""
        return False


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings(ReaderSettings):
    """A trained encoder–decoder system.

    Attributes:
        training: How the weights move.
        generation: Fields of `transformers.GenerationConfig`.
        rouge_documents: Validation documents for which the model writes at each measurement. The
            result then has the weights with the highest ROUGE-2 of these, a checkpoint being
            written at each measurement; with 0, the loss alone is measured and the last are kept.
    """

    training: Seq2SeqOptimizationConfig = field(default_factory=Seq2SeqOptimizationConfig)
    generation: Mapping[str, Any] = field(default_factory=dict)
    rouge_documents: int = 0

    @property
    def whole_sources(self) -> bool:
        """Whether more of a training source is kept than is read at once: for gap sentences."""
        return self.training.gap_sentences > 0
