"""Pretraining of ETC on documents alone, for ETCSum to start from.

Ainslie et al. 2020 (ETC), §3; Stepwise, §6.1 and A.2.
"""

import json

import torch
from tokenizers import Tokenizer
from torch import Tensor

from longsum.errors import LongsumError
from longsum.models.extractive.etc import EtcSum
from longsum.models.extractive.etc_pretraining import Masking
from longsum.models.extractive.modeling_extractive import LongsumExtractor
from longsum.training.extraction.extraction_settings import EtcPretrainingSettings, MaskingConfig
from longsum.training.extraction.prepare_extraction import ExtractionData, prepare_extraction
from longsum.training.extraction.pretraining_trainer import (
    DocumentDataset,
    EtcPretraining,
    PretrainingTrainer,
)
from longsum.training.extraction.start import start_model
from longsum.training.frame import Run, Started

_MASKS = ("[MASK]", "<mask>")
# What a byte-level tokenizer writes for the space before a word.
_BLANK = "Ġ"


def build_encoder(settings: EtcPretrainingSettings, data: ExtractionData) -> LongsumExtractor:
    """Make an ETCSum; its encoder is pretrained, its salience layers are not.

    A recipe of ETCSum takes the result as its checkpoint.
    """
    return LongsumExtractor.of(start_model(settings, data.tokenizer, data.kept))


def make_trainer(
    run: Started[EtcPretrainingSettings, ExtractionData, LongsumExtractor],
) -> PretrainingTrainer:
    """Make the trainer of the encoder, with the heads of both objectives."""
    extractor, task = run.model.extractor, run.settings.task
    assert isinstance(extractor, EtcSum)
    masking = masking_of(run.data.tokenizer, task)
    return PretrainingTrainer(
        EtcPretraining(extractor.encoder, masking, task.contrast),
        run.arguments,
        train=DocumentDataset(run.data.train),
        validation=DocumentDataset(run.data.validation),
        pad=run.data.pad,
        metrics=run.metrics,
    )


def masking_of(tokenizer: Tokenizer, task: MaskingConfig) -> Masking:
    """Return how tokens of a tokenizer are masked.

    Raises:
        LongsumError: The tokenizer has no mask token.
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
    """Return which tokens continue a word, `[vocabulary]`, if the kind of tokenizer is known."""
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = tokenizer.get_vocab()
    found = torch.zeros(max(vocabulary.values()) + 1, dtype=torch.bool)
    if model["type"] == "WordPiece":
        prefix = model["continuing_subword_prefix"]
        continuing = [number for token, number in vocabulary.items() if token.startswith(prefix)]
    elif model["type"] == "BPE" and any(token.startswith(_BLANK) for token in vocabulary):
        continuing = [
            number for token, number in vocabulary.items() if not token.startswith(_BLANK)
        ]
    else:
        return None
    found[continuing] = True
    return found


ETC_PRETRAINING = Run(
    kind="etc_pretraining",
    form=EtcPretrainingSettings,
    prepare=lambda settings, cache: prepare_extraction(settings, cache, None),
    build=build_encoder,
    trainer=make_trainer,
)
