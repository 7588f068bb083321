"""Prepared documents as batches: what has been selected, and what should be selected next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset

from longsum.common.arrays import Ints, Vectors
from longsum.core.encoder.encode_units import EncodedDocument
from longsum.models.networks.extractive.units import join
from longsum.models.tasks.extraction.histories import Histories
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.models.training.extraction.extraction_settings import ExtractionTaskConfig
from longsum.models.training.extraction.vectors import TextVectors


@dataclass(frozen=True, slots=True)
class Step:
    """A partial plan, and the target distribution of the next sentence.

    Attributes:
        plan: Sentences selected so far.
        candidates: Sentences that may come next; −1 is the end of the plan.
        shares: Their probabilities. Those of the sentences sum to 1, if there are any; that of the
            end is separate.
    """

    plan: Ints
    candidates: Ints
    shares: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Item:
    """A document with some steps, and the vectors of its texts, if they are precomputed."""

    document: EncodedDocument
    steps: list[Step]
    vectors: Vectors | None


class ExtractionDataset(Dataset[Item]):
    """Documents, each with some partial plans.

    Item i at draw k depends only on i, k and the seed, which lets a run resume. For measuring,
    prefixes of the greedy plan are used, evenly spaced over its length.

    Args:
        split: The documents with their histories.
        task: What is to be selected.
        stepwise: Whether the model selects one sentence at a time; otherwise its targets are all
            sentences of the greedy plan at once.
        draws: Passes over the documents in one pass over this dataset; 0 to measure.
        seed: Seed of the partial plans.
        vectors: The vectors of all texts of the split by a frozen sentence encoder; None if the
            encoder reads them each time.
    """

    def __init__(
        self,
        split: ExtractionSplit,
        task: ExtractionTaskConfig,
        *,
        stepwise: bool = True,
        draws: int = 0,
        seed: int = 0,
        vectors: TextVectors | None = None,
    ) -> None:
        self.split = split
        self.vectors = vectors
        self.task = task
        self.stepwise = stepwise
        self.draws = draws
        self.seed = seed

    def __len__(self) -> int:
        return len(self.split) * max(1, self.draws)

    def lengths(self) -> list[int]:
        """Return the length of each item's document, by which batches are padded.

        It is in tokens, or in sentences if their vectors are precomputed.
        """
        split = self.split
        lengths = split.lengths() if self.vectors is None else split.sentence_counts()
        return lengths * max(1, self.draws)

    def __getitem__(self, index: int) -> Item:
        """Return a document and steps.

        Raises:
            IndexError: There are fewer items.
        """
        if not 0 <= index < len(self):
            raise IndexError(index)
        draw, place = divmod(index, len(self.split))
        example = self.split[place]
        if not self.stepwise:
            steps = [self._all_at_once(example.histories)]
        elif self.draws:
            generator = np.random.default_rng((self.seed, draw, place))
            steps = self._drawn(example.histories, generator)
        else:
            steps = self._even(example.histories, place)
        vectors = None if self.vectors is None else self.vectors[self.split.texts(place)]
        return Item(example.document, steps, vectors)

    def _drawn(self, histories: Histories, generator: np.random.Generator) -> list[Step]:
        if self.task.beginnings is None:
            return self._every(histories)
        steps = []
        perturbed = len(histories.lengths) - 1
        for _ in range(self.task.beginnings):
            strays = perturbed and generator.random() < self.task.strayed
            plan = 1 + int(generator.integers(perturbed)) if strays else 0
            chosen = int(generator.integers(histories.lengths[plan] + 1))
            steps.append(self._step(histories, plan, chosen))
        return steps

    def _even(self, histories: Histories, place: int) -> list[Step]:
        length, count = int(histories.lengths[0]), self.task.beginnings
        if count is None:
            return self._every(histories)
        if count == 1:
            # Each document is measured at another length.
            return [self._step(histories, 0, place % (length + 1))]
        lengths = np.linspace(0, length, count).round().astype(int).tolist()
        return [self._step(histories, 0, chosen) for chosen in lengths]

    def _every(self, histories: Histories) -> list[Step]:
        length = int(histories.lengths[0])
        return [self._step(histories, 0, chosen) for chosen in range(length + 1)]

    def _step(self, histories: Histories, plan: int, chosen: int) -> Step:
        """Return the step after the first `chosen` sentences of a plan."""
        length = int(histories.lengths[plan])
        order = histories.plans[plan, :length]
        if self.task.target == "text":
            order = np.sort(order)
        if self.task.target == "gains":
            row = int((histories.lengths[:plan] + 1).sum()) + chosen
            gains, end = histories.gains[row], histories.ends[row]
            useful = (gains > 0) & (histories.candidates[row] >= 0)
            if useful.any():
                weights = np.exp((gains[useful] / gains.max() - 1) / self.task.temperature)
                shares, nexts = weights / weights.sum(), histories.candidates[row][useful]
                if end > 0:
                    shares, nexts = np.append(shares, end), np.append(nexts, np.int32(-1))
                return Step(order[:chosen], nexts, shares.astype(np.float32))
        elif chosen < length:
            return Step(order[:chosen], order[chosen : chosen + 1], np.ones(1, np.float32))
        return Step(order[:chosen], np.array([-1], np.int32), np.ones(1, np.float32))

    def _all_at_once(self, histories: Histories) -> Step:
        chosen = histories.plans[0, : int(histories.lengths[0])]
        return Step(chosen[:0], chosen, np.ones(len(chosen), np.float32))


def collate(items: Sequence[Item], pad: int) -> dict[str, Tensor]:
    """Join items into a batch.

    If a document has fewer steps than another, the missing ones have no targets.

    Returns:
        The fields of `Units`, with `vectors` if they are precomputed; `plans`, `[b, k, m]`, padded
        with −1; and `targets`, `[b, k, n + 1]`.
    """
    units = join([item.document for item in items], pad)
    steps = max(len(item.steps) for item in items)
    longest = max(len(step.plan) for item in items for step in item.steps)
    plans = np.full((len(items), steps, longest), -1, dtype=np.int64)
    targets = np.zeros((len(items), steps, units.sentences.shape[1] + 1), dtype=np.float32)
    for row, item in enumerate(items):
        for place, step in enumerate(item.steps):
            plans[row, place, : len(step.plan)] = step.plan
            # −1, the end of the plan, is the last column.
            targets[row, place, step.candidates] = step.shares
    if items[0].vectors is not None:
        vectors = np.concatenate([item.vectors for item in items if item.vectors is not None])
        units = replace(
            units, tokens=units.tokens[:, :0], vectors=torch.from_numpy(vectors).float()
        )
    chosen = {"plans": torch.from_numpy(plans), "targets": torch.from_numpy(targets)}
    return units.parts() | chosen
