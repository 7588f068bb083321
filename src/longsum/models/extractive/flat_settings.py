"""The settings of the flat extractor, as plain data that loads without `transformers`."""

from dataclasses import dataclass, field

from longsum.models.extractive.extractor_settings import SentenceEncoderConfig


@dataclass(frozen=True, slots=True)
class FlatConfig:
    """BERTSum or RoBERTaSum, stepwise or not (Liu & Lapata 2019b; Stepwise, §6.1).

    Attributes:
        stepwise: Whether sentences are chosen one at a time, conditioned on earlier choices;
            otherwise each has a probability of its own, and all are given at once.
        encoder: What reads the sentences of a document as one text; its `positions` are the most
            tokens of document and partial summary together, and its `representation` is `first`.
    """

    stepwise: bool = True
    encoder: SentenceEncoderConfig = field(default_factory=SentenceEncoderConfig)
