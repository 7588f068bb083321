"""Settings of training runs of extractive models, and of ETC pretraining."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from longsum.models.tasks.extraction.histories import HistoryConfig
from longsum.models.training.run_settings import STRICT, OptimizationConfig, RunSettings

Architecture = Literal["hibert", "etc", "flat"]
Start = Literal["sentences", "whole"]
Target = Literal["gains", "selection", "text"]


@dataclass(frozen=True, slots=True)
class UnitsConfig:
    """What is read of a document.

    Attributes:
        sentence_tokens: Maximum number of tokens of a sentence.
        sentences: Maximum number of sentences of a document; None for as many as the model reads.
    """

    __pydantic_config__ = STRICT

    sentence_tokens: int = 128
    sentences: int | None = None


@dataclass(frozen=True, slots=True)
class ExtractionTaskConfig(UnitsConfig):
    """What is read, and what is to be selected.

    Attributes:
        history: How the oracle plans that are learned from are made.
        own_sections: Share of the training documents that are used a second time, with their own
            conclusions, abstract or introduction as the reference, if they have any.
        target: What a stepwise model learns to select next: the oracle's next sentence in the order
            of `selection` or of the `text`, or any sentence with a probability that grows with its
            `gains`.
        temperature: With `gains`, a gain that is smaller by this share of the best one is e times
            less probable.
        beginnings: Number of partial plans of each document in a batch; None for every prefix of
            its best plan, all learned from at once.
        strayed: Share of them that are prefixes of perturbed plans.
        positive_weight: Loss weight of a sentence that is to be selected, for a model that is not
            stepwise.
    """

    history: HistoryConfig = field(default_factory=HistoryConfig)
    own_sections: float = 0.0
    target: Target = "gains"
    temperature: float = 0.1
    beginnings: int | None = 4
    strayed: float = 0.5
    positive_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class MaskingConfig(UnitsConfig):
    """What is read, and how much of it is masked.

    Attributes:
        hidden_words: Share of the words that are masked.
        hidden_sentences: Share of the sentences that are masked.
        contrast: Weight of the loss of masked sentences; that of masked words is 1.
    """

    sentence_tokens: int = 512
    hidden_words: float = 0.15
    hidden_sentences: float = 0.15
    contrast: float = 0.25


@dataclass(frozen=True, slots=True)
class ChoiceConfig:
    """How the trained model chooses sentences unless its user says otherwise.

    The system (`longsum.core.extractive.neural`) has settings of the same names, whose defaults it
    reads from the folder.

    Attributes:
        blocking: Whether no two sentences share a trigram (TriBlk, §6.1).
    """

    __pydantic_config__ = STRICT

    blocking: bool = False


@dataclass(frozen=True, slots=True)
class EncoderOptimizationConfig(OptimizationConfig):
    """Optimizer and schedule settings of an encoder: AdamW.

    For HiBERT, gradient checkpointing applies to the sentence encoder, by far its larger part.
    """

    optimizer: Literal["adamw"] = "adamw"


@dataclass(frozen=True, slots=True)
class ExtractionOptimizationConfig(EncoderOptimizationConfig):
    """Optimizer and schedule settings of an extractive model.

    Attributes:
        sentence_encoder_rate: Learning rate of the sentence encoder, as a share of that of the
            rest; 0 freezes it.
    """

    sentence_encoder_rate: float = 1.0


@dataclass(frozen=True, slots=True)
class EncoderSettings(RunSettings):
    """A model that reads a document as units: sentences and headings.

    Attributes:
        checkpoint: Folder or Hub id of a BERT or RoBERTa to start from, or folder of a model that
            `longsum train` wrote, of the same architecture; None trains from scratch.
        tokenizer: Folder with a tokenizer, if there is no checkpoint.
        vocabulary: Pieces of the checkpoint's WordPiece vocabulary to keep; None for all.
        task: What is read, and what is learned.
    """

    checkpoint: str | None = None
    tokenizer: str | None = None
    vocabulary: int | None = None
    task: UnitsConfig = field(default_factory=UnitsConfig)
    training: EncoderOptimizationConfig = field(default_factory=EncoderOptimizationConfig)


@dataclass(frozen=True, slots=True)
class ExtractorSettings(EncoderSettings):
    """A trained extractive system.

    Attributes:
        architecture: Which model.
        start: What the checkpoint initialises of HiBERT: the sentence encoder alone (`sentences`),
            from its bottom layers, or the document encoder too, from its top layers (`whole`, A.1).
        rouge_documents: Validation documents that a stepwise model chooses from at each
            measurement, at several lengths (`PlanScores`). The weights with the highest ROUGE on
            them are kept; with 0, the last ones.
        summaries: How the trained model chooses.
    """

    architecture: Architecture = "hibert"
    start: Start = "whole"
    rouge_documents: int = 0
    summaries: ChoiceConfig = field(default_factory=ChoiceConfig)
    task: ExtractionTaskConfig = field(default_factory=ExtractionTaskConfig)
    training: ExtractionOptimizationConfig = field(default_factory=ExtractionOptimizationConfig)


@dataclass(frozen=True, slots=True)
class EtcPretrainingSettings(EncoderSettings):
    """A pretrained ETC; summaries in the data are not read."""

    architecture: ClassVar[Architecture] = "etc"
    start: ClassVar[Start] = "whole"

    task: MaskingConfig = field(default_factory=MaskingConfig)


StartSettings = ExtractorSettings | EtcPretrainingSettings
"""Settings that say which extractive model training starts from."""
