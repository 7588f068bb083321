"""Settings that training runs share, and those of encoder–decoders and taggers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict

from longsum.core.encoder.networks import Precision
from longsum.models.networks.seq2seq.convert_checkpoints import Extension
from longsum.models.tasks.task_settings import TaskConfig

Optimizer = Literal["adafactor", "adamw"]
Sharding = Literal["none", "full"]
Schedule = Literal["polynomial", "linear", "cosine", "inverse_sqrt", "constant_with_warmup"]

STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class TokenizerConfig:
    """The tokenizer of a model trained from scratch; a checkpoint has its own.

    Attributes:
        path: Folder with a tokenizer; None trains one on the training split.
        size: Vocabulary size of a trained one.
        references: Whether it is trained on the reference summaries too, and not on the documents
            alone.
    """

    __pydantic_config__ = STRICT

    path: str | None = None
    size: int = 16_000
    references: bool = False


@dataclass(frozen=True, slots=True)
class OptimizationConfig:
    """Optimizer and schedule settings.

    Attributes:
        steps: Total number of updates.
        batch: Examples per device and batch.
        accumulate: Batches per update, on each device.
        optimizer: `adafactor`, or `adamw` with decoupled weight decay.
        learning_rate: Peak learning rate.
        schedule: How it decays from there to 0 at the last step.
        warmup_steps: Updates over which it rises from 0.
        weight_decay: Of AdamW or Adafactor.
        adam_betas: Of AdamW.
        clip: Maximum norm of the gradient; 0 for no clipping.
        gradient_checkpointing: Whether layers are recomputed in the backward pass.
        precision: `bf16` computes products in bf16 and keeps weights in fp32; `auto` uses it where
            the hardware supports it.
        group_by_length: Whether a batch holds sources of similar length.
        workers: Processes that make batches, besides the training process.
        seed: Seed of initial weights, order and dropout.
        sharding: What each of several processes holds: the whole model (`none`), or a part of it,
            of its gradients and of the optimizer's state (`full`). The result is the same.
    """

    __pydantic_config__ = STRICT

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
    sharding: Sharding = "none"


@dataclass(frozen=True, slots=True)
class Seq2SeqOptimizationConfig(OptimizationConfig):
    """Optimizer, schedule and loss settings of an encoder–decoder.

    Attributes:
        label_smoothing: Label smoothing, in training only.
        span_loss: Coefficient of the loss that keeps adaptive spans short: the mean span of a
            layer's heads in tokens, summed over layers (Sukhbaatar et al. 2019); 0 for none.
        gap_sentences: Gap-sentence examples for each example of the task; 0 for none.
        gap_share: Share of a passage that becomes gaps.
        new_rate: Multiplier of the learning rate of weights that no checkpoint provides, such as
            section biases: a table that starts at zero has far to go in few updates.
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
        names: Data sets, joined by `+`; `longsum data` lists them.
        validation: Data sets whose validation splits are measured on, joined by `+`; by default the
            first of `names`.
        shippable: Whether to learn only from documents whose licence allows the result to be
            redistributed.
        limit: Maximum number of training documents of each data set; None for all.
        validation_limit: The same for the validation splits.
        prepared: Folder that keeps encoded data for other runs; None for one in the output folder.
    """

    __pydantic_config__ = STRICT

    names: str = "pmc_jats"
    validation: str | None = None
    shippable: bool = False
    limit: int | None = None
    validation_limit: int | None = None
    prepared: str | None = None


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Settings of every training run.

    Attributes:
        model: Fields of the model's configuration, nested as they are there.
        data: What is learned from.
        training: Optimizer and schedule settings.
        save_every: Updates between checkpoints.
        evaluate_every: Updates between measurements on validation data.
    """

    __pydantic_config__ = STRICT

    model: Mapping[str, Any] = field(default_factory=dict)
    data: DataConfig = field(default_factory=DataConfig)
    training: OptimizationConfig = field(default_factory=OptimizationConfig)
    save_every: int = 500
    evaluate_every: int = 500


@dataclass(frozen=True, slots=True)
class ReaderSettings(RunSettings):
    """A trained system that reads tokenized sources: a tagger, or an encoder–decoder.

    Attributes:
        model: Fields of `LongsumSeq2SeqConfig`.
        checkpoint: Folder or Hub id of the model to start from; None trains from scratch.
        position_extension: How a checkpoint's position embeddings are extended.
        tokenizer: The tokenizer, where no checkpoint provides one.
        task: What is read and written.
    """

    checkpoint: str | None = None
    position_extension: Extension = "tile"
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    task: TaskConfig = field(default_factory=TaskConfig)

    @property
    def whole_sources(self) -> bool:
        """Whether more of a training source is kept than is read at once."""
        return False


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings(ReaderSettings):
    """A trained encoder–decoder system.

    Attributes:
        training: Optimizer, schedule and loss settings.
        generation: Fields of `transformers.GenerationConfig`.
        rouge_documents: Validation documents that are summarised at each measurement. The weights
            with the highest ROUGE-2 on them are kept, and a checkpoint is written at each
            measurement. With 0, only the loss is measured and the last weights are kept.
    """

    training: Seq2SeqOptimizationConfig = field(default_factory=Seq2SeqOptimizationConfig)
    generation: Mapping[str, Any] = field(default_factory=dict)
    rouge_documents: int = 0

    @property
    def whole_sources(self) -> bool:
        """Whether more of a training source is kept than is read at once: for gap sentences."""
        return self.training.gap_sentences > 0
