"""Training a tagger of important tokens (Pang et al. 2022, §2.3, AdaPool, Step 2)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from longsum.errors import LongsumError
from longsum.files import filled_folder
from longsum.models.tagger import LongsumTagger
from longsum.recipes.recipe import Recipe
from longsum.tasks.source import reads_sections
from longsum.training.prepared_cache import Preparation
from longsum.training.run_seq2seq import (
    PREPARED,
    begun,
    complete,
    recipe_settings,
    start_model,
)
from longsum.training.run_settings import ReaderSettings
from longsum.training.trainer import METRICS, ByLength
from longsum.training.training_dataset import Item, Lessons, collate

KIND = "tagger"
BINS = 1000
"""Steps of the probability in which tokens are counted to measure how well they are ordered."""


def settings_of(recipe: Recipe, overrides: Mapping[str, Any]) -> ReaderSettings:
    """Return the settings of a recipe for a tagger; see `recipe_settings`."""
    return recipe_settings(recipe, overrides, KIND, ReaderSettings)


def train(
    recipe: Recipe,
    settings: ReaderSettings,
    output: Path,
    *,
    say: Callable[[str], None] = lambda _: None,
    step: Callable[[int, int], None] = lambda *_: None,
) -> dict[str, float]:
    """Train a tagger; for all but the result as `longsum.training.run_seq2seq.train`.

    Returns:
        The last measurement on the validation data: the loss of a token; `f1` of the tokens whose
        probability is a half or more; and the average precision of all, by their probability.

    Raises:
        LongsumError: As `longsum.training.run_seq2seq.train`; or the task is not about importance.
    """
    if settings.task.importance != "oracle":
        raise LongsumError("A tagger learns an oracle's labels; set task.importance=oracle.")
    with begun(recipe, settings, output) as arguments:
        preparation = Preparation(settings, output / PREPARED, say)
        tokenizer = preparation.tokenizer()
        train_split, validation = (
            preparation.split(tokenizer, split) for split in ("train", "validation")
        )
    model = LongsumTagger.of(start_model(settings, tokenizer))
    say(f"{model.num_parameters():,} parameters, {len(train_split):,} documents")
    if settings.training.gradient_checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    lessons = partial(
        Lessons,
        source_tokens=settings.task.source_tokens,
        structure=reads_sections(model.config),
        overflow=settings.task.overflow,
        importance="oracle",
    )
    trainer = TaggingTrainer(
        model,
        arguments,
        train=lessons(train_split),
        validation=lessons(validation),
        pad=int(model.config.pad_token_id or 0),
        metrics=output / METRICS,
    )

    def save() -> None:
        with filled_folder(output) as folder:
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)

    return complete(trainer, save, output, say, step, recipe=recipe, taken=preparation.taken)


class TaggingTrainer(ByLength):
    """Trains a tagger on `Lessons` with importance.

    Args:
        given: As of `ByLength`.
        pad: Id of the padding token.
        named: As of `ByLength`.
    """

    def __init__(self, *given: Any, pad: int, **named: Any) -> None:
        super().__init__(*given, collate=partial(collate_labels, pad=pad), **named)

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return how many tokens there are."""
        mask: Tensor = batch["attention_mask"]
        return mask.sum()[None]

    def totals(self, batches: Iterable[Mapping[str, Tensor]]) -> Tensor:
        """Return what `measure` does."""
        assert isinstance(self.model, LongsumTagger)
        return measure(self.model, batches)

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss of a token, and what `ordered` says of the tokens."""
        loss, *counts = means
        return {"loss": loss, **ordered(np.array(counts))}


def collate_labels(items: Sequence[Item], pad: int) -> dict[str, Tensor]:
    """Join items to a batch as `collate` does, with the importance as labels, `[b, n]`."""
    batch = collate(items, pad)
    batch["labels"] = batch.pop("importance")
    return batch


@torch.no_grad()
def measure(model: LongsumTagger, batches: Iterable[Mapping[str, Tensor]]) -> Tensor:
    """Return sums over all tokens: `[2 · BINS + 2]`, fp64.

    They are the cross-entropy; how many unimportant tokens have each probability, in `BINS` equal
    steps; how many important ones; and how many tokens there are.
    """
    model.eval()
    total = torch.zeros(2 * BINS + 2, dtype=torch.float64, device=model.device)
    for batch in batches:
        found, real = model(**batch), batch["attention_mask"].bool()
        steps = (found.logits[real].float().sigmoid() * BINS).long().clamp(max=BINS - 1)
        places = steps + BINS * batch["labels"][real].long()
        total[0] += found.loss.double() * len(steps)
        total[1:-1] += torch.bincount(places, minlength=2 * BINS)
        total[-1] += len(steps)
    return total


def ordered(counts: NDArray[np.float64]) -> dict[str, float]:
    """Return how well probabilities tell important tokens from others.

    Args:
        counts: How many unimportant and then how many important tokens have each probability,
            `[2 · BINS]`, from the lowest on; or their shares of all.

    Returns:
        `f1` of the tokens whose probability is a half or more; and `average_precision`: the sum of
        the precision at each probability, weighted by what it adds to the recall. Both are 0 where
        nothing is important.
    """
    others, important = counts.reshape(2, BINS)[:, ::-1]
    if not important.any():
        return {"f1": 0.0, "average_precision": 0.0}
    right, taken = important.cumsum(), (important + others).cumsum()
    precision = right / np.maximum(taken, np.finfo(np.float64).tiny)
    half = BINS // 2 - 1
    return {
        "f1": float(2 * right[half] / (taken[half] + right[-1])),
        "average_precision": float((precision * important).sum() / right[-1]),
    }
