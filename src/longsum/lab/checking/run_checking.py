"""Training of the reader of APES and of the classifier of FactCC (HEPOS §5, App. B)."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from transformers import (
    AutoModelForQuestionAnswering,
    AutoModelForSequenceClassification,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from longsum.evaluation.datasets import Example
from longsum.lab.checking.check_items import CLAIM_KINDS, claim_items, span_items
from longsum.lab.checking.checking_start import (
    CheckingSettings,
    ClaimSettings,
    encoded_split,
    run_tokenizer,
    start_model,
)
from longsum.lab.checking.checking_trainer import (
    ClaimTrainer,
    SpanTrainer,
    collate_claims,
    collate_spans,
)
from longsum.lab.checking.claim_scorer import CONSISTENT, CONTEXT_SENTENCES, INCONSISTENT
from longsum.lab.checking.cloze import ClozeMaker
from longsum.lab.checking.prepared_pairs import (
    EncodedPair,
    PreparedPairs,
    encode_claims,
    encode_spans,
)
from longsum.lab.checking.span_answerer import window_stride
from longsum.models.training.prepare_tokens import save_tokens
from longsum.models.training.prepared_cache import PreparedCache
from longsum.models.training.training_run import Run, Started

Checked = Started[CheckingSettings, PreTrainedTokenizerBase, PreparedPairs, PreTrainedModel]
ClaimsChecked = Started[ClaimSettings, PreTrainedTokenizerBase, PreparedPairs, PreTrainedModel]

LABELS = {0: CONSISTENT, 1: INCONSISTENT}
"""FactCC's labels, in the order of its released checkpoint."""


def span_split(
    settings: CheckingSettings, tokenizer: PreTrainedTokenizerBase, name: str, cache: PreparedCache
) -> PreparedPairs:
    """Return the cloze questions of a split; see `encoded_split`."""
    maker = ClozeMaker()

    def encode(
        example: Example, tokenizer: PreTrainedTokenizerBase, tokens: int
    ) -> Iterable[EncodedPair | None]:
        return encode_spans(span_items(example, maker), tokenizer, tokens, window_stride(tokens))

    return encoded_split(
        settings, tokenizer, name, cache, encode=encode, described=["cloze", maker.variant]
    )


def claim_split(
    settings: ClaimSettings, tokenizer: PreTrainedTokenizerBase, name: str, cache: PreparedCache
) -> PreparedPairs:
    """Return the claims of a split; say how many there are of each kind (see `encoded_split`)."""
    seed = settings.training.seed

    def encode(
        example: Example, tokenizer: PreTrainedTokenizerBase, tokens: int
    ) -> Iterable[EncodedPair | None]:
        return encode_claims(claim_items(example, seed, settings.claims), tokenizer, tokens)

    split = encoded_split(
        settings, tokenizer, name, cache, encode=encode, described=["claims", seed, settings.claims]
    )
    counts = np.bincount(split.targets[:, 0], minlength=len(CLAIM_KINDS))
    told = (f"{count:,} {kind}" for kind, count in zip(CLAIM_KINDS, counts, strict=True))
    cache.say(f"{name}: {', '.join(told)}")
    return split


def start_classifier(
    settings: ClaimSettings, tokenizer: PreTrainedTokenizerBase
) -> PreTrainedModel:
    """Make the classifier that training starts from; see `start_model`."""
    return start_model(
        settings,
        tokenizer,
        AutoModelForSequenceClassification,
        id2label=LABELS,
        label2id={name: number for number, name in LABELS.items()},
        **{CONTEXT_SENTENCES: settings.claims.sentences},
    )


def span_trainer(run: Checked) -> SpanTrainer:
    """Make the trainer of a reader."""
    collate = partial(collate_spans, pad=_pad(run.model))
    return run.trainer(SpanTrainer, run.data.train, run.data.validation, collate)


def claim_trainer(run: ClaimsChecked) -> ClaimTrainer:
    """Make the trainer of a classifier."""
    numbers = {name: number for number, name in LABELS.items()}
    collate = partial(
        collate_claims,
        pad=_pad(run.model),
        original=numbers[CONSISTENT],
        corrupted=numbers[INCONSISTENT],
    )
    return run.trainer(ClaimTrainer, run.data.train, run.data.validation, collate)


def _pad(model: Any) -> int:
    return int(model.config.pad_token_id or 0)


SPAN_ANSWERING = Run(
    kind="span_answering",
    form=CheckingSettings,
    tokens=run_tokenizer,
    split=span_split,
    build=partial(start_model, kind=AutoModelForQuestionAnswering),
    trainer=span_trainer,
    save=save_tokens,
)

CLAIM_CHECKING = Run(
    kind="claim_checking",
    form=ClaimSettings,
    tokens=run_tokenizer,
    split=claim_split,
    build=start_classifier,
    trainer=claim_trainer,
    save=save_tokens,
)
