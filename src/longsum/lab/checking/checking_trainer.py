"""The trainers of models that check summaries, and what they measure."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from longsum.common.arrays import Ints
from longsum.lab.checking.check_items import CLAIM_KINDS
from longsum.models.training.trainer import LengthGroupedTrainer


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
        """Return sums over pairs: the loss, answers that are exact, and the number of pairs."""
        found, count = model(**batch), len(batch["input_ids"])
        first = found.start_logits.argmax(dim=-1) == batch["start_positions"]
        last = found.end_logits.argmax(dim=-1) == batch["end_positions"]
        exact = (first & last).sum()
        return torch.stack([found.loss.double() * count, exact.double(), exact.new_tensor(count)])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss, and the share of answers that are exact."""
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

        They are the loss; of each kind the claims that were judged rightly, and all of them; and
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

    Args:
        items: The pairs.
        pad: Id of the padding token.
        original: The label of original claims.
        corrupted: That of the others.
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
