"""The trainer of extractors of relations."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.tables.relations import LongsumRelations


class RelationTrainer(LengthGroupedTrainer):
    """Trains an extractor on a `CandidateSplit`."""

    terms = 6

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of candidates, which all have the same weight."""
        return torch.tensor([len(batch["labels"])], device=self.args.device)

    @staticmethod
    def sums(model: LongsumRelations, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over all candidates: `[6]`, fp64.

        They are the loss; how many labels were found that are not `NONE`, and how many of them are
        right; how many candidates have a right one; how many were decided rightly; and 1.
        """
        found = model(**batch)
        labels, none = batch["labels"].bool(), model.config.none
        chosen = found.scores.argmax(dim=-1)
        right = labels.gather(1, chosen[:, None]).squeeze(1)
        some = chosen != none
        counts = torch.stack(
            [some.sum(), (some & right).sum(), (~labels[:, none]).sum(), right.sum()]
        )
        size = torch.tensor([len(labels)], device=counts.device)
        return torch.cat([found.loss[None] * size, counts, size]).double()

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss, precision and recall of relations, and how often all was right."""
        loss, found, right, there, decided = means
        return {
            "loss": loss,
            "precision": right / found if found else 0.0,
            "recall": right / there if there else 0.0,
            "accuracy": decided,
        }
