"""Pairs of a name and a number as the input of the extractor of relations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from longsum.common.arrays import Ints
from longsum.models.networks.words.vocabulary import PAD, Vocabulary
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.relation_candidates import Candidate


@dataclass(frozen=True, slots=True)
class EncodedCandidate:
    """A name and a number in a sentence.

    Attributes:
        ids: The words of the sentence, `[n]`.
        name: The first word of the name, and the one after its last, `[2]`.
        number: The same of the number.
        labels: Whether each label is right, `[L]`; empty where that is not known.
    """

    ids: Ints
    name: Ints
    number: Ints
    labels: NDArray[np.bool_]


def encoded(
    read: ReadSentence, candidate: Candidate, vocabulary: Vocabulary, labels: Sequence[bool] = ()
) -> EncodedCandidate:
    """Return a candidate of a sentence as words of a vocabulary."""
    ids = vocabulary.source(read.words.text.split(" ")).ids
    words, name, number = (
        np.array(part, np.int32) for part in (ids, candidate.name, candidate.number)
    )
    return EncodedCandidate(words, name, number, np.array(labels, np.bool_))


def collate(candidates: Sequence[EncodedCandidate]) -> dict[str, Tensor]:
    """Join candidates to a batch for `LongsumRelations.forward`, padded on the right."""
    longest = max(len(each.ids) for each in candidates)
    ids = np.full((len(candidates), longest), PAD, np.int64)
    for row, each in zip(ids, candidates, strict=True):
        row[: len(each.ids)] = each.ids
    batch = {
        "input_ids": torch.from_numpy(ids),
        "name": _stacked([each.name for each in candidates]),
        "number": _stacked([each.number for each in candidates]),
    }
    if len(candidates[0].labels):
        batch["labels"] = torch.from_numpy(np.stack([each.labels for each in candidates]))
    return batch


def _stacked(spans: Sequence[Ints]) -> Tensor:
    return torch.from_numpy(np.stack(spans).astype(np.int64))
