"""A pretraining run of ETC: documents alone in, an encoder for ETCSum to start from out.

Ainslie et al. 2020 (ETC), §3; Stepwise, §6.1 and A.2.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import torch
from pydantic import ConfigDict
from tokenizers import Tokenizer
from torch import Tensor

from longsum.errors import LongsumError
from longsum.models.extractive.etc import EtcSum
from longsum.models.extractive.etc_pretraining import Masking
from longsum.models.extractive.modeling_extractive import LongsumExtractor
from longsum.recipes.recipe import Recipe
from longsum.training.extraction.extraction_settings import (
    EncoderOptimizationConfig,
    ExtractionTaskConfig,
    ExtractorSettings,
)
from longsum.training.extraction.prepare_extraction import ExtractionPreparation
from longsum.training.extraction.pretraining_trainer import (
    Documents,
    EtcPretraining,
    PretrainingTrainer,
)
from longsum.training.extraction.run_extraction import padding, save_to
from longsum.training.extraction.start import start_model
from longsum.training.run_seq2seq import PREPARED, begun, complete, recipe_settings
from longsum.training.run_settings import DataConfig
from longsum.training.trainer import METRICS

KIND = "etc_pretraining"
_MASKS = ("[MASK]", "<mask>")
# What a byte-level tokenizer writes for the blank before a word.
_BLANK = "Ġ"
_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class HidingTaskConfig:
    """What is read, and what of it is hidden.

    Attributes:
        sentence_tokens: The most tokens of a sentence.
        sentences: The most sentences of a document; None reads as many as the model does.
        hidden_words: Share of the words that are hidden.
        hidden_sentences: Share of the sentences that are hidden.
        contrast: Weight of the loss of hidden sentences; that of hidden words is 1.
    """

    __pydantic_config__ = _STRICT

    sentence_tokens: int = 512
    sentences: int | None = None
    hidden_words: float = 0.15
    hidden_sentences: float = 0.15
    contrast: float = 0.25


@dataclass(frozen=True, slots=True)
class EtcPretrainingSettings:
    """A pretrained ETC.

    Attributes:
        model: Fields of `EtcConfig`.
        checkpoint: Folder or Hub id of a BERT or RoBERTa to start from, or folder of an ETC that
            `longsum train` wrote; None starts from nothing.
        tokenizer: Folder with a tokenizer, where there is no checkpoint.
        vocabulary: Pieces of the checkpoint's WordPiece vocabulary to keep; None for all.
        task: What is read and hidden.
        data: What is learned from; summaries are not looked at.
        training: How the weights move.
        save_every: Updates between two checkpoints.
        evaluate_every: Updates between two measurements on validation data.
    """

    __pydantic_config__ = _STRICT

    model: Mapping[str, Any] = field(default_factory=dict)
    checkpoint: str | None = None
    tokenizer: str | None = None
    vocabulary: int | None = None
    task: HidingTaskConfig = field(default_factory=HidingTaskConfig)
    data: DataConfig = field(default_factory=DataConfig)
    training: EncoderOptimizationConfig = field(default_factory=EncoderOptimizationConfig)
    save_every: int = 500
    evaluate_every: int = 500

    def extractor(self) -> ExtractorSettings:
        """Return the settings of the extractor that is to start from the result."""
        return ExtractorSettings(
            architecture="etc",
            model=self.model,
            checkpoint=self.checkpoint,
            tokenizer=self.tokenizer,
            vocabulary=self.vocabulary,
            task=ExtractionTaskConfig(
                sentence_tokens=self.task.sentence_tokens, sentences=self.task.sentences
            ),
            data=self.data,
        )


def settings_of(recipe: Recipe, overrides: Mapping[str, Any]) -> EtcPretrainingSettings:
    """Return the settings of a recipe for pretraining; see `recipe_settings`."""
    return recipe_settings(recipe, overrides, KIND, EtcPretrainingSettings)


def train(
    recipe: Recipe,
    settings: EtcPretrainingSettings,
    output: Path,
    *,
    say: Callable[[str], None] = lambda _: None,
    step: Callable[[int, int], None] = lambda *_: None,
) -> dict[str, float]:
    """Pretrain an encoder; see `longsum.training.run_seq2seq.train`.

    The folder gets an ETCSum whose salience has learned nothing. A recipe of ETCSum takes it as its
    checkpoint.
    """
    with begun(recipe, settings, output) as arguments:
        preparation = ExtractionPreparation(settings.extractor(), output / PREPARED, say)
        tokenizer, kept = preparation.tokenizer()
        train_split, validation = (
            Documents(preparation.documents(tokenizer, split)) for split in ("train", "validation")
        )
    extractor = cast(EtcSum, start_model(settings.extractor(), tokenizer, kept))
    result = LongsumExtractor.of(extractor)
    say(f"{result.num_parameters():,} parameters, {len(train_split):,} documents")
    trainer = PretrainingTrainer(
        EtcPretraining(
            extractor.encoder, masking_of(tokenizer, settings.task), settings.task.contrast
        ),
        arguments,
        train=train_split,
        validation=validation,
        pad=padding(tokenizer),
        metrics=output / METRICS,
    )
    save = partial(save_to, result, tokenizer, output)
    return complete(trainer, save, output, say, step, recipe=recipe, taken=preparation.taken)


def masking_of(tokenizer: Tokenizer, task: HidingTaskConfig) -> Masking:
    """Return what is hidden, in the tokens of a tokenizer.

    Raises:
        LongsumError: The tokenizer has no mask.
    """
    masks = (tokenizer.token_to_id(name) for name in _MASKS)
    mask = next((found for found in masks if found is not None), None)
    if mask is None:
        raise LongsumError(
            f"The tokenizer has none of the tokens {', '.join(_MASKS)}; take that of BERT or "
            "RoBERTa."
        )
    added = tokenizer.get_added_tokens_decoder()
    return Masking(
        mask=mask,
        special=[number for number, token in added.items() if token.special],
        continues=_continuing(tokenizer),
        words=task.hidden_words,
        sentences=task.hidden_sentences,
    )


def _continuing(tokenizer: Tokenizer) -> Tensor | None:
    """Return which tokens go on with the word of the one before, `[vocabulary]`, if it is known."""
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = tokenizer.get_vocab()
    found = torch.zeros(max(vocabulary.values()) + 1, dtype=torch.bool)
    if model["type"] == "WordPiece":
        prefix = model["continuing_subword_prefix"]
        going_on = [number for token, number in vocabulary.items() if token.startswith(prefix)]
    elif model["type"] == "BPE" and any(token.startswith(_BLANK) for token in vocabulary):
        going_on = [number for token, number in vocabulary.items() if not token.startswith(_BLANK)]
    else:
        return None
    found[going_on] = True
    return found
