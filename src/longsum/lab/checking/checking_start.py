"""What training a model that checks summaries starts from: settings, tokenizer, data, weights."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import ConfigDict, Field
from torch import nn
from transformers import BertConfig, PreTrainedModel, PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import TOKENIZER_FILES, ModelFolder, find_folder
from longsum.evaluation.datasets import Example
from longsum.lab.checking.check_items import PAPER, ClaimPlan
from longsum.lab.checking.prepared_pairs import EncodedPair, PreparedPairs
from longsum.models.networks.hugging_face import load_config, load_model, load_tokenizer
from longsum.models.training.documents import PreparedCache, Tally
from longsum.models.training.prepare_tokens import identity, trained_tokenizer
from longsum.models.training.run_settings import RunSettings, TokenizerConfig


@dataclass(frozen=True, slots=True)
class PairConfig:
    """The input of a model.

    Attributes:
        tokens: Most tokens that are read at once, both texts together.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    tokens: int = 512


@dataclass(frozen=True, slots=True)
class CheckingSettings(RunSettings):
    """Settings for training a model that checks summaries.

    Attributes:
        model: Fields of `transformers.BertConfig`, for a model trained from scratch.
        checkpoint: Folder or Hub id of the encoder to start from; None trains from scratch.
        frozen_layers: How many bottom layers are frozen, together with the embeddings; with 0, the
            embeddings learn too. Updates take less time, since only the weights above need a
            gradient.
        tokenizer: The tokenizer, if no checkpoint provides one.
        task: The input.
    """

    checkpoint: str | None = None
    frozen_layers: Annotated[int, Field(ge=0)] = 0
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    task: PairConfig = field(default_factory=PairConfig)


@dataclass(frozen=True, slots=True)
class ClaimSettings(CheckingSettings):
    """Settings for training a classifier of claims.

    Attributes:
        claims: What claims are made from, and how they are corrupted.
    """

    claims: ClaimPlan = PAPER


FORMAT = 2
"""Changes whenever items are made or encoded differently, so that older files are not used."""

# Heads of the task that a checkpoint was trained for, and of the one that it is trained for now.
_HEADS = ("pooler", "classifier", "qa_outputs", "cls.", "lm_head", "position_ids")

Encode = Callable[[Example, int], Iterable[EncodedPair | None]]


def run_tokenizer(settings: CheckingSettings, cache: PreparedCache) -> PreTrainedTokenizerBase:
    """Return the tokenizer of the checkpoint or of the settings, or else a newly trained one.

    Raises:
        LongsumError: The tokenizer is missing, or there are no data to train one on.
    """
    source = settings.checkpoint or settings.tokenizer.path
    if source is None:
        source = str(trained_tokenizer(settings.tokenizer, cache))
    tokenizer = load_tokenizer(find_folder(source, TOKENIZER_FILES))
    # Saved with the model, so that it reads windows of the size that it was trained on.
    tokenizer.model_max_length = settings.task.tokens
    return tokenizer


def encoded_split(
    settings: CheckingSettings,
    tokenizer: PreTrainedTokenizerBase,
    name: str,
    cache: PreparedCache,
    *,
    encode: Encode,
    described: Any,
) -> PreparedPairs:
    """Return the pairs of a split, and report how many cannot be learned from.

    Args:
        settings: The settings.
        tokenizer: The tokenizer.
        name: The split.
        cache: Where the split is cached.
        encode: Makes the pairs of an example, with at most so many tokens; None stands for one
            that cannot be learned from.
        described: What `encode` depends on, as part of the cache key.

    Raises:
        LongsumError: The data are missing, or hold nothing to learn from.
    """

    def make(tally: Tally) -> PreparedPairs:
        left_out = 0

        def usable() -> Iterator[EncodedPair]:
            nonlocal left_out
            for example in tally.documents():
                for pair in encode(example, settings.task.tokens):
                    if pair is None:
                        left_out += 1
                    else:
                        yield pair

        pairs = list(tally.counted(usable()))
        if not pairs:
            raise LongsumError(
                f"The {name} split of {settings.data.names} holds nothing to learn from; choose "
                "another data set or a higher limit."
            )
        return PreparedPairs.of(pairs, left_out)

    tokens = settings.task.tokens
    key = [FORMAT, described, tokens, identity(tokenizer)]
    split = cache.split(PreparedPairs, name, key, make)
    if left_out := int(split.left_out[0]):
        cache.say(f"{name}: {left_out:,} without an answer in the context are left out")
    return split


def start_model(
    settings: CheckingSettings,
    tokenizer: PreTrainedTokenizerBase,
    kind: Any,
    **fields: Any,
) -> PreTrainedModel:
    """Make the model that training starts from, with a new head.

    `kind` is an Auto class of `transformers`, and `fields` are settings of the head.

    Raises:
        LongsumError: The checkpoint cannot be used.
    """
    if settings.checkpoint is None:
        scratch = BertConfig(
            vocab_size=len(tokenizer),
            pad_token_id=tokenizer.pad_token_id,
            **{"max_position_embeddings": settings.task.tokens, **fields, **settings.model},
        )
        return _frozen(kind.from_config(scratch), settings.frozen_layers)
    folder = ModelFolder.at(settings.checkpoint)
    config = load_config(folder)
    for name, value in {**fields, **settings.model}.items():
        setattr(config, name, value)
    loaded = load_model(kind, folder, config, new=_HEADS, spare=_HEADS)
    return _frozen(loaded.train(), settings.frozen_layers)


def _frozen(model: PreTrainedModel, layers: int) -> PreTrainedModel:
    """Freeze the embeddings and so many bottom layers of a model, if any, and return it."""
    if not layers:
        return model
    base = model.base_model
    stack = next(part for part in base.modules() if isinstance(part, nn.ModuleList))
    if layers > len(stack):
        raise LongsumError(
            f"The model has {len(stack)} layers, fewer than the {layers} that are to stay as they "
            "are; set 'frozen_layers' to fewer."
        )
    # BERT-like models have the embeddings of positions under this name too.
    embeddings = model.get_input_embeddings(), getattr(base, "embeddings", None)
    for part in (*embeddings, *stack[:layers]):
        if isinstance(part, nn.Module):
            part.requires_grad_(False)
    return model
