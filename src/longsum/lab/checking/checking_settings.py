"""Settings of training runs of models that check summaries."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import ConfigDict, Field

from longsum.lab.checking.check_items import PAPER, ClaimPlan
from longsum.models.training.run_settings import RunSettings, TokenizerConfig


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
        frozen_layers: How many layers at the bottom keep their weights, and the embeddings with
            them; 0 for none, where the embeddings learn too. Updates take less time, since only
            the weights above need a gradient.
        tokenizer: The tokenizer, where no checkpoint provides one.
        task: What is read.
    """

    checkpoint: str | None = None
    frozen_layers: Annotated[int, Field(ge=0)] = 0
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    task: PairConfig = field(default_factory=PairConfig)


@dataclass(frozen=True, slots=True)
class ClaimSettings(CheckingSettings):
    """A trained classifier of claims.

    Attributes:
        claims: What claims are made of, and how they are corrupted.
    """

    claims: ClaimPlan = PAPER
