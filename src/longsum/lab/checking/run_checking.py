"""Training of the reader of APES and of the classifier of FactCC (HEPOS §5, App. B)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import (
    AutoModelForQuestionAnswering,
    AutoModelForSequenceClassification,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from longsum.common.arrays import Ints
from longsum.lab.checking.apes import ClozeMaker
from longsum.lab.checking.check_items import CLAIM_KINDS, claim_items, span_items
from longsum.lab.checking.checkers import CONSISTENT, CONTEXT_SENTENCES, INCONSISTENT, window_stride
from longsum.lab.checking.checking_start import (
    CheckingSettings,
    ClaimSettings,
    encoded_split,
    run_tokenizer,
    start_model,
)
from longsum.lab.checking.prepared_pairs import PreparedPairs, encode_claims, encode_spans
from longsum.models.training.documents import PreparedCache
from longsum.models.training.prepare_tokens import save_tokens
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_run import Run, Started


class PairTrainer(LengthGroupedTrainer):
    """Trains on pairs, each of which is one target."""

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of pairs."""
        return torch.tensor([len(batch["input_ids"])], device=batch["input_ids"].device)


class SpanTrainer(PairTrainer):
    """Trains a reader that labels the first and the last token of an answer."""

    terms = 3

    @staticmethod
    def sums(model: Any, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over pairs: the loss, exact answers, and the number of pairs."""
        found, count = model(**batch), len(batch["input_ids"])
        first = found.start_logits.argmax(dim=-1) == batch["start_positions"]
        last = found.end_logits.argmax(dim=-1) == batch["end_positions"]
        exact = (first & last).sum()
        return torch.stack([found.loss.double() * count, exact.double(), exact.new_tensor(count)])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss, and the share of exact answers."""
        return {"loss": means[0], "exact": means[1]}


class ClaimTrainer(PairTrainer):
    """Trains a classifier of claims."""

    terms = 2 + 2 * len(CLAIM_KINDS)

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,
    ) -> Any:
        """Return the part of a batch in the loss, which does not depend on the kinds."""
        inputs = {name: value for name, value in inputs.items() if name != "kinds"}
        return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)

    @staticmethod
    def sums(model: Any, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over claims: `[2 + 2 · kinds]`, fp64.

        They are the loss; for each kind the claims that were judged correctly, and all claims; and
        the number of claims.
        """
        kinds = batch["kinds"]
        found = model(**{name: value for name, value in batch.items() if name != "kinds"})
        right = found.logits.argmax(dim=-1) == batch["labels"]
        count = len(CLAIM_KINDS)
        rightly = torch.bincount(kinds[right], minlength=count)
        total = torch.bincount(kinds, minlength=count)
        size = found.loss.new_tensor([len(kinds)]).double()
        return torch.cat([found.loss.double()[None] * size, rightly, total, size])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss, the accuracy on claims of each kind, and the mean over both labels."""
        loss, *counts = means
        rightly, total = np.array(counts).reshape(2, -1)
        found = {
            f"accuracy_{kind}": float(right / all_of)
            for kind, right, all_of in zip(CLAIM_KINDS, rightly, total, strict=True)
            if all_of
        }
        labels = [(rightly[:1].sum(), total[:1].sum()), (rightly[1:].sum(), total[1:].sum())]
        shares = [right / all_of for right, all_of in labels if all_of]
        return {"loss": loss, "balanced_accuracy": float(np.mean(shares)), **found}


def collate_spans(items: Sequence[Mapping[str, Ints]], pad: int) -> dict[str, Tensor]:
    """Join pairs to a batch, padded on the right, with `start_positions` and `end_positions`."""
    targets = torch.tensor(np.stack([item["targets"] for item in items]), dtype=torch.long)
    return {**_padded(items, pad), "start_positions": targets[:, 0], "end_positions": targets[:, 1]}


def collate_claims(
    items: Sequence[Mapping[str, Ints]], pad: int, original: int, corrupted: int
) -> dict[str, Tensor]:
    """Join pairs to a batch, padded on the right, with `labels` and `kinds`, `[b]`.

    `original` and `corrupted` are the labels.
    """
    kinds = torch.tensor([int(item["targets"][0]) for item in items])
    labels = torch.where(kinds == CLAIM_KINDS.index("original"), original, corrupted)
    return {**_padded(items, pad), "labels": labels, "kinds": kinds}


def _padded(items: Sequence[Mapping[str, Ints]], pad: int) -> dict[str, Tensor]:
    size = len(items), max(len(item["input_ids"]) for item in items)
    ids, segments, real = np.full(size, pad), np.zeros(size, int), np.zeros(size, int)
    for row, item in enumerate(items):
        length = len(item["input_ids"])
        ids[row, :length], segments[row, :length] = item["input_ids"], item["token_type_ids"]
        real[row, :length] = 1
    named = {"input_ids": ids, "token_type_ids": segments, "attention_mask": real}
    return {name: torch.from_numpy(array).long() for name, array in named.items()}


Checked = Started[CheckingSettings, PreTrainedTokenizerBase, PreparedPairs, PreTrainedModel]
ClaimsChecked = Started[ClaimSettings, PreTrainedTokenizerBase, PreparedPairs, PreTrainedModel]

LABELS = {0: CONSISTENT, 1: INCONSISTENT}
"""FactCC's labels, in the order of its released checkpoint."""


def span_split(
    settings: CheckingSettings, tokenizer: PreTrainedTokenizerBase, name: str, cache: PreparedCache
) -> PreparedPairs:
    """Return the cloze questions of a split; see `encoded_split`."""
    maker = ClozeMaker()
    return encoded_split(
        settings,
        tokenizer,
        name,
        cache,
        encode=lambda example, tokens: encode_spans(
            span_items(example, maker), tokenizer, tokens, window_stride(tokens)
        ),
        described=["cloze", maker.variant],
    )


def claim_split(
    settings: ClaimSettings, tokenizer: PreTrainedTokenizerBase, name: str, cache: PreparedCache
) -> PreparedPairs:
    """Return the claims of a split; say how many there are of each kind (see `encoded_split`)."""
    seed, plan = settings.training.seed, settings.claims
    split = encoded_split(
        settings,
        tokenizer,
        name,
        cache,
        encode=lambda example, tokens: encode_claims(
            claim_items(example, seed, plan), tokenizer, tokens
        ),
        described=["claims", seed, plan],
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
