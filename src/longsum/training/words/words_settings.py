"""What a recipe of a model of words may say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict

from longsum.models.precision import Precision
from longsum.training.run_settings import DataConfig, OptimizationConfig, Schedule

Architecture = Literal["pointer_generator", "convolutional"]

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class WordDataConfig(DataConfig):
    """What is learned from, and where the words come from.

    Attributes:
        words: Data sets whose training splits the vocabulary is counted on, joined by `+`; by
            default those of `names`.
    """

    __pydantic_config__ = _STRICT

    words: str | None = None


@dataclass(frozen=True, slots=True)
class WordOptimizationConfig(OptimizationConfig):
    """How the weights of a model of words move: by Adagrad, as in See et al. 2017 (§5).

    Attributes:
        accumulator: Where the sums of squared gradients begin.
        coverage_steps: Last updates with coverage, before which the sums begin anew, as in the
            official code. A network that starts with coverage has it throughout.
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
class WordModelSettings:
    """A trained model of words.

    Attributes:
        architecture: Which model.
        model: Fields of its configuration; `max_source_tokens` and `max_target_tokens` are also
            what is learned from.
        start: Folder of such a model to start from, whose vocabulary and settings hold wherever
            these say nothing else; None starts from nothing.
        vocabulary: Words to count, the four special tokens included, where nothing is started from.
        data: What is learned from.
        training: How the weights move.
        save_every: Updates between two checkpoints.
        evaluate_every: Updates between two measurements on validation data.
    """

    __pydantic_config__ = _STRICT

    architecture: Architecture = "pointer_generator"
    model: Mapping[str, Any] = field(default_factory=dict)
    start: str | None = None
    vocabulary: int = 80_000
    data: WordDataConfig = field(default_factory=WordDataConfig)
    training: WordOptimizationConfig = field(default_factory=WordOptimizationConfig)
    save_every: int = 500
    evaluate_every: int = 500
