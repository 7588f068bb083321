"""Training of taggers of important tokens (Pang et al. 2022, §2.3, AdaPool, Step 2)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.models.networks.tagger import LongsumTagger
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import reads_sections
from longsum.models.training.prepare_tokens import run_tokenizer, save_tokens, tokenized_split
from longsum.models.training.run_seq2seq import start_model
from longsum.models.training.run_settings import ReaderSettings
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_dataset import Item, TrainingDataset, collate
from longsum.models.training.training_run import Run, Started

BINS = 1000
"""Bins of the probability in which tokens are counted to measure how well they are ranked."""


class TaggingTrainer(LengthGroupedTrainer):
    """Trains a tagger on a `TrainingDataset` with importance."""

    terms = 2 * BINS + 2

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of tokens."""
        mask: Tensor = batch["attention_mask"]
        return mask.sum()[None]

    @staticmethod
    def sums(model: LongsumTagger, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over all tokens: `[2 · BINS + 2]`, fp64.

        They are the cross-entropy; the number of unimportant tokens in each of `BINS` equal bins of
        the probability; the same of important tokens; and the number of tokens.
        """
        outputs, mask = model(**batch), batch["attention_mask"].bool()
        bins = (outputs.logits[mask].float().sigmoid() * BINS).long().clamp(max=BINS - 1)
        bins += BINS * batch["labels"][mask].long()
        counts = torch.bincount(bins, minlength=2 * BINS)
        tokens = counts.sum()[None]
        return torch.cat([outputs.loss.double()[None] * tokens, counts, tokens])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss per token, and `ranking_scores`."""
        loss, *counts = means
        return {"loss": loss, **ranking_scores(np.array(counts))}


def collate_labels(items: Sequence[Item], pad: int) -> dict[str, Tensor]:
    """Join examples into a batch as `collate` does, with the importance as labels, `[b, n]`."""
    batch = collate(items, pad)
    batch["labels"] = batch.pop("importance")
    return batch


def ranking_scores(counts: NDArray[np.float64]) -> dict[str, float]:
    """Return how well probabilities separate important tokens from others.

    Args:
        counts: Numbers of unimportant and then of important tokens in each bin of the probability,
            `[2 · BINS]`, from the lowest on; or their shares of all tokens.

    Returns:
        `f1` of the tokens whose probability is at least one half; and `average_precision`, the sum
        of the precision at each probability, weighted by the increase in recall. Both are 0 where
        no token is important.
    """
    others, important = counts.reshape(2, BINS)[:, ::-1]
    if not important.any():
        return {"f1": 0.0, "average_precision": 0.0}
    true_positives, predicted = important.cumsum(), (important + others).cumsum()
    precision = true_positives / np.maximum(predicted, np.finfo(np.float64).tiny)
    half = BINS // 2 - 1
    return {
        "f1": float(2 * true_positives[half] / (predicted[half] + true_positives[-1])),
        "average_precision": float((precision * important).sum() / true_positives[-1]),
    }


def check_labels(settings: ReaderSettings) -> None:
    """Refuse a task without labels to learn."""
    if settings.task.importance != "oracle":
        raise LongsumError("A tagger learns an oracle's labels; set task.importance=oracle.")


def make_trainer(
    run: Started[ReaderSettings, PreTrainedTokenizerBase, PreparedSplit, LongsumTagger],
) -> TaggingTrainer:
    """Make the trainer."""
    dataset = partial(
        TrainingDataset,
        source_tokens=run.settings.task.source_tokens,
        structure=reads_sections(run.model.config),
        overflow=run.settings.task.overflow,
        importance="oracle",
    )
    pad = int(run.model.config.pad_token_id or 0)
    return run.trainer(
        TaggingTrainer,
        dataset(run.data.train),
        dataset(run.data.validation),
        partial(collate_labels, pad=pad),
    )


TAGGER = Run(
    kind="tagger",
    form=ReaderSettings,
    tokens=run_tokenizer,
    split=tokenized_split,
    build=lambda settings, tokenizer: LongsumTagger.of(start_model(settings, tokenizer)),
    trainer=make_trainer,
    save=save_tokens,
    check=check_labels,
)
