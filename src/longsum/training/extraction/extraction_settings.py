"""What a recipe of an extractive model may say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict

from longsum.tasks.extraction.histories import HistoryConfig
from longsum.training.run_settings import DataConfig, OptimizationConfig

Architecture = Literal["hibert", "etc", "flat"]
Target = Literal["gains", "selection", "text"]

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class ExtractionTaskConfig:
    """What is read, and what is to be chosen.

    Attributes:
        sentence_tokens: The most tokens of a sentence.
        sentences: The most sentences of a document; None reads it whole.
        history: How plans are made to learn from.
        target: What a stepwise model is to choose next: the oracle's next sentence in the order of
            `selection` or of the `text`, or any sentence with a probability that grows with its
            `gains`.
        temperature: `gains`: a gain that is smaller by this share of the best one is e times less
            probable.
        beginnings: Beginnings of plans of a document in a batch.
        strayed: Share of them that come from plans that stray.
        positive_weight: Weight of a sentence that is to be chosen, in the loss of a model that is
            not stepwise.
    """

    __pydantic_config__ = _STRICT

    sentence_tokens: int = 128
    sentences: int | None = None
    history: HistoryConfig = field(default_factory=HistoryConfig)
    target: Target = "gains"
    temperature: float = 0.1
    beginnings: int = 4
    strayed: float = 0.5
    positive_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class EncoderOptimizationConfig(OptimizationConfig):
    """How the weights of an encoder alone move: by AdamW, and with all that it computes kept."""

    optimizer: Literal["adamw"] = "adamw"
    gradient_checkpointing: Literal[False] = False


@dataclass(frozen=True, slots=True)
class ExtractionOptimizationConfig(EncoderOptimizationConfig):
    """How the weights of an extractive model move.

    Attributes:
        sentence_encoder_rate: Learning rate of the sentence encoder, as a share of that of the
            rest; 0 leaves it as it is.
    """

    sentence_encoder_rate: float = 1.0


@dataclass(frozen=True, slots=True)
class ExtractorSettings:
    """A trained extractive system.

    Attributes:
        architecture: Which model.
        model: Its settings, nested as they are.
        checkpoint: Folder or Hub id of a BERT or RoBERTa to start from, or folder of a model that
            `longsum train` wrote, of the same architecture; None starts from nothing.
        start: What of HiBERT starts from it: the sentence encoder alone (`sentences`), from its
            bottom layers, or the document encoder too, from its top layers (`whole`, A.1).
        tokenizer: Folder with a tokenizer, where there is no checkpoint.
        vocabulary: Pieces of the checkpoint's WordPiece vocabulary to keep; None for all.
        task: What is read and chosen.
        data: What is learned from.
        training: How the weights move.
        save_every: Updates between two checkpoints.
        evaluate_every: Updates between two measurements on validation data.
    """

    __pydantic_config__ = _STRICT

    architecture: Architecture = "hibert"
    model: Mapping[str, Any] = field(default_factory=dict)
    checkpoint: str | None = None
    start: Literal["sentences", "whole"] = "whole"
    tokenizer: str | None = None
    vocabulary: int | None = None
    task: ExtractionTaskConfig = field(default_factory=ExtractionTaskConfig)
    data: DataConfig = field(default_factory=DataConfig)
    training: ExtractionOptimizationConfig = field(default_factory=ExtractionOptimizationConfig)
    save_every: int = 500
    evaluate_every: int = 500
