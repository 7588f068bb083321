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
from longsum.models.training.training_dataset import Item, collate
from longsum.models.training.training_run import Run, Started


class PairTrainer(LengthGroupedTrainer):
    """Trains on pairs of texts, each of which counts as one target."""

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of pairs."""
        return torch.tensor([len(batch["input_ids"])], device=batch["input_ids"].device)


class SpanTrainer(PairTrainer):
    """Trains a reader that marks the first and the last token of an answer."""

    terms = 3

    @staticmethod
    def sums(model: Any, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over pairs: the loss, exact answers, and the number of pairs."""
        output, count = model(**batch), len(batch["input_ids"])
        first = output.start_logits.argmax(dim=-1) == batch["start_positions"]
        last = output.end_logits.argmax(dim=-1) == batch["end_positions"]
        exact = (first & last).sum()
        return torch.stack([output.loss.double() * count, exact.double(), exact.new_tensor(count)])

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
        """Return the loss of a batch without the kinds of its claims, which models do not take."""
        inputs = {name: value for name, value in inputs.items() if name != "kinds"}
        return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)

    @staticmethod
    def sums(model: Any, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over claims: `[2 + 2 · kinds]`, fp64.

        They are the loss; by kind, the claims that were judged correctly, and all claims; and the
        number of claims.
        """
        kinds = batch["kinds"]
        output = model(**{name: value for name, value in batch.items() if name != "kinds"})
        correct = output.logits.argmax(dim=-1) == batch["labels"]
        correct_by_kind = torch.bincount(kinds[correct], minlength=len(CLAIM_KINDS))
        by_kind = torch.bincount(kinds, minlength=len(CLAIM_KINDS))
        size = output.loss.new_tensor([len(kinds)]).double()
        return torch.cat([output.loss.double()[None] * size, correct_by_kind, by_kind, size])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss, the mean accuracy of both labels, and the accuracy of each kind."""
        loss, *counts = means
        correct, total = np.array(counts).reshape(2, -1)
        by_kind = {
            f"accuracy_{kind}": float(right / count)
            for kind, right, count in zip(CLAIM_KINDS, correct, total, strict=True)
            if count
        }
        labels = [(correct[:1].sum(), total[:1].sum()), (correct[1:].sum(), total[1:].sum())]
        accuracies = [right / count for right, count in labels if count]
        return {"loss": loss, "balanced_accuracy": float(np.mean(accuracies)), **by_kind}


def collate_spans(items: Sequence[Item], pad: int) -> dict[str, Tensor]:
    """Join pairs into a batch, padded on the right, with `start_positions` and `end_positions`."""
    targets = torch.tensor(np.stack([item["targets"] for item in items]), dtype=torch.long)
    return {**collate(items, pad), "start_positions": targets[:, 0], "end_positions": targets[:, 1]}


def collate_claims(
    items: Sequence[Item], pad: int, original: int, corrupted: int
) -> dict[str, Tensor]:
    """Join pairs into a batch, padded on the right, with `labels` and `kinds`, `[b]`.

    `original` and `corrupted` are the labels' indices.
    """
    kinds = torch.tensor([int(item["targets"][0]) for item in items])
    labels = torch.where(kinds == CLAIM_KINDS.index("original"), original, corrupted)
    return {**collate(items, pad), "labels": labels, "kinds": kinds}


ReaderRun = Started[CheckingSettings, PreTrainedTokenizerBase, PreparedPairs, PreTrainedModel]
ClassifierRun = Started[ClaimSettings, PreTrainedTokenizerBase, PreparedPairs, PreTrainedModel]

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
    """Return the claims of a split, and report their number by kind; see `encoded_split`."""
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
    by_kind = (f"{count:,} {kind}" for kind, count in zip(CLAIM_KINDS, counts, strict=True))
    cache.say(f"{name}: {', '.join(by_kind)}")
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


def span_trainer(run: ReaderRun) -> SpanTrainer:
    """Make the trainer of a reader."""
    joined = partial(collate_spans, pad=_pad(run.model))
    return run.trainer(SpanTrainer, run.data.train, run.data.validation, joined)


def claim_trainer(run: ClassifierRun) -> ClaimTrainer:
    """Make the trainer of a classifier."""
    index = {name: number for number, name in LABELS.items()}
    joined = partial(
        collate_claims,
        pad=_pad(run.model),
        original=index[CONSISTENT],
        corrupted=index[INCONSISTENT],
    )
    return run.trainer(ClaimTrainer, run.data.train, run.data.validation, joined)


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
