"""Pretraining of ETC on documents alone, for ETCSum to start from.

Ainslie et al. 2020 (ETC), §3; Stepwise, §6.1 and A.2.
"""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Generator, Tensor, nn

from longsum.core.encoder.encode_units import needed_token
from longsum.models.networks.extractive.etc import EtcEncoder, EtcSum
from longsum.models.networks.extractive.etc_pretraining import (
    ContrastivePrediction,
    MaskedLanguageModel,
    Masking,
    whole_documents,
)
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.networks.extractive.units import Units, join
from longsum.models.tasks.extraction.prepared_units import ExtractionExample, ExtractionSplit
from longsum.models.training.extraction.extraction_settings import (
    EtcPretrainingSettings,
    MaskingConfig,
)
from longsum.models.training.extraction.prepare_extraction import (
    PrunedTokenizer,
    encoded_split,
    padding,
    run_tokenizer,
    save_extractor,
)
from longsum.models.training.extraction.start import start_model
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_run import Run, Started

_REPEATED = ("words.encoder.", "sentences.encoder.")


class EtcPretraining(nn.Module):
    """An encoder with the heads of both objectives, which are discarded afterwards.

    Args:
        encoder: The encoder.
        masking: What is masked.
        contrast: Weight of the loss of masked sentences; that of masked words is 1.
    """

    def __init__(self, encoder: EtcEncoder, masking: Masking, contrast: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.words = MaskedLanguageModel(encoder, masking)
        self.sentences = ContrastivePrediction(encoder, masking)
        self.contrast = contrast
        # The heads hold the encoder too, and safetensors refuses shared weights.
        self.register_state_dict_post_hook(_leave_out_repeated)
        self.register_load_state_dict_post_hook(_miss_nothing_repeated)

    def forward(self, draw: int, **batch: Tensor) -> dict[str, Tensor]:
        """Return the loss of documents and its parts.

        `draw` is the seed of what is masked; the batch has the fields of `Units`.
        """
        units = Units(**batch)
        first, second = _generators(draw, units)
        words, sentences = self.words.loss(units, first), self.sentences.loss(units, second)
        loss = words + self.contrast * sentences
        return {"loss": loss, "words": words, "sentences": sentences}

    def counted(self, draw: int, **batch: Tensor) -> Tensor:
        """Return the numbers of masked words and masked sentences in `forward`, `[2]`."""
        units = Units(**batch)
        documents = whole_documents(units, self.encoder.config)
        first, second = _generators(draw, units)
        words = self.words.choose(documents, first).sum()
        sentences = self.sentences.choose(documents, second).sum()
        # A single sentence has no others to be contrasted with.
        return torch.stack([words, sentences * (sentences > 1)])


def collate_documents(items: Sequence[ExtractionExample], pad: int) -> dict[str, Tensor]:
    """Join documents into a batch, without their plans."""
    return join([item.document for item in items], pad).parts()


class PretrainingTrainer(LengthGroupedTrainer):
    """Trains an `EtcPretraining` on the documents of an `ExtractionSplit`."""

    terms = 5

    def seeded(self, batch: dict[str, Any], update: int, place: int) -> dict[str, Any]:
        """Return a batch with the seed of its masks, which a resumed run repeats."""
        seed = np.random.SeedSequence((self.args.seed, update, place))
        return batch | {"draw": int(seed.generate_state(1)[0])}

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the numbers of masked words and masked sentences."""
        return cast(EtcPretraining, self.model).counted(**batch)

    def means(self, outputs: Any) -> Tensor:
        """Return the loss per word and, weighted, per sentence."""
        contrast = cast(EtcPretraining, self.model).contrast
        return torch.stack([outputs["words"], contrast * outputs["sentences"]])

    @staticmethod
    def sums(model: EtcPretraining, batch: Mapping[str, Any]) -> Tensor:
        """Return both summed losses, their numbers of targets, and 1 per batch: `[5]`, fp64."""
        outputs, counts = model(**batch), model.counted(**batch).double()
        losses = torch.stack([outputs["words"], outputs["sentences"]]).double()
        return torch.cat([losses * counts, counts, torch.ones_like(counts[:1])])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the training loss and both of its parts."""
        words, sentences = (
            loss / count if count else 0.0 for loss, count in zip(means[:2], means[2:], strict=True)
        )
        loss = words + cast(EtcPretraining, self.model).contrast * sentences
        return {"loss": loss, "words": words, "sentences": sentences}


def _generators(draw: int, units: Units) -> tuple[Generator, Generator]:
    """Return the random generators that mask words and sentences."""
    device = units.sentences.device
    first, second = (Generator(device).manual_seed(2 * draw + stream) for stream in range(2))
    return first, second


def _leave_out_repeated(
    _module: nn.Module, state: dict[str, Tensor], prefix: str, _metadata: dict[str, Any]
) -> None:
    for name in [name for name in state if name.removeprefix(prefix).startswith(_REPEATED)]:
        del state[name]


def _miss_nothing_repeated(_module: nn.Module, keys: Any) -> None:
    missing = [name for name in keys.missing_keys if not name.startswith(_REPEATED)]
    keys.missing_keys[:] = missing


# How a byte-level tokenizer writes the space before a word.
_BLANK = "Ġ"


def make_trainer(
    run: Started[EtcPretrainingSettings, PrunedTokenizer, ExtractionSplit, LongsumExtractor],
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
    continues = torch.zeros(max(vocabulary.values()) + 1, dtype=torch.bool)
    if model["type"] == "WordPiece":
        prefix = model["continuing_subword_prefix"]
        continuing = [number for token, number in vocabulary.items() if token.startswith(prefix)]
    elif model["type"] == "BPE" and any(token.startswith(_BLANK) for token in vocabulary):
        continuing = [
            number for token, number in vocabulary.items() if not token.startswith(_BLANK)
        ]
    else:
        return None
    continues[continuing] = True
    return continues


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
