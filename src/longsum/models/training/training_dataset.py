"""Prepared splits as PyTorch datasets, and how their items are joined into batches."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from longsum.common.arrays import Ints
from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_tree import NO_SECTION
from longsum.models.tasks.gap_sentences import GapSentences
from longsum.models.tasks.prepared import Importance, PreparedSplit
from longsum.models.tasks.source import START, Overflow
from longsum.models.tasks.task_settings import Weights

Item = dict[str, Ints | Importance]

SECTIONS = ("section_of", "section_parents")
_FILLINGS = {
    "token_type_ids": 0,
    "labels": -100,
    "section_of": START,
    "section_parents": NO_SECTION,
    "importance": 0.0,
}
"""What each input is padded with; a float pads an input of floats."""


class TrainingDataset(Dataset[Item]):
    """Training examples, and gap sentences of the same documents.

    Gap sentences are drawn anew in every pass, so one pass over this dataset is `draws` passes over
    the documents: item i depends only on i and the seed, which lets a run resume.

    Args:
        split: The training examples as tokens.
        source_tokens: Maximum number of source tokens.
        gaps: How to make gap sentences; None for none.
        gap_ratio: Gap-sentence examples for each document and pass.
        draws: Passes over the documents in one pass over this dataset.
        start: First token that the decoder reads. If targets begin with it, it is left out of the
            labels, since there would be nothing to learn.
        structure: Whether the model reads the sections of a source.
        overflow: Where a source longer than `source_tokens` ends; see `SourceFormat`.
        importance: Where the importance of tokens comes from that the model reads; None for none.
            See `TaskConfig`.

    Raises:
        LongsumError: Structure or importance is combined with gap sentences, which have neither; or
            the split has no importance.
    """

    def __init__(
        self,
        split: PreparedSplit,
        source_tokens: int,
        gaps: GapSentences | None = None,
        gap_ratio: float = 0.0,
        draws: int = 1,
        start: int | None = None,
        *,
        structure: bool = False,
        overflow: Overflow = "cut",
        importance: Weights | None = None,
    ) -> None:
        if (structure or importance) and gaps:
            raise LongsumError(
                "A model that reads the sections of its source, or the importance of its tokens, "
                "cannot learn from gap sentences, which have neither; set training.gap_sentences=0."
            )
        if importance and not len(split.importance):
            raise LongsumError("These examples have no importance of tokens; prepare them with it.")
        self.split = split
        self.source_tokens = source_tokens
        self.gaps = gaps
        self.start = start
        self.structure = structure
        self.overflow = overflow
        self.importance = importance
        self.pairs = len(split) * draws
        self.gap_pairs = round(self.pairs * gap_ratio) if gaps else 0

    def __len__(self) -> int:
        return self.pairs + self.gap_pairs

    def __getitem__(self, index: int) -> Item:
        """Return the token ids of a source and of its target.

        With structure, also `section_of` and `section_parents` of the source (see `EncodedSource`);
        with importance, also that of its tokens.

        Raises:
            IndexError: There are fewer items.
        """
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index < self.pairs:
            document = index % len(self.split)
            source = self.split.truncated(document, self.source_tokens, self.overflow)
            target = self.split.target(document)
        else:
            assert self.gaps is not None
            draw, document = divmod(index - self.pairs, len(self.split))
            source, target = self.gaps.pair(self.split, document, draw)
        item: Item = {"input_ids": source, "labels": target[int(target[0] == self.start) :]}
        if self.structure:
            sections = self.split.sections(document, self.source_tokens, self.overflow)
            item |= dict(zip(SECTIONS, sections, strict=True))
        if self.importance:
            item["importance"] = self.split.weights(document, self.source_tokens, self.overflow)
        return item

    def lengths(self) -> list[int]:
        """Return the number of tokens of each source, before any gaps are made."""
        ends = self.split.source_ends
        lengths = np.minimum(np.diff(ends, prepend=0), self.source_tokens).tolist()
        return [lengths[index % len(lengths)] for index in range(len(self))]


def collate(items: Sequence[Item], pad: int) -> dict[str, Tensor]:
    """Join items into a batch, padded on the right.

    Returns:
        `input_ids` and `attention_mask`, `[b, n]`; `labels`, `[b, t]`, −100 where padded. With
        structure also `section_of`, `[b, n]`, and `section_parents`, `[b, S]`; with importance also
        `importance`, `[b, n]`, in fp32; of pairs of texts also `token_type_ids`, `[b, n]`.
    """
    filled = [(name, filling) for name, filling in _FILLINGS.items() if name in items[0]]
    sources = [item["input_ids"] for item in items]
    return {
        "input_ids": _padded(sources, pad),
        "attention_mask": _padded([np.ones_like(source) for source in sources], 0),
        **{name: _padded([item[name] for item in items], filling) for name, filling in filled},
    }


def _padded(rows: Sequence[Ints | Importance], filling: float) -> Tensor:
    longest = max(len(row) for row in rows)
    padded = np.full(
        (len(rows), longest), filling, np.float32 if isinstance(filling, float) else np.int64
    )
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return torch.from_numpy(padded)
