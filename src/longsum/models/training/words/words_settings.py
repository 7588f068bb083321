"""Settings of training runs of word-level models."""

from dataclasses import dataclass, field
from typing import Literal

from longsum.core.encoder.networks import Precision
from longsum.models.training.run_settings import (
    DataConfig,
    OptimizationConfig,
    RunSettings,
    Schedule,
)

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
