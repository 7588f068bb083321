"""Pretraining of ETC on documents alone, for ETCSum to start from.

Ainslie et al. 2020 (ETC), §3; Stepwise, §6.1 and A.2.
"""

import json
from functools import partial

import torch
from tokenizers import Tokenizer
from torch import Tensor

from longsum.core.encoder.encode_units import needed_token
from longsum.models.networks.extractive.etc import EtcSum
from longsum.models.networks.extractive.etc_pretraining import Masking
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.models.training.extraction.extraction_settings import (
    EtcPretrainingSettings,
    MaskingConfig,
)
from longsum.models.training.extraction.prepare_extraction import (
    KeptTokenizer,
    encoded_split,
    padding,
    run_tokenizer,
    save_extractor,
)
from longsum.models.training.extraction.pretraining_trainer import (
    EtcPretraining,
    PretrainingTrainer,
    collate_documents,
)
from longsum.models.training.extraction.start import start_model
from longsum.models.training.training_run import Run, Started

# What a byte-level tokenizer writes for the space before a word.
_BLANK = "Ġ"


def make_trainer(
    run: Started[EtcPretrainingSettings, KeptTokenizer, ExtractionSplit, LongsumExtractor],
) -> PretrainingTrainer:
    """Make the trainer of the encoder, with the heads of both objectives."""
    extractor, task, tokenizer = run.model.extractor, run.settings.task, run.data.tokens.tokenizer
    assert isinstance(extractor, EtcSum)
    heads = EtcPretraining(extractor.encoder, masking_of(tokenizer, task), task.contrast)
    return run.trainer(
        PretrainingTrainer,
        run.data.train,
        run.data.validation,
        partial(collate_documents, pad=padding(tokenizer)),
        model=heads,
    )


def masking_of(tokenizer: Tokenizer, task: MaskingConfig) -> Masking:
    """Return how tokens of a tokenizer are masked.

    Raises:
        LongsumError: The tokenizer has no mask token.
    """
    added = tokenizer.get_added_tokens_decoder()
    return Masking(
        mask=needed_token(tokenizer, ("[MASK]", "<mask>")),
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
    tokens=run_tokenizer,
    split=partial(encoded_split, history=None),
    # Its salience layers are not trained; a recipe of ETCSum takes the result as its checkpoint.
    build=lambda settings, tokens: LongsumExtractor.of(start_model(settings, *tokens)),
    trainer=make_trainer,
    save=save_extractor,
)
