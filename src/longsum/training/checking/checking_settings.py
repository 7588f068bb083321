"""Settings of training runs of models that check summaries."""

from dataclasses import dataclass, field

from pydantic import ConfigDict

from longsum.training.run_settings import RunSettings, TokenizerConfig


@dataclass(frozen=True, slots=True)
class PairConfig:
    """What is read.

    Attributes:
        tokens: Most tokens that are read at once, both texts together.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    tokens: int = 512


@dataclass(frozen=True, slots=True)
class CheckingSettings(RunSettings):
    """A trained model that checks summaries.

    Attributes:
        model: Fields of `transformers.BertConfig`, of a model trained from scratch.
        checkpoint: Folder or Hub id of the encoder to start from; None trains from scratch.
        tokenizer: The tokenizer, where no checkpoint provides one.
        task: What is read.
    """

    checkpoint: str | None = None
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    task: PairConfig = field(default_factory=PairConfig)
